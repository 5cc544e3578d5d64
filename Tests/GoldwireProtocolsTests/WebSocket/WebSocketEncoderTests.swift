import GoldwireProtocols
import Testing

/// Frames as bytes.
@Suite struct WebSocketEncoderTests {
  @Test("The examples of RFC 6455") func examples() {
    #expect(Frames.text("Hello") == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    #expect(
      Frames.text("Hello", mask: 0x37FA_213D)
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    #expect(Frames.text("Hel", isFinal: false) == [0x01, 0x03, 0x48, 0x65, 0x6C])
    #expect(Frames.rest("lo") == [0x80, 0x02, 0x6C, 0x6F])
    #expect(Frames.ping("Hello") == [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
  }

  @Test(
    "The shortest form of each length",
    arguments: [
      (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (65_535, [0x82, 126, 0xFF, 0xFF]),
      (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])])
  func lengths(_ count: Int, _ head: [UInt8]) {
    let frame = Frames.frame(.binary, [UInt8](repeating: 7, count: count))
    #expect(Array(frame.prefix(head.count)) == head && frame.count == head.count + count)
  }

  @Test("Compressed frames, and closes") func others() {
    #expect(Frames.frame(.text, [0x00], isCompressed: true) == [0xC1, 1, 0])
    #expect(Frames.close(nil) == [0x88, 0])
    #expect(Frames.close(1001, "x") == [0x88, 3, 0x03, 0xE9, 0x78])
    #expect(Frames.close(1001, mask: 0) == [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE9])
  }
}
