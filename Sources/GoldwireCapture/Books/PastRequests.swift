import GoldwireTrace

/// Requests of one HTTP channel that a later request may be the next try, or the next hop, of.
struct PastRequests {
  /// What makes two requests equal; hashes are for comparison in memory alone.
  struct Identity: Equatable {
    /// The method.
    var method: Method
    /// The hash of the target.
    var target: UInt64
    /// The hash of the idempotency key; 0 for none.
    var key: UInt64
    /// The announced length; -1 for none.
    var length: Int
  }

  /// Why a later request may belong to it.
  enum Kind: Equatable {
    /// It got 429, 503 or an error.
    case failed
    /// It was redirected within its origin; the method may become GET.
    case redirected
    /// It got 401.
    case unauthorized
  }

  /// One such request.
  struct Entry {
    /// Why.
    var kind: Kind
    /// What the later request must be; of a redirect the new target, without key and length.
    var identity: Identity
    /// The logical request.
    var request: Int
    /// Its try.
    var attempt: Int
    /// Its hop, 0 for none.
    var hop: Int
    /// The last instant at which the later one may start.
    var until: Int
    /// The hash of the first try's body, where it was whole.
    var body: UInt64?
    /// After a redirect: the request that it began with, which the next try may begin with again.
    var start: Start?
  }

  /// The request that a chain of hops began with.
  struct Start: Equatable {
    /// What the next try is compared by.
    var identity: Identity
    /// The hash of the first try's body, where it was whole.
    var body: UInt64?
  }

  private var entries: [Entry] = []

  /// Remembers a request; the oldest makes room.
  mutating func add(_ entry: Entry, limit: Int) {
    entries.removeAll { $0.request == entry.request && $0.attempt == entry.attempt && $0.hop == entry.hop }
    if entries.count >= max(1, limit) { entries.removeFirst() }
    entries.append(entry)
  }

  /// Says what the body of a request that has failed already turned out to be, where it is the first try's.
  mutating func sent(_ request: Int, _ attempt: Int, body: UInt64?) {
    guard let index = entries.firstIndex(where: { $0.request == request && $0.attempt == attempt }) else {
      return
    }
    if entries[index].body == nil { entries[index].body = body }
  }

  /// The request that one of this identity continues at `now`, which is then forgotten.
  ///
  /// A hop follows its redirect at once, so that goes before a failed request that may come again.
  mutating func match(_ identity: Identity, at now: Int) -> Entry? {
    if entries.isEmpty { return nil }
    entries.removeAll { $0.until < now }
    let hop = entries.lastIndex { $0.kind != .failed && $0.fits(identity) }
    guard let index = hop ?? entries.firstIndex(where: { $0.kind == .failed && $0.fits(identity) }) else {
      return nil
    }
    var entry = entries.remove(at: index)
    if entry.kind == .failed, entry.identity != identity, let start = entry.start { entry.body = start.body }
    return entry
  }
}

extension PastRequests.Entry {
  fileprivate func fits(_ other: PastRequests.Identity) -> Bool {
    switch kind {
    case .failed: identity == other || start?.identity == other
    case .unauthorized: identity.method == other.method && identity.target == other.target
    case .redirected:
      identity.target == other.target && (identity.method == other.method || other.method == .get)
    }
  }
}
