import GoldwireProtocols

/// The pseudonyms of a recording: those of event ids with cursors, and those of idempotency keys, by channel.
struct Pseudonyms {
  private struct Tables {
    var ids: PseudonymTable
    var keys: PseudonymTable
    var isRevisionNoted = false
  }

  private var tables: [Tables] = []
  /// The table of each channel, or -1.
  private var places: [Int] = []
  private(set) var idCount = 0
  private(set) var keyCount = 0
  private(set) var revisionCount = 0
  private(set) var hasForgotten = false
  private let limits: CaptureLimits

  /// Makes tables without an entry.
  init(limits: CaptureLimits) { self.limits = limits }

  /// Whether a table has begun to forget since this was asked last.
  mutating func takeForgotten() -> Bool {
    defer { hasForgotten = false }
    return hasForgotten
  }

  /// The pseudonym's number of an event id or cursor; 0 for the empty one.
  mutating func number(of id: EventID, in channel: Int) -> Int {
    guard case .hash(let hash) = id, channel >= 0 else { return 0 }
    let (table, place) = entry(hash, in: channel)
    return tables[table].ids.number(at: place)
  }

  /// The pseudonym's number of an event's id, and the revision of its content.
  ///
  /// `known` is the channel's ``index(of:)``, where the caller has it.
  mutating func identify(
    _ id: EventID, content: UInt64, in channel: Int, table known: Int = -1
  ) -> (id: Int, revision: Int) {
    guard case .hash(let hash) = id, channel >= 0 else { return (0, 1) }
    let table = known < 0 ? index(of: channel) : known
    // Most ids are new.
    let new = tables[table].ids.add(hash, content: content, mayGrow: idCount < limits.eventIDsInAll)
    if new > 0 {
      idCount &+= 1
      return (new, 1)
    }
    return identifyAgain(hash, content, in: channel)
  }

  /// The same for an id that was there before, or that can't be added just so.
  private mutating func identifyAgain(
    _ hash: UInt64, _ content: UInt64, in channel: Int
  ) -> (id: Int, revision: Int) {
    let (table, place) = entry(hash, in: channel)
    let before = tables[table].ids.revisions
    let limit = revisionCount < limits.revisionsInAll ? limits.revisions : 0
    let revision = tables[table].ids.revision(of: content, at: place, limit: limit)
    revisionCount &+= tables[table].ids.revisions &- before
    if revision > tables[table].ids.revisions(at: place), !tables[table].isRevisionNoted {
      tables[table].isRevisionNoted = true
      hasForgotten = true
    }
    return (tables[table].ids.number(at: place), revision)
  }

  /// The pseudonym's number of an idempotency key.
  mutating func key(_ hash: UInt64, in channel: Int) -> Int {
    let table = index(of: channel)
    let (count, forgotten) = (tables[table].keys.count, tables[table].keys.forgotten)
    let place = tables[table].keys.place(of: hash, mayGrow: keyCount < limits.keysInAll)
    keyCount &+= tables[table].keys.count &- count
    note(tables[table].keys.forgotten, forgotten, limits.keys)
    return tables[table].keys.number(at: place)
  }

  private mutating func entry(_ hash: UInt64, in channel: Int) -> (table: Int, place: Int) {
    let table = index(of: channel)
    let (count, forgotten) = (tables[table].ids.count, tables[table].ids.forgotten)
    let revisions = tables[table].ids.revisions
    let place = tables[table].ids.place(of: hash, mayGrow: idCount < limits.eventIDsInAll)
    idCount &+= tables[table].ids.count &- count
    revisionCount &+= tables[table].ids.revisions &- revisions
    note(tables[table].ids.forgotten, forgotten, limits.eventIDs)
    return (table, place)
  }

  /// Sees to it that each round of a table's forgetting is told once.
  private mutating func note(_ forgotten: Int, _ before: Int, _ limit: Int) {
    if forgotten > before, before % max(1, limit) == 0 { hasForgotten = true }
  }

  /// The place of a channel's tables.
  @inline(__always)
  mutating func index(of channel: Int) -> Int {
    let channel = max(0, channel)
    if channel < places.count, places[channel] >= 0 { return places[channel] }
    return newIndex(of: channel)
  }

  private mutating func newIndex(of channel: Int) -> Int {
    while places.count <= channel { places.append(-1) }
    places[channel] = tables.count
    tables.append(
      Tables(ids: PseudonymTable(limit: limits.eventIDs), keys: PseudonymTable(limit: limits.keys)))
    return tables.count &- 1
  }
}

extension EventID {
  /// The id that stands in some bytes.
  init(_ bytes: Span<UInt8>, key: UInt64) {
    self = EventStreamParser.digest(ofID: bytes, key: key).map { .hash($0) } ?? .empty
  }

  /// The id of the block that a parser which keeps no values gave last; its key must be that of the others.
  @inline(__always)
  init(_ parser: EventStreamParser) {
    self = parser.hasEmptyID ? .empty : .hash(parser.idDigest)
  }
}
