import GoldwireBytes
import GoldwireTestSupport
import Testing

@Suite("Searches in a span")
struct SpanSearchTests {
  @Test("a search agrees with a plain loop for every start, on bytes that trick eight-at-a-time tests")
  func agreesWithALoop() {
    var random = SeededGenerator(seed: 7)
    let palette: [UInt8] = [0x00, 0x01, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x7F, 0x80, 0x8A, 0x8D, 0xFF]
    for length in 0..<40 {
      let bytes = (0..<length).map { _ in palette.randomElement(using: &random) ?? 0 }
      for start in 0...length {
        let lineEnd = (start..<length).first { bytes[$0] == 0x0A || bytes[$0] == 0x0D }
        #expect(bytes.span.firstLineEnd(from: start) == lineEnd)
        for byte in palette {
          let wanted = (start..<length).first { bytes[$0] == byte }
          #expect(bytes.span.firstIndex(of: byte, from: start) == wanted)
        }
      }
    }
  }
}
