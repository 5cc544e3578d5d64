/// The pseudonyms of one channel: numbers by order of first appearance, for hashes of what must not be
/// written.
///
/// It holds a fixed number of entries; the oldest makes room, and comes back as a new one.
struct PseudonymTable: Sendable {
  /// Small and without a reference, since each event adds one.
  private struct Entry {
    var hash: UInt64
    /// The first content seen with it, never 0; 0 for none yet.
    var content: UInt64 = 0
  }

  private var entries: [Entry] = []
  /// Zero for an empty slot, else the place plus one, below as much of the hash as there is room for, so that a search
  /// looks at entries seldom.
  private var slots: [UInt32] = []
  /// One less than the number of slots; here, so that a slot can be looked at before the array's own head is there.
  private var mask = -1
  /// The entries' numbers, once one has made room for another; until then they are the places plus one.
  private var numbers: [UInt32] = []
  private var oldest = 0
  private var numbered = 0
  private let limit: Int
  private let placeBits: UInt32
  /// How many entries made room for others.
  private(set) var forgotten = 0
  /// The contents kept beside the first of an entry, by its place and order of first appearance.
  private var others: [Int: [UInt64]] = [:]
  /// How many those are in all.
  private(set) var revisions = 0

  /// Makes an empty table that holds at most so many entries.
  init(limit: Int) {
    self.limit = min(max(1, limit), Int(UInt32.max) - 1)
    placeBits = UInt32(UInt64.bitWidth - UInt64(self.limit).leadingZeroBitCount)
  }

  /// The number of entries.
  var count: Int { entries.count }

  /// The place of the hash's entry, which is made where there is none; `mayGrow` says whether there is room
  /// in all.
  mutating func place(of hash: UInt64, mayGrow: Bool = true) -> Int {
    if let found = find(hash) { return found }
    numbered &+= 1
    let entry = Entry(hash: hash)
    if entries.count < limit, mayGrow || entries.isEmpty {
      if slots.count &* 2 < (entries.count &+ 1) &* 3 { grow() }
      entries.append(entry)
      if !numbers.isEmpty { numbers.append(UInt32(clamping: numbered)) }
      insert(entries.count &- 1)
      return entries.count &- 1
    }
    if numbers.isEmpty { numbers = entries.indices.map { UInt32(clamping: $0 &+ 1) } }
    let place = oldest
    oldest = oldest &+ 1 >= entries.count ? 0 : oldest &+ 1
    remove(entries[place].hash)
    forgotten &+= 1
    if !others.isEmpty { revisions &-= others.removeValue(forKey: place)?.count ?? 0 }
    entries[place] = entry
    numbers[place] = UInt32(clamping: numbered)
    insert(place)
    return place
  }

  /// Adds a hash that is not there yet with its first content, where there is room for it just so: its number, else 0.
  @inline(__always)
  mutating func add(_ hash: UInt64, content: UInt64, mayGrow: Bool) -> Int {
    guard mayGrow, entries.count < limit, numbers.isEmpty, (mask &+ 1) &* 2 >= (entries.count &+ 1) &* 3
    else { return 0 }
    let tag = tag(hash)
    var slot = home(hash)
    while slots[slot] != 0 {
      if upper(slots[slot]) == tag, entries[place(slot)].hash == hash { return 0 }
      slot = (slot &+ 1) & mask
    }
    entries.append(Entry(hash: hash, content: max(content, 1)))
    slots[slot] = tag | UInt32(truncatingIfNeeded: entries.count)
    numbered &+= 1
    return entries.count
  }

  /// The pseudonym's number at a place.
  func number(at place: Int) -> Int { numbers.isEmpty ? place &+ 1 : Int(numbers[place]) }

  /// The revision of a content at a place, from 1; what is beyond `limit` contents is not kept, and counts as
  /// one more.
  mutating func revision(of content: UInt64, at place: Int, limit: Int = .max) -> Int {
    let content = max(content, 1)
    if entries[place].content == 0 { entries[place].content = content }
    if content == entries[place].content { return 1 }
    let more = others[place] ?? []
    if let index = more.firstIndex(of: content) { return index &+ 2 }
    guard more.count &+ 1 < limit else { return more.count &+ 2 }
    others[place, default: []].append(content)
    revisions &+= 1
    return more.count &+ 2
  }

  /// How many contents at a place are told apart.
  func revisions(at place: Int) -> Int { (others.isEmpty ? 0 : others[place]?.count ?? 0) &+ 1 }

  /// The pseudonym's number of a hash.
  mutating func number(of hash: UInt64) -> Int {
    let place = place(of: hash)
    return number(at: place)
  }

  // MARK: Slots

  private func home(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  private func place(_ slot: Int) -> Int { Int(slots[slot] & (1 << placeBits &- 1)) &- 1 }

  /// What of a hash stands in a slot, above the place.
  private func tag(_ hash: UInt64) -> UInt32 { upper(UInt32(truncatingIfNeeded: hash >> 32)) }

  private func upper(_ slot: UInt32) -> UInt32 { (slot >> placeBits) << placeBits }

  private func find(_ hash: UInt64) -> Int? {
    guard !slots.isEmpty else { return nil }
    let tag = tag(hash)
    var slot = home(hash)
    while slots[slot] != 0 {
      if upper(slots[slot]) == tag, entries[place(slot)].hash == hash { return place(slot) }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  private mutating func insert(_ place: Int) {
    let hash = entries[place].hash
    var slot = home(hash)
    while slots[slot] != 0 { slot = (slot &+ 1) & mask }
    slots[slot] = tag(hash) | UInt32(truncatingIfNeeded: place &+ 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: max(16, slots.count &* 2))
    mask = slots.count &- 1
    for place in entries.indices { insert(place) }
  }

  /// Takes a hash out and moves the run behind it up, so that every probe still finds its entry.
  private mutating func remove(_ hash: UInt64) {
    var slot = home(hash)
    while slots[slot] != 0, entries[place(slot)].hash != hash { slot = (slot &+ 1) & mask }
    guard slots[slot] != 0 else { return }
    var hole = slot
    var next = (slot &+ 1) & mask
    while slots[next] != 0 {
      let wanted = home(entries[place(next)].hash)
      if (next &- wanted) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    slots[hole] = 0
  }
}
