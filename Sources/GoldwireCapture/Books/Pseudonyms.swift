/// The pseudonyms of a recording: those of event ids with cursors, and those of idempotency keys, by channel.
struct Pseudonyms {
  private struct Tables {
    var ids: PseudonymTable
    var keys: PseudonymTable
  }

  private var tables: [Tables] = []
  private var places: [Int: Int] = [:]
  private var idCount = 0
  private var hasForgotten = false
  private let limits: CaptureLimits

  /// Makes tables without an entry.
  init(limits: CaptureLimits) { self.limits = limits }

  /// Whether a table has begun to forget ids since this was asked last.
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
  mutating func identify(_ id: EventID, content: UInt64, in channel: Int) -> (id: Int, revision: Int) {
    guard case .hash(let hash) = id, channel >= 0 else { return (0, 1) }
    let (table, place) = entry(hash, in: channel)
    return (tables[table].ids.number(at: place), tables[table].ids.revision(of: content, at: place))
  }

  /// The pseudonym's number of an idempotency key.
  mutating func key(_ hash: UInt64, in channel: Int) -> Int {
    let table = index(of: channel)
    return tables[table].keys.number(of: hash)
  }

  private mutating func entry(_ hash: UInt64, in channel: Int) -> (table: Int, place: Int) {
    let table = index(of: channel)
    let (count, forgotten) = (tables[table].ids.count, tables[table].ids.forgotten)
    let place = tables[table].ids.place(of: hash, mayGrow: idCount < limits.eventIDsInAll)
    idCount &+= tables[table].ids.count &- count
    if tables[table].ids.forgotten > forgotten, forgotten % max(1, limits.eventIDs) == 0 {
      hasForgotten = true
    }
    return (table, place)
  }

  private mutating func index(of channel: Int) -> Int {
    if let known = places[channel] { return known }
    places[channel] = tables.count
    tables.append(
      Tables(ids: PseudonymTable(limit: limits.eventIDs), keys: PseudonymTable(limit: limits.keys)))
    return tables.count &- 1
  }
}

extension EventID {
  /// The id that stands in some bytes.
  init(_ bytes: Span<UInt8>, key: UInt64) {
    self = bytes.isEmpty ? .empty : .hash(KeyedHash.of(bytes, key: key))
  }
}
