/// Finds the index that belongs to a flow key: open addressing with a keyed hash.
///
/// The seed decides only where a key lies in the table, never which index it has or in which order
/// anything is given out, so that nobody outside can choose keys that collide.
struct FlowTable: Sendable {
  /// Zero for an empty slot, else the index plus one.
  private var slots: [UInt32]
  /// The hash's lower half, beside each slot.
  private var tags: [UInt32]
  /// The key of each index.
  private var keys: [FlowKey] = []
  private(set) var count = 0
  private let seed: (UInt64, UInt64)
  private var lastKey: FlowKey?
  private var lastIndex = 0

  init(seed: UInt64) {
    slots = [UInt32](repeating: 0, count: 256)
    tags = [UInt32](repeating: 0, count: 256)
    self.seed = (seed ^ 0xA076_1D64_78BD_642F, ~seed &* 0xE703_7ED1_A0B4_28DB | 1)
  }

  /// The index of a key, or nil.
  mutating func find(_ key: FlowKey) -> Int? {
    if key == lastKey { return lastIndex }
    let tag = hash(key)
    var slot = Int(tag) & (slots.count &- 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) &- 1
      if tags[slot] == tag, keys[index] == key {
        lastKey = key
        lastIndex = index
        return index
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  /// Gives a key, which must not be there yet, an index: one that was freed, or the next one.
  mutating func insert(_ key: FlowKey, at index: Int) {
    if (count &+ 1) &* 2 > slots.count { grow() }
    if index < keys.count { keys[index] = key } else { keys.append(key) }
    place(UInt32(truncatingIfNeeded: index &+ 1), tag: hash(key))
    count &+= 1
    lastKey = key
    lastIndex = index
  }

  /// Forgets the key of an index, if it is still there.
  mutating func remove(_ index: Int) {
    let key = keys[index]
    if key == lastKey { lastKey = nil }
    let mask = slots.count &- 1
    var slot = Int(hash(key)) & mask
    while slots[slot] != UInt32(truncatingIfNeeded: index &+ 1) {
      if slots[slot] == 0 { return }
      slot = (slot &+ 1) & mask
    }
    count &-= 1
    // Those behind move up, so that no search stops too early.
    var hole = slot
    var other = (slot &+ 1) & mask
    while slots[other] != 0 {
      let home = Int(tags[other]) & mask
      if (other &- home) & mask >= (other &- hole) & mask {
        slots[hole] = slots[other]
        tags[hole] = tags[other]
        hole = other
      }
      other = (other &+ 1) & mask
    }
    slots[hole] = 0
  }

  private mutating func place(_ entry: UInt32, tag: UInt32) {
    let mask = slots.count &- 1
    var slot = Int(tag) & mask
    while slots[slot] != 0 { slot = (slot &+ 1) & mask }
    slots[slot] = entry
    tags[slot] = tag
  }

  private mutating func grow() {
    let oldSlots = slots
    let oldTags = tags
    slots = [UInt32](repeating: 0, count: oldSlots.count &* 2)
    tags = [UInt32](repeating: 0, count: oldSlots.count &* 2)
    for slot in oldSlots.indices where oldSlots[slot] != 0 { place(oldSlots[slot], tag: oldTags[slot]) }
  }

  private func hash(_ key: FlowKey) -> UInt32 {
    var state = mix(key.firstAddress.low ^ seed.0, key.secondAddress.low ^ seed.1)
    if key.firstAddress.high | key.secondAddress.high != 0 {
      state = mix(key.firstAddress.high ^ state, key.secondAddress.high ^ seed.0)
    }
    return UInt32(truncatingIfNeeded: mix(state ^ UInt64(key.ports), seed.1))
  }

  private func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return high ^ low
  }
}
