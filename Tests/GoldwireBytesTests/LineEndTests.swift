import GoldwireBytes
import GoldwireTestSupport
import Testing

/// The searches for line ends find what a look at each byte finds.
@Suite struct LineEndTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `A line's end and the first colon before it are found anywhere`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 0...90, using: &random)
      let bytes = (0..<count).map { _ -> UInt8 in
        switch Int.random(in: 0..<60, using: &random) {
        case 0: 0x0A
        case 1: 0x0D
        case 2, 3: 0x3A
        case 4: 0x09
        case 5: 0x00
        case 6: 0xFF
        default: UInt8.random(in: 0x20...0x7E, using: &random)
        }
      }
      let start = Int.random(in: 0...count, using: &random)
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D }
      let colon = bytes[start..<(end ?? count)].firstIndex(of: 0x3A)
      let alone = bytes.span.firstLineEnd(from: start)
      #expect(alone == end)
      let found = bytes.span.firstLineEnd(from: start, noting: 0x3A)
      #expect(found.end == end ?? -1)
      #expect(found.noted == colon ?? -1)
      let anyColon = bytes.span.firstIndex(of: 0x3A, from: start)
      #expect(anyColon == bytes[start...].firstIndex(of: 0x3A))
    }
  }

  @Test func `Names are equal whatever their case, and to nothing else`() {
    let names: [StaticString] = ["", "a", "br", "age", "date", "upgrade", "location", "content-length"]
    for name in names {
      let text = Array("\(name)".utf8)
      let upper = Array("\(name)".uppercased().utf8)
      let isEqual = text.span.equals(folded: name, in: 0..<text.count)
      let isEqualInCapitals = upper.span.equals(folded: name, in: 0..<upper.count)
      #expect(isEqual && isEqualInCapitals)
      for place in text.indices {
        for bit in 0..<8 {
          var other = text
          other[place] ^= 1 << UInt8(bit)
          let isLetter = text[place] >= 0x61 && text[place] <= 0x7A
          let isOtherEqual = other.span.equals(folded: name, in: 0..<other.count)
          #expect(isOtherEqual == (bit == 5 && isLetter))
        }
      }
    }
  }
}
