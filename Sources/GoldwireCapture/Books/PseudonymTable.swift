/// The pseudonyms of one channel: numbers by order of first appearance, for hashes of what must not be
/// written.
///
/// It holds a fixed number of entries; the oldest makes room, and comes back as a new one.
struct PseudonymTable: Sendable {
  /// Small and without a reference, since each event adds one.
  private struct Entry {
    var hash: UInt64
    /// The first content seen with it; meaningless before ``hasContent``.
    var content: UInt64 = 0
    var number: UInt32
    var hasContent = false
    /// Whether further contents are kept.
    var hasMore = false
  }

  private var entries: [Entry] = []
  /// Zero for an empty slot, else the hash's lower half above the place plus one, so that searching looks at entries seldom.
  private var slots: [UInt64] = []
  private var oldest = 0
  private var numbered = 0
  private let limit: Int
  /// How many entries made room for others.
  private(set) var forgotten = 0
  /// The contents kept beside the first of an entry, by its place and order of first appearance.
  private var others: [Int: [UInt64]] = [:]
  /// How many those are in all.
  private(set) var revisions = 0

  /// Makes an empty table that holds at most so many entries.
  init(limit: Int) { self.limit = max(1, limit) }

  /// The number of entries.
  var count: Int { entries.count }

  /// The place of the hash's entry, which is made where there is none; `mayGrow` says whether there is room
  /// in all.
  mutating func place(of hash: UInt64, mayGrow: Bool = true) -> Int {
    if let found = find(hash) { return found }
    numbered &+= 1
    let entry = Entry(hash: hash, number: UInt32(clamping: numbered))
    if entries.count < limit, mayGrow || entries.isEmpty {
      if slots.count < (entries.count &+ 1) &* 2 { grow() }
      entries.append(entry)
      insert(entries.count &- 1, hash)
      return entries.count &- 1
    }
    let place = oldest
    oldest = oldest &+ 1 >= entries.count ? 0 : oldest &+ 1
    remove(entries[place].hash)
    forgotten &+= 1
    if entries[place].hasMore { revisions &-= others.removeValue(forKey: place)?.count ?? 0 }
    entries[place] = entry
    insert(place, hash)
    return place
  }

  /// The pseudonym's number at a place.
  func number(at place: Int) -> Int { Int(entries[place].number) }

  /// The revision of a content at a place, from 1; what is beyond `limit` contents is not kept, and counts as
  /// one more.
  mutating func revision(of content: UInt64, at place: Int, limit: Int = .max) -> Int {
    guard entries[place].hasContent else {
      entries[place].content = content
      entries[place].hasContent = true
      return 1
    }
    if content == entries[place].content { return 1 }
    let more = entries[place].hasMore ? others[place] ?? [] : []
    if let index = more.firstIndex(of: content) { return index &+ 2 }
    guard more.count &+ 1 < limit else { return more.count &+ 2 }
    entries[place].hasMore = true
    others[place, default: []].append(content)
    revisions &+= 1
    return more.count &+ 2
  }

  /// How many contents at a place are told apart.
  func revisions(at place: Int) -> Int { (entries[place].hasMore ? others[place]?.count ?? 0 : 0) &+ 1 }

  /// The pseudonym's number of a hash.
  mutating func number(of hash: UInt64) -> Int {
    let place = place(of: hash)
    return number(at: place)
  }

  // MARK: Slots

  private var mask: Int { slots.count &- 1 }

  /// Where the search for a hash begins, or for the entry of a slot, whose upper half holds the hash's lower one.
  private func home(_ hash: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: hash)) & mask }

  private static func place(_ slot: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: slot)) &- 1 }

  private func find(_ hash: UInt64) -> Int? {
    guard !slots.isEmpty else { return nil }
    var slot = home(hash)
    while slots[slot] != 0 {
      let place = PseudonymTable.place(slots[slot])
      if slots[slot] >> 32 == hash & 0xFFFF_FFFF, entries[place].hash == hash { return place }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  private mutating func insert(_ place: Int, _ hash: UInt64) {
    settle(hash << 32 | UInt64(UInt32(truncatingIfNeeded: place &+ 1)))
  }

  private mutating func settle(_ entry: UInt64) {
    var slot = home(entry >> 32)
    while slots[slot] != 0 { slot = (slot &+ 1) & mask }
    slots[slot] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(16, old.count &* 2))
    for entry in old where entry != 0 { settle(entry) }
  }

  /// Takes a hash out and moves the run behind it up, so that every probe still finds its entry.
  private mutating func remove(_ hash: UInt64) {
    var slot = home(hash)
    while slots[slot] != 0, entries[PseudonymTable.place(slots[slot])].hash != hash { slot = (slot &+ 1) & mask }
    guard slots[slot] != 0 else { return }
    var hole = slot
    var next = (slot &+ 1) & mask
    while slots[next] != 0 {
      if (next &- home(slots[next] >> 32)) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    slots[hole] = 0
  }
}
