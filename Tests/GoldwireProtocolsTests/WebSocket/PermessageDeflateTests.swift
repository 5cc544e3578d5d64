import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// Compressed messages: the vectors of RFC 7692, windows that go on, and windows that are lost.
@Suite struct PermessageDeflateTests {
  private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
  private static let first: [UInt8] = [0xC1, 0x07] + hello
  private static let plain: [UInt8] = [0x81, 0x02, 0x68, 0x69]
  private static let again: [UInt8] = [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]

  private func reading(
    fresh: Bool = false, inMiddle: Bool = false, inflater: SlowInflater? = SlowInflater(),
    limits: WebSocketLimits = WebSocketLimits(), from peer: WebSocketPeer = .server
  ) -> WebSocketReading {
    var deflate = PermessageDeflate()
    deflate.serverNoContextTakeover = fresh
    return WebSocketReading(
      from: peer, extensions: WebSocketExtensions(deflate: deflate), inflater: inflater, inMiddle: inMiddle,
      limits: limits)
  }

  private func expect(
    _ frames: [UInt8], fresh: Bool = false, _ expected: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for delivery in Delivery.all(of: frames) {
      var reading = reading(fresh: fresh)
      for piece in delivery.pieces { reading.take(piece) }
      #expect(reading.lines == expected, "\(delivery)", sourceLocation: sourceLocation)
    }
  }

  @Test("The window goes on over messages, and uncompressed ones leave it alone") func takeover() {
    expect(Self.first + Self.plain + Self.again, ["text 7 to 5: Hello", "text 2: hi", "text 5 to 5: Hello"])
  }

  @Test("Without the first frame the window is lost: undecodable, not guessed, not fatal") func firstMissing()
  {
    var middle = reading(inMiddle: true)
    middle.take(Self.plain + Self.again + Self.plain)
    #expect(middle.lines == ["text 2: hi", "text 5 to ? undecodable", "text 2: hi"])

    var gap = reading()
    #expect(gap.decoder.lost(9) == .resynchronising)
    gap.take(Self.plain + Self.again)
    #expect(gap.lines == ["resumed 0", "text 2: hi", "text 5 to ? undecodable"])
  }

  @Test("Without takeover a message that points back is invalid, and later ones are read") func noTakeover() {
    expect(
      Self.first + Self.plain + Self.again + Self.first, fresh: true,
      ["text 7 to 5: Hello", "text 2: hi", "text 5 to ? invalid", "rfc7692-7.2.2", "text 7 to 5: Hello"])
  }

  @Test("Without takeover a gap costs one message") func noTakeoverGap() {
    var reading = reading(fresh: true)
    reading.take(Array(Self.first[..<5]))
    #expect(reading.decoder.lost(4) == .counted)
    reading.take(Self.first)
    #expect(reading.lines == ["text 7 to ? undecodable", "text 7 to 5: Hello"])
  }

  @Test("With takeover a gap costs every later one") func takeoverGap() {
    var reading = reading()
    reading.take(Array(Self.first[..<5]))
    #expect(reading.decoder.lost(4) == .counted)
    reading.take(Self.first + Self.plain)
    #expect(reading.lines == ["text 7 to ? undecodable", "text 7 to ? undecodable", "text 2: hi"])
  }

  @Test("After invalid data with takeover nothing compressed is read") func invalid() {
    expect(
      [0xC1, 0x01, 0x06] + Self.first,
      ["text 1 to ? invalid", "rfc7692-7.2.2", "text 7 to ? undecodable"])
  }

  @Test("In fragments, with a ping between them") func fragments() {
    let frames: [UInt8] = [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x89, 0, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00]
    expect(frames + Self.again, ["ping 0: ", "text 7 to 5 in 2: Hello", "text 5 to 5: Hello"])
  }

  @Test("Stored, and in two blocks") func blocks() {
    expect(
      [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00], ["text 11 to 5: Hello"])
    expect(
      [0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
      ["text 13 to 5: Hello"])
  }

  @Test("A final block ends the message's content") func finalBlock() {
    let frame: [UInt8] = [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
    expect(frame + Self.first, fresh: true, ["text 8 to 5: Hello", "text 7 to 5: Hello"])
    // What comes behind it may do without the window, or point back to before it.
    let back: [UInt8] = [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]
    expect(
      frame + frame + Self.first + back,
      ["text 8 to 5: Hello", "text 8 to 5: Hello", "text 7 to 5: Hello", "text 5 to 5: Hello"])
    expect(frame + back, ["text 8 to 5: Hello", "text 5 to 5: Hello"])
  }

  @Test("An empty message") func empty() {
    expect([0xC1, 0x01, 0x00] + Self.first, ["text 1 to 0", "text 7 to 5: Hello"])
  }

  @Test("Masked, from a client") func masked() {
    let frame = Frames.frame(.text, Self.hello, isCompressed: true, mask: 0xA1B2_C3D4)
    for delivery in Delivery.all(of: frame + frame) {
      var reading = reading(from: .client)
      for piece in delivery.pieces { reading.take(piece) }
      #expect(reading.lines == ["text 7 to 5: Hello", "text 7 to 5: Hello"], "\(delivery)")
    }
  }

  @Test("Text is checked after inflation") func badText() {
    let stored: [UInt8] = [0xC1, 0x08, 0x00, 0x02, 0x00, 0xFD, 0xFF, 0xC3, 0x28, 0x00]
    expect(stored, ["text 8 to 2 invalid", "rfc6455-8.1"])
  }

  @Test("The bit may not stand on control frames and continuations") func misplacedBit() {
    expect([0xC9, 0x00], ["ping 0: ", "rfc7692-6"])
    expect([0x01, 0x01, 0x61, 0xC0, 0x01, 0x62], ["text 2 in 2: ab", "rfc7692-6"])
  }

  @Test("Without a decompressor messages are undecodable") func noInflater() {
    var reading = reading(inflater: nil)
    reading.take(Self.first + Self.plain)
    #expect(reading.lines == ["text 7 to ? undecodable", "text 2: hi"])
  }

  @Test("A message may inflate up to the limit and no further") func limit() {
    var limits = WebSocketLimits()
    limits.inflatedBytes = 5
    var exact = reading(limits: limits)
    exact.take(Self.first)
    limits.inflatedBytes = 4
    var over = reading(limits: limits)
    over.take(Self.first + Self.plain)
    #expect(exact.lines == ["text 7 to 5: Hello"])
    #expect(over.lines == ["text 7 to ? tooLong", "limit inflated", "text 2: hi"])
  }

  @Test("Much from little: inflated in pieces, counted, not kept") func bomb() {
    // A literal and 17 matches of 258 bytes at distance 1, in a fixed block.
    var bits: [Int] = [0, 1, 0] + [1, 0, 0, 1, 0, 0, 0, 1]
    for _ in 0..<17 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
    bits += [0, 0, 0, 0, 0, 0, 0] + [0, 0, 0]
    var bytes: [UInt8] = []
    for (index, bit) in bits.enumerated() {
      if index % 8 == 0 { bytes.append(0) }
      bytes[index / 8] |= UInt8(bit) << UInt8(index % 8)
    }
    var reading = reading()
    reading.take(Frames.frame(.text, bytes, isCompressed: true))
    #expect(reading.lines.count == 1)
    #expect(reading.lines.first?.hasPrefix("text \(bytes.count) to \(1 + 17 * 258): aaaa") == true)
  }
}
