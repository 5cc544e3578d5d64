import GoldwireTestSupport
import Testing

@testable import GoldwireProtocols

/// The check for UTF-8, held against the standard library's.
@Suite struct UTF8CheckerTests {
  private func isWhole(_ pieces: [[UInt8]]) -> Bool {
    var checker = UTF8Checker()
    for piece in pieces { checker.add(piece.span) }
    return checker.isWhole
  }

  @Test("The edges of every range, in every delivery") func edges() {
    let edges: [UInt32] = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
    for edge in edges {
      guard let scalar = Unicode.Scalar(edge) else { continue }
      let bytes = Array("abcdefgh\(scalar)ijklmnopq".utf8)
      for delivery in Delivery.all(of: bytes) { #expect(isWhole(delivery.pieces), "\(edge) \(delivery)") }
    }
  }

  @Test(
    "Overlong forms, surrogates, too large, lone and missing continuations",
    arguments: [
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0x80], [0xC2], [0xE2, 0x82], [0xC2, 0x61],
      [0xE2, 0x82, 0x61],
    ] as [[UInt8]])
  func wrong(_ bytes: [UInt8]) {
    for delivery in Delivery.all(of: Array("abcdefgh".utf8) + bytes) { #expect(!isWhole(delivery.pieces)) }
  }

  @Test("Random bytes are judged as the standard library judges them, masked or not") func random() {
    var generator = SeededGenerator(seed: 3)
    let alphabet: [UInt8] = [
      0x61, 0x7F, 0x80, 0xBF, 0xC2, 0xDF, 0xE0, 0xA0, 0xED, 0x9F, 0xF0, 0x90, 0xF4, 0x8F, 0xFF,
    ]
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let ascii = Int.random(in: 0...20, using: &generator)
      let bytes =
        [UInt8](repeating: 0x61, count: ascii)
        + (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      #expect(isWhole(Delivery.random(of: bytes, using: &generator).pieces) == expected)
      let mask = UInt32.random(in: 0...UInt32.max, using: &generator)
      var masked: [UInt8] = []
      masked.append(bytes.span, mask: mask)
      var checker = UTF8Checker()
      checker.add(masked.span, mask: mask)
      #expect(checker.isWhole == expected)
    }
  }
}
