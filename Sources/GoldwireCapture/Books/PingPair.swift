import GoldwireTrace

/// The pings of both directions, so that a pong is matched with the other side's latest ping of equal content.
struct PingPair {
  private var out = PingList()
  private var received = PingList()

  /// The ordinal of a ping.
  mutating func ping(_ hash: UInt64, _ direction: Direction, limit: Int) -> Int {
    direction == .out ? out.add(hash, limit: limit) : received.add(hash, limit: limit)
  }

  /// The ordinal of the ping that a pong answers; 0 for none, nil if that cannot be told.
  func pong(_ hash: UInt64, _ direction: Direction) -> Int? {
    direction == .out ? received.latest(hash) : out.latest(hash)
  }

  /// The ordinal of an application-level ping, or of the one that a pong answers.
  mutating func beat(_ mark: BeatMark, _ direction: Direction, limit: Int, key: UInt64) -> Int? {
    let hash = KeyedHash.of(mark.token.span, key: key)
    switch mark.beat {
    case .ping: return ping(hash, direction, limit: limit)
    case .pong: return pong(hash, direction)
    }
  }
}
