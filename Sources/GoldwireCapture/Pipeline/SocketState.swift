import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

/// The WebSocket side of a connection: both decoders, and the pings that pongs are matched with.
struct SocketState {
  /// One direction.
  private struct Half {
    var decoder: WebSocketDecoder
    var isNotedUndecodable = false
    var isNotedStop = false
  }

  private var out: Half
  private var received: Half
  private var pings = PingPair()
  private var beats = PingPair()
  /// Whether the end is written.
  var hasEnded = false
  /// How many decompressors it holds.
  let inflaterCount: Int

  /// Makes the state of an open connection.
  init(out: WebSocketDecoder, in received: WebSocketDecoder, inflaterCount: Int = 0) {
    self.out = Half(decoder: out)
    self.received = Half(decoder: received)
    self.inflaterCount = inflaterCount
  }

  /// The next event of a direction's bytes.
  mutating func next(
    _ bytes: Span<UInt8>, _ offset: inout Int, at now: Int, _ direction: Direction
  ) -> WebSocketEvent? {
    direction == .out
      ? out.decoder.next(bytes, &offset, at: now) : received.decoder.next(bytes, &offset, at: now)
  }

  /// Tells a direction's decoder of missing bytes.
  mutating func lost(_ bytes: Int?, _ direction: Direction) {
    if direction == .out { _ = out.decoder.lost(bytes) } else { _ = received.decoder.lost(bytes) }
  }

  /// Whether a direction's decoder has just come to its end; true once.
  mutating func hasStopped(_ direction: Direction) -> Bool {
    if direction == .out {
      defer { out.isNotedStop = out.decoder.isStopped }
      return out.decoder.isStopped && !out.isNotedStop
    }
    defer { received.isNotedStop = received.decoder.isStopped }
    return received.decoder.isStopped && !received.isNotedStop
  }

  /// The content of a direction's latest event.
  func payload(_ direction: Direction) -> [UInt8] {
    direction == .out ? out.decoder.payload : received.decoder.payload
  }

  /// The ordinal of the ping that a direction's decoder gave last.
  mutating func ping(_ direction: Direction, limit: Int, key: UInt64) -> Int {
    pings.ping(KeyedHash.of(payload(direction).span, key: key), direction, limit: limit)
  }

  /// The ordinal of the ping that the pong answers which a direction's decoder gave last; 0 for none, nil if
  /// that cannot be told.
  func pong(_ direction: Direction, key: UInt64) -> Int? {
    pings.pong(KeyedHash.of(payload(direction).span, key: key), direction)
  }

  /// The ordinal of an application-level ping, or of the one that a pong answers.
  mutating func beat(_ mark: BeatMark, _ direction: Direction, limit: Int, key: UInt64) -> Int? {
    beats.beat(mark, direction, limit: limit, key: key)
  }

  /// Whether undecodable messages of a direction were noted; they are from now on.
  mutating func isNotedUndecodable(_ direction: Direction) -> Bool {
    if direction == .out {
      defer { out.isNotedUndecodable = true }
      return out.isNotedUndecodable
    }
    defer { received.isNotedUndecodable = true }
    return received.isNotedUndecodable
  }
}
