import GoldwireTestSupport

/// Text and bytes to fill messages with, made once: it is cut from, not drawn anew.
struct Filler: Sendable {
  private static let size = 1 << 16
  private let text: [UInt8]
  private let bytes: [UInt8]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed ^ 0xF111_E500)
    let letters = Array("etaoinshrdlu ETAOINSHRDLU 0123456789 -_.,:;/+".utf8)
    var text: [UInt8] = []
    var bytes: [UInt8] = []
    for _ in 0..<Filler.size / 8 {
      var (word, raw) = (random.next(), random.next())
      for _ in 0..<8 {
        text.append(letters[Int(word & 0xFF) % letters.count])
        bytes.append(UInt8(truncatingIfNeeded: raw))
        word >>= 8
        raw >>= 8
      }
    }
    self.text = text
    self.bytes = bytes
  }

  /// Printable text of so many bytes, without line ends, quotes or braces.
  func text(_ count: Int, _ random: inout SeededGenerator) -> ArraySlice<UInt8> {
    Filler.cut(text, count, &random)
  }

  /// Any bytes.
  func bytes(_ count: Int, _ random: inout SeededGenerator) -> ArraySlice<UInt8> {
    Filler.cut(bytes, count, &random)
  }

  private static func cut(
    _ pool: [UInt8], _ count: Int, _ random: inout SeededGenerator
  ) -> ArraySlice<UInt8> {
    let count = min(count, size / 2)
    let start = random.below(size - count)
    return pool[start..<(start + count)]
  }
}

extension SeededGenerator {
  /// A number from 0 up to one less than `limit`; the bias is of no account here.
  mutating func below(_ limit: Int) -> Int { Int((next() >> 33) % UInt64(max(limit, 1))) }

  /// Whether something happens that happens `share` times in a thousand.
  mutating func happens(_ share: Int) -> Bool { below(1_000) < share }

  /// A size whose mean is `mean`; most are smaller, a few four times as large.
  mutating func size(around mean: Int) -> Int { 1 + 4 * mean * below(1_024) / 1_024 * below(1_024) / 1_024 }

  /// One of several.
  mutating func one<Element>(of choices: [Element]) -> Element { choices[below(choices.count)] }
}
