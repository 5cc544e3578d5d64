internal import GoldwireBytes

/// The keys of the format by their bytes: two words of eight bytes each, in a table without chains.
struct KeyIndex: Sendable {
  private struct Slot: Sendable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    /// The number of the key, or ``KeyIndex/nothing``.
    var number = KeyIndex.nothing
  }

  /// No key has this number.
  private static let nothing = UInt8.max

  static let shared = KeyIndex()

  private var slots: [Slot]

  private init() {
    slots = Array(repeating: Slot(), count: 256)
    for key in EventKey.all {
      let bytes = Array(key.name.utf8)
      let (low, high) = Self.words(bytes.span)
      var index = Self.slot(low, high, key.isOfCounts)
      while slots[index].number != Self.nothing { index = (index + 1) & 255 }
      slots[index] = Slot(low: low, high: high, number: key.number)
    }
  }

  /// The number of the key of these bytes, or nil.
  func number(_ name: Span<UInt8>, ofCounts: Bool) -> UInt8? {
    guard name.count <= 16, !name.isEmpty else { return nil }
    let (low, high) = Self.words(name)
    return number(low, high, ofCounts)
  }

  /// The same for a name whose bytes are in two words.
  @inline(__always)
  func number(_ low: UInt64, _ high: UInt64, _ ofCounts: Bool) -> UInt8? {
    var index = Self.slot(low, high, ofCounts)
    while slots[index].number != Self.nothing {
      let slot = slots[index]
      if slot.low == low, slot.high == high, EventKey.isOfCounts(slot.number) == ofCounts {
        return slot.number
      }
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
