import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// Recognition of frames without a handshake.
@Suite struct WebSocketRecognitionTests {
  private func judge(_ bytes: [UInt8]) -> WebSocketPeer? { WebSocketRecognition.judge(bytes.span) }
  private func structure(_ bytes: [UInt8]) -> WebSocketPeer? { WebSocketRecognition.structure(bytes.span) }

  @Test("Text and closes tell who sends") func sure() {
    #expect(judge(Frames.text("{\"a\":1}")) == .server)
    #expect(judge(Frames.text("{\"a\":1}", mask: 0x1234_5678)) == .client)
    #expect(judge(Frames.ping("") + Frames.text("hi")) == .server)
    #expect(judge(Frames.close(1000, "bye", mask: 9)) == .client)
    #expect(judge(Frames.text(String(repeating: "long ", count: 100))) == .server)
    #expect(judge(Frames.frame(.text, [0x61, 0x62, 0xE2], isFinal: false)) == .server)
  }

  @Test("Pings, binary and compressed frames are frames by structure alone") func weak() {
    for bytes in [
      Frames.ping(""), Frames.frame(.binary, [1, 2, 3]), [0xC1, 2, 0xF2, 0x48], Frames.frame(.pong, []),
    ] {
      #expect(judge(bytes) == nil)
      #expect(structure(bytes) == .server)
    }
  }

  @Test(
    "What is not whole, or breaks a rule, is not taken for frames",
    arguments: [
      [], [0x81], [0x81, 3, 0x61], [0x83, 0], [0x91, 0], [0x09, 0], [0xC9, 0], [0x89, 126, 0, 1, 0x61],
      [0x81, 2, 0x61, 0x62, 0x00], [0x88, 1, 3],
    ] as [[UInt8]])
  func no(_ bytes: [UInt8]) {
    #expect(judge(bytes) == nil)
  }

  @Test("Content that cannot be is no proof but the contrary") func content() {
    #expect(judge(Frames.frame(.text, [0xFF, 0xFE, 0xFD])) == nil)
    #expect(judge(Frames.text("a\u{1}b")) == nil)
    #expect(judge(Frames.close(1005)) == nil)
    #expect(structure(Frames.text("a") + Frames.text("b", mask: 1)) == nil)
  }

  @Test("Random bytes, TLS and HTTP are not taken for frames") func others() {
    var generator = SeededGenerator(seed: 11)
    var taken = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...64, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if judge(bytes) != nil { taken += 1 }
    }
    #expect(taken <= 2)
    #expect(judge(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) == nil)
    #expect(judge([0x17, 0x03, 0x03, 0x00, 0x02, 0x61, 0x62]) == nil)
  }
}
