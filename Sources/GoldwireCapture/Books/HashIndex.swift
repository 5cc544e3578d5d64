/// A map from hashes to indices of an array, which only grows: open addressing over one flat array.
struct HashIndex: Sendable {
  private var hashes: [UInt64] = []
  private var values: [Int32] = []
  private var count = 0

  /// Makes an empty map.
  init() {}

  /// The index of a hash, or nil.
  subscript(hash: UInt64) -> Int? {
    guard !values.isEmpty else { return nil }
    var slot = Int(truncatingIfNeeded: hash) & (values.count &- 1)
    while values[slot] >= 0 {
      if hashes[slot] == hash { return Int(values[slot]) }
      slot = (slot &+ 1) & (values.count &- 1)
    }
    return nil
  }

  /// Adds a hash that is not there yet.
  mutating func insert(_ hash: UInt64, _ value: Int) {
    if values.count < (count &+ 1) &* 2 { grow() }
    count &+= 1
    put(hash, Int32(truncatingIfNeeded: value))
  }

  private mutating func put(_ hash: UInt64, _ value: Int32) {
    var slot = Int(truncatingIfNeeded: hash) & (values.count &- 1)
    while values[slot] >= 0 { slot = (slot &+ 1) & (values.count &- 1) }
    hashes[slot] = hash
    values[slot] = value
  }

  private mutating func grow() {
    let (oldHashes, oldValues) = (hashes, values)
    let size = max(64, values.count &* 2)
    hashes = [UInt64](repeating: 0, count: size)
    values = [Int32](repeating: -1, count: size)
    for slot in oldValues.indices where oldValues[slot] >= 0 { put(oldHashes[slot], oldValues[slot]) }
  }
}
