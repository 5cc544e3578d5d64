import GoldwireBytes

/// The elements of a comma-separated list, without the white space around them; empty ones are skipped.
struct ListElements {
  private var position: Int
  private let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  @inline(never)
  mutating func next(_ bytes: Span<UInt8>, separator: UInt8 = 0x2C) -> Range<Int>? {
    while position < end {
      let start = position
      let stop = bytes.extracting(0..<end).firstIndex(of: separator, from: start) ?? end
      position = stop < end ? stop &+ 1 : stop
      let element = ListElements.trim(bytes, start..<stop)
      if !element.isEmpty { return element }
    }
    return nil
  }

  /// The range without white space and line ends at either side.
  @inline(never)
  static func trim(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isSpace(bytes[start]) { start &+= 1 }
    while end > start, isSpace(bytes[end &- 1]) { end &-= 1 }
    return start..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}
