import GoldwireBytes
import Testing

@Suite struct SpanCopyTests {
  @Test("Ranges are equal only if every byte is, at any place and length")
  func equality() {
    let bytes: [UInt8] = (0..<40).map { UInt8(truncatingIfNeeded: $0 * 37 + 129) }
    for count in 0...20 {
      for place in -1..<count {
        var other = [9, 9, 9] + Array(bytes[5..<5 + count])
        if place >= 0 { other[3 + place] ^= 0x80 }
        let isEqual = bytes.span.equals(at: 5, other.span, at: 3, count: count)
        #expect(isEqual == (place < 0))
      }
    }
  }

  @Test("Bytes are copied over those that are there, and nothing beside them")
  func overwriting() {
    var target: [UInt8] = [1, 2, 3, 4, 5]
    let source: [UInt8] = [8, 9]
    let none: [UInt8] = []
    target.overwrite(at: 1, with: source.span)
    target.overwrite(at: 5, with: none.span)
    #expect(target == [1, 8, 9, 4, 5])
  }
}
