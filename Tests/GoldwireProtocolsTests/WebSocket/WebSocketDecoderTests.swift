import GoldwireProtocols
import Testing

/// Frames without extensions: messages, control frames, closes, and the rules about them.
@Suite struct WebSocketDecoderTests {
  private static let key: UInt32 = 0x37FA_213D

  static let good: [WebSocketCase] = [
    WebSocketCase("the text of RFC 6455", [[0x81, 5, 0x48, 0x65, 0x6C, 0x6C, 0x6F]], ["text 5: Hello"]),
    WebSocketCase(
      "the masked text of RFC 6455", from: .client,
      [[0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]], ["text 5: Hello"]),
    WebSocketCase("empty messages", [Frames.text(""), Frames.frame(.binary, [])], ["text 0", "binary 0"]),
    WebSocketCase(
      "fragments", from: .client,
      [
        Frames.text("He", isFinal: false, mask: key), Frames.rest("", isFinal: false, mask: 1),
        Frames.rest("llo", mask: 0xFFFF_FFFF),
      ], ["text 5 in 3: Hello"]),
    WebSocketCase(
      "control frames between fragments",
      [
        Frames.text("He", isFinal: false), Frames.ping("p"), Frames.rest("l", isFinal: false),
        Frames.frame(.pong, []), Frames.rest("lo"), Frames.text("x"),
      ], ["ping 1: p", "pong 0: ", "text 5 in 3: Hello", "text 1: x"]),
    WebSocketCase(
      "a character in two fragments",
      [Frames.frame(.text, [0x61, 0xE2, 0x82], isFinal: false), Frames.frame(.continuation, [0xAC])],
      ["text 4 in 2: a€"]),
    WebSocketCase(
      "a masked ping of 125 bytes", from: .client,
      [Frames.ping(String(repeating: "p", count: 125), mask: key)],
      ["ping 125: " + String(repeating: "p", count: 125)]),
    WebSocketCase(
      "16-bit lengths",
      [
        Frames.frame(.binary, [UInt8](repeating: 0x61, count: 126)),
        Frames.text(String(repeating: "b", count: 200)),
      ],
      ["binary 126: " + String(repeating: "a", count: 64), "text 200: " + String(repeating: "b", count: 64)]),
    WebSocketCase(
      "closes", [Frames.close(nil), Frames.close(1000), Frames.close(1001, "bye"), Frames.close(4999)],
      ["close -", "close 1000", "close 1001", "close 4999"]),
    WebSocketCase(
      "registered closes", [Frames.close(1012), Frames.close(3000)], ["close 1012", "close 3000"]),
    WebSocketCase(
      "no mask, and an unknown peer", from: .unknown, [Frames.text("a"), Frames.text("b", mask: key)],
      ["text 1: a", "text 1: b"]),
  ]

