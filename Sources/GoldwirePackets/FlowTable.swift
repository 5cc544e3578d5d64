/// Finds the index that belongs to a flow key: open addressing with a keyed hash.
///
/// The keys themselves stand in the connections, which are looked at next anyway.
///
/// The seed decides only where a key lies in the table, never which index it has or in which order
/// anything is given out, so that nobody outside can choose keys that collide.
struct FlowTable: Sendable {
  /// Zero for an empty slot, else the index plus one in the upper half and the key's tag in the lower one.
  private var slots: [UInt64]
  private(set) var count = 0
  private let seed: (UInt64, UInt64)
  /// The index that was found last, or -1.
  private var lastIndex = -1

  init(seed: UInt64) {
    slots = [UInt64](repeating: 0, count: 256)
    self.seed = (seed ^ 0xA076_1D64_78BD_642F, ~seed &* 0xE703_7ED1_A0B4_28DB | 1)
  }

  /// The index of a key, or nil.
  @inline(__always)
  mutating func find(_ key: FlowKey, in connections: [TCPConnection]) -> Int? {
    if lastIndex >= 0, connections[lastIndex].key == key { return lastIndex }
    let tag = hash(key)
    var slot = Int(tag) & (slots.count &- 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot] >> 32) &- 1
      if UInt32(truncatingIfNeeded: slots[slot]) == tag, connections[index].key == key {
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
    place(entry(index, key))
    count &+= 1
    lastIndex = index
  }

  /// Forgets a key with its index, if it is still there.
  mutating func remove(_ key: FlowKey, at index: Int) {
    lastIndex = -1
    let mask = slots.count &- 1
    let entry = entry(index, key)
    var slot = home(of: entry)
    while slots[slot] != entry {
      if slots[slot] == 0 { return }
      slot = (slot &+ 1) & mask
    }
    count &-= 1
    // Those behind move up, so that no search stops too early.
    var hole = slot
    var other = (slot &+ 1) & mask
    while slots[other] != 0 {
      if (other &- home(of: slots[other])) & mask >= (other &- hole) & mask {
        slots[hole] = slots[other]
        hole = other
      }
      other = (other &+ 1) & mask
    }
    slots[hole] = 0
  }

  private func entry(_ index: Int, _ key: FlowKey) -> UInt64 {
    UInt64(truncatingIfNeeded: index &+ 1) << 32 | UInt64(hash(key))
  }

  /// The slot at which a search for an entry begins.
  private func home(of entry: UInt64) -> Int {
    Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) & (slots.count &- 1)
  }

  private mutating func place(_ entry: UInt64) {
    var slot = home(of: entry)
    while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
    slots[slot] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count &* 2)
    for entry in old where entry != 0 { place(entry) }
  }

  @inline(__always)
  private func hash(_ key: FlowKey) -> UInt32 {
    // Of addresses of version 4 the upper halves of both words are known: one word holds what can differ.
    let second = key.secondAddress.low << 32 | key.secondAddress.low >> 32
    var state = mix(key.firstAddress.low ^ second ^ seed.0, UInt64(key.ports) ^ seed.1)
    if key.firstAddress.high | key.secondAddress.high != 0 {
      state = mix(key.firstAddress.high ^ state, key.secondAddress.high ^ seed.0)
      state = mix(key.firstAddress.low ^ state, key.secondAddress.low ^ seed.1)
    }
    return UInt32(truncatingIfNeeded: state)
  }

  @inline(__always)
  private func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return high ^ low
  }
}
