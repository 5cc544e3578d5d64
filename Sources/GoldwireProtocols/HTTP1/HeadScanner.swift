import GoldwireBytes

/// Finds the empty line that ends a head or trailer section, over pieces of any size.
struct HeadScanner: Sendable {
  private var lineBytes: Int = 0
  private var startsWithCR: Bool = false

  /// The index after the section's last byte, or nil if it goes on after these bytes.
  mutating func end(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while let lineFeed = bytes.firstIndex(of: 0x0A, from: index) {
      note(bytes, index, lineFeed)
      let isBlank = lineBytes == 0 || (lineBytes == 1 && startsWithCR)
      lineBytes = 0
      index = lineFeed &+ 1
      if isBlank { return index }
    }
    note(bytes, index, bytes.count)
    return nil
  }

  private mutating func note(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
    guard end > start else { return }
    if lineBytes == 0 { startsWithCR = bytes[start] == 0x0D }
    lineBytes = min(lineBytes &+ (end &- start), 2)
  }
}