  static let broken: [WebSocketCase] = [
    WebSocketCase(
      "a client's frame without a mask", from: .client, [Frames.text("a")], ["text 1: a", "rfc6455-5.1"]),
    WebSocketCase("a server's frame with one", [Frames.text("a", mask: key)], ["text 1: a", "rfc6455-5.1"]),
    WebSocketCase("a reserved bit", [[0xA1, 1, 0x61]], ["text 1 undecodable", "rfc6455-5.2"]),
    WebSocketCase(
      "the bit of an extension not agreed", [[0xC1, 1, 0x61]], ["text 1 to ? undecodable", "rfc6455-5.2"]),
    WebSocketCase(
      "reserved opcodes", [[0x83, 1, 0x61], [0x8B, 0], Frames.text("a")],
      ["rfc6455-5.2", "rfc6455-5.2", "text 1: a"]),
    WebSocketCase(
      "a length not in its shortest form", [[0x81, 126, 0, 1, 0x61]], ["text 1: a", "rfc6455-5.2"]),
    WebSocketCase(
      "a 64-bit length not in its shortest form", [[0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 0x61]],
      ["binary 1: a", "rfc6455-5.2"]),
    WebSocketCase(
      "a length over 63 bits", [[0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 1, 0x61], Frames.text("a")],
      ["rfc6455-5.2"]),
    WebSocketCase(
      "a continuation of nothing", [Frames.rest("x"), Frames.text("a")], ["rfc6455-5.4", "text 1: a"]),
    WebSocketCase(
      "a message inside another", [Frames.text("a", isFinal: false), Frames.text("b")],
      ["text 1: b", "rfc6455-5.4"]),
    WebSocketCase("a ping in fragments", [[0x09, 1, 0x61]], ["ping 1: a", "rfc6455-5.5"]),
    WebSocketCase(
      "a ping of 126 bytes", [Frames.ping(String(repeating: "p", count: 126))],
      ["ping 126: " + String(repeating: "p", count: 125), "rfc6455-5.5"]),
    WebSocketCase("a close of one byte", [Frames.frame(.close, [3])], ["close -", "rfc6455-5.5.1"]),
    WebSocketCase(
      "data after a close", [Frames.close(1000), Frames.ping(""), Frames.text("a")],
      ["close 1000", "ping 0: ", "text 1: a", "rfc6455-5.5.1"]),
    WebSocketCase(
      "closes that must not be sent",
      [Frames.close(1004), Frames.close(1005), Frames.close(1006), Frames.close(1015)],
      [1004, 1005, 1006, 1015].flatMap { ["close \($0)", "rfc6455-7.4.1"] }),
    WebSocketCase(
      "closes out of range",
      [0, 999, 1016, 2999, 5000, 65535].map { Frames.close($0) },
      [0, 999, 1016, 2999, 5000, 65535].flatMap { ["close \($0)", "rfc6455-7.4.2"] }),
    WebSocketCase(
      "a reason that is not UTF-8", [Frames.frame(.close, [3, 0xE8, 0xFF])], ["close 1000", "rfc6455-8.1"]),
    WebSocketCase(
      "text that is not UTF-8", [Frames.frame(.text, [0x61, 0xC0, 0x80])], ["text 3 invalid", "rfc6455-8.1"]),
    WebSocketCase(
      "text that ends inside a character", [Frames.frame(.text, [0xE2, 0x82]), Frames.text("a")],
      ["text 2 invalid", "rfc6455-8.1", "text 1: a"]),
    WebSocketCase(
      "several rules at once", from: .client, [[0x39, 126, 0, 1, 0x61]],
      ["ping 1: a", "rfc6455-5.1", "rfc6455-5.2", "rfc6455-5.5"]),
  ]

  @Test("Frames are read", arguments: good) func reads(_ frames: WebSocketCase) { frames.check() }

  @Test("A broken rule is named", arguments: broken) func names(_ frames: WebSocketCase) { frames.check() }

  @Test("A message carries the instant of its first byte") func since() {
    let bytes = Frames.text("He", isFinal: false) + Frames.rest("llo")
    var reading = WebSocketReading()
    for (instant, byte) in bytes.enumerated() { reading.take([byte], at: instant + 7) }
    reading.take(Frames.text("x"), at: 99)
    #expect(reading.lines == ["text 5 in 2 since 7: Hello", "text 1 since 99: x"])
  }

  @Test("A 64-bit length is counted through without being kept") func long() {
    var reading = WebSocketReading()
    reading.take([0x82, 127, 0, 0, 0, 0, 0, 2, 0, 0])
    for _ in 0..<32 { reading.take([UInt8](repeating: 0, count: 4_096)) }
    #expect(reading.lines.count == 1 && reading.lines[0].hasPrefix("binary 131072"))
  }

  @Test("A frame over the limit is named when its head is read, and counted through") func frameLimit() {
    var limits = WebSocketLimits()
    limits.frameBytes = 4
    var reading = WebSocketReading(limits: limits)
    reading.take(Frames.text("abcd"))
    reading.take([0x81, 5, 0x61])
    #expect(reading.lines == ["text 4: abcd", "limit frame"])
    reading.take(Array("bcde".utf8))
    #expect(reading.lines.last == "text 5: abcde")
  }

  @Test("What is kept of a message has a limit; by default nothing is kept") func kept() {
    var limits = WebSocketLimits()
    #expect(limits.keptBytes == 0)
    limits.keptBytes = 3
    var decoder = WebSocketDecoder(from: .client, limits: limits)
    let bytes = Frames.text("abcde", mask: 0x0102_0304)
    for byte in bytes {
      var offset = 0
      while decoder.next([byte].span, &offset, at: 0) != nil {}
    }
    #expect(decoder.payload == Array("abc".utf8))
  }

  @Test("Unknown extensions that were agreed may use the reserved bits") func otherExtensions() {
    var extensions = WebSocketExtensions()
    extensions.add(Array("x-thing".utf8).span)
    var reading = WebSocketReading(extensions: extensions)
    reading.take([0xA1, 1, 0xFF, 0xC2, 1, 0x61, 0x81, 1, 0x61])
    #expect(reading.lines == ["text 1 undecodable", "binary 1 to ? undecodable", "text 1: a"])
  }
}
