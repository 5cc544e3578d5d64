import Testing

@testable import GoldwireProtocols

@Suite struct WebSocketKeyTests {
  /// The example of RFC 6455 section 1.3.
  @Test func theExampleOfTheRFCHolds() {
    let key = Array("dGhlIHNhbXBsZSBub25jZQ==".utf8)
    #expect(String(decoding: WebSocketKey.accept(key.span), as: UTF8.self) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    let isWhole = WebSocketKey.isWhole(key.span)
    #expect(isWhole)
  }

  /// The tests of RFC 3174 section 7.3, and lengths around a block's end.
  @Test func theDigestIsSHA1() {
    #expect(Self.hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(Self.hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(Self.hex(String(repeating: "a", count: 55)) == "c1c8bbdc22796e28c0e15163d20899b65621d65a")
    #expect(Self.hex(String(repeating: "a", count: 64)) == "0098ba824b5c16427bd7a1122a5a442a25ec644d")
  }

  @Test(arguments: ["", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===", "dGhlIHNhbXBsZSBub25j!Q=="])
  func otherKeysAreNotWhole(_ text: String) {
    let bytes = Array(text.utf8)
    let isWhole = WebSocketKey.isWhole(bytes.span)
    #expect(!isWhole)
  }

  private static func hex(_ text: String) -> String {
    WebSocketKey.digest(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
