import GoldwireTrace

/// The channels of a recording: which connection is which generation of which logical conversation.
///
/// A key stands for the client's address, the server's endpoint and, for WebSocket and event streams, the
/// path. Channels
/// of one key are taken up again in the order in which they became free.
struct ChannelBook {
  /// One channel.
  struct Entry {
    /// Its name.
    let channel: Channel
    /// The current generation.
    var generation = 0
    /// The connection that holds the current generation, or -1.
    var holder = -1
    /// Whether a new connection may be its next generation.
    var isFree = false
    /// The instant since which it is free.
    var freeSince = 0
    /// The number of logical requests so far.
    var requests = 0
    /// Requests that a later one may be the next try or hop of.
    var past = PastRequests()
    fileprivate let key: Int
    fileprivate let endpoint: Int
    fileprivate var nextOfKey: Int = -1
    fileprivate var nextFree: Int = -1

    fileprivate init(_ channel: Channel, key: Int, endpoint: Int) {
      self.channel = channel
      self.key = key
      self.endpoint = endpoint
    }
  }

  private struct Key {
    var newest = -1
    var firstFree = -1
    var lastFree = -1
  }

  private struct Place {
    var free = 0
    var sum = 0
  }

  private var entries: [Entry] = []
  private var keys: [Key] = []
  private var places: [Place] = []
  private var keyIndex = HashIndex()
  private var placeIndex = HashIndex()
  private var numbers = [Int](repeating: 0, count: Channel.Family.allCases.count)
  private let limit: Int

  /// Makes an empty book with room for so many channels.
  init(limit: Int) { self.limit = limit }

  /// The number of channels.
  var count: Int { entries.count }

  /// A channel by its index.
  subscript(index: Int) -> Entry {
    _read { yield entries[index] }
    _modify { yield &entries[index] }
  }

  /// The name of a channel.
  func name(of index: Int) -> Channel { entries[index].channel }

  /// Takes up the channel of the key that has been free for longest, or nil.
  mutating func takeFree(_ hash: UInt64, holder: Int) -> Int? {
    guard let key = keyIndex[hash], keys[key].firstFree >= 0 else { return nil }
    let index = keys[key].firstFree
    unlink(index)
    take(index, holder: holder)
    return index
  }

  /// The newest channel of the key, from where ``older(than:)`` goes on.
  func newest(_ hash: UInt64) -> Int? {
    keyIndex[hash].flatMap { keys[$0].newest >= 0 ? keys[$0].newest : nil }
  }

  /// The channel of the same key that was made before this one.
  func older(than index: Int) -> Int? { entries[index].nextOfKey >= 0 ? entries[index].nextOfKey : nil }

  /// Begins the next generation of a channel that is not free.
  mutating func take(_ index: Int, holder: Int) {
    entries[index].generation &+= 1
    entries[index].holder = holder
  }

  /// Makes a new channel of the key at the endpoint; nil at the limit.
  mutating func make(_ family: Channel.Family, _ hash: UInt64, endpoint: UInt64, holder: Int) -> Int? {
    guard entries.count < limit else { return nil }
    let key: Int
    if let found = keyIndex[hash] {
      key = found
    } else {
      key = keys.count
      keys.append(Key())
      keyIndex.insert(hash, key)
    }
    let place: Int
    if let found = placeIndex[endpoint] {
      place = found
    } else {
      place = places.count
      places.append(Place())
      placeIndex.insert(endpoint, place)
    }
    let number = numbers[family.ordinal] &+ 1
    numbers[family.ordinal] = number
    var entry = Entry(Channel(family, number), key: key, endpoint: place)
    entry.nextOfKey = keys[key].newest
    entry.generation = 1
    entry.holder = holder
    keys[key].newest = entries.count
    entries.append(entry)
    return entries.count &- 1
  }

  /// Says that the current generation has ended, or asked to end, so that a new connection may be the next.
  mutating func release(_ index: Int, at now: Int) {
    guard !entries[index].isFree else { return }
    entries[index].freeSince = now
    entries[index].isFree = true
    entries[index].nextFree = -1
    let key = entries[index].key
    if keys[key].lastFree >= 0 {
      entries[keys[key].lastFree].nextFree = index
    } else {
      keys[key].firstFree = index
    }
    keys[key].lastFree = index
    places[entries[index].endpoint].free &+= 1
    places[entries[index].endpoint].sum &+= index
  }

  /// The one free channel at an endpoint; nil where there is none or more than one.
  func onlyFree(at endpoint: UInt64) -> Int? {
    guard let place = placeIndex[endpoint], places[place].free == 1 else { return nil }
    return places[place].sum
  }

  /// Takes up a free channel whatever others of its key are free.
  mutating func takeFree(at index: Int, holder: Int) {
    unlink(index)
    take(index, holder: holder)
  }

  private mutating func unlink(_ index: Int) {
    let key = entries[index].key
    var before = -1
    var at = keys[key].firstFree
    while at >= 0, at != index { (before, at) = (at, entries[at].nextFree) }
    guard at == index else { return }
    let next = entries[index].nextFree
    if before >= 0 { entries[before].nextFree = next } else { keys[key].firstFree = next }
    if keys[key].lastFree == index { keys[key].lastFree = before }
    entries[index].isFree = false
    places[entries[index].endpoint].free &-= 1
    places[entries[index].endpoint].sum &-= index
  }
}

extension Channel.Family {
  fileprivate var ordinal: Int {
    switch self {
    case .ws: 0
    case .http: 1
    case .sse: 2
    case .tls: 3
    case .tcp: 4
    }
  }
}
