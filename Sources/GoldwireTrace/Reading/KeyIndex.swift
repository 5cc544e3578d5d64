internal import GoldwireBytes

/// The keys of the format by their bytes: two words of eight bytes each, in a table without chains.
struct KeyIndex: Sendable {
  private struct Slot: Sendable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    var key: EventKey?
  }

  static let shared = KeyIndex()

  private var slots: [Slot]

  private init() {
    slots = Array(repeating: Slot(), count: 256)
    for key in EventKey.allCases {
      let bytes = Array(key.name.utf8)
      let (low, high) = Self.words(bytes.span)
      var index = Self.slot(low, high, key.isOfCounts)
      while slots[index].key != nil { index = (index + 1) & 255 }
      slots[index] = Slot(low: low, high: high, key: key)
    }
  }

  /// The event's key of these bytes of a line, or nil.
  @inline(__always)
  func key(_ line: Span<UInt8>, from start: Int, to end: Int) -> EventKey? {
    let size = end &- start
    guard size > 0, size <= 16, line.count &- start >= 16 else {
      return key(line.extracting(start..<end), ofCounts: false)
    }
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* size)
    var low = line.word(at: start)
    var high: UInt64 = 0
    if size < 8 {
      low &= UInt64.max >> unused
    } else if size > 8 {
      high = line.word(at: start &+ 8) & (UInt64.max >> (unused &+ 64))
    }
    return key(low, high, false)
  }

  /// The key of these bytes, or nil.
  func key(_ name: Span<UInt8>, ofCounts: Bool) -> EventKey? {
    guard name.count <= 16, !name.isEmpty else { return nil }
    let (low, high) = Self.words(name)
    return key(low, high, ofCounts)
  }

  @inline(__always)
  private func key(_ low: UInt64, _ high: UInt64, _ ofCounts: Bool) -> EventKey? {
    var index = Self.slot(low, high, ofCounts)
    while let key = slots[index].key {
      if slots[index].low == low, slots[index].high == high, key.isOfCounts == ofCounts { return key }
      index = (index + 1) & 255
    }
    return nil
  }

  private static func words(_ name: Span<UInt8>) -> (UInt64, UInt64) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for index in 0..<min(name.count, 8) { low |= UInt64(name[index]) << UInt64(8 * index) }
    if name.count > 8 {
      for index in 8..<min(name.count, 16) { high |= UInt64(name[index]) << UInt64(8 * index - 64) }
    }
    return (low, high)
  }

  private static func slot(_ low: UInt64, _ high: UInt64, _ ofCounts: Bool) -> Int {
    let mixed = (low ^ high &* 31 ^ (ofCounts ? 1 : 0)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 56)
  }
}
