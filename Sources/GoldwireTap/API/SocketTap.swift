internal import GoldwireTrace

/// Records one logical WebSocket session over its reconnections: a channel `ws1`, `ws2` … of the trace.
///
/// Made by ``Tap/socket()``. Each call takes nanoseconds: it never blocks, allocates or throws.
public struct SocketTap: Sendable {
  let channel: TapChannel

  /// A connection is being made: the next generation of the session.
  public func connect(at instant: TapInstant = .now) -> SocketGeneration {
    let generation = channel.next()
    channel.record(.wsConnect, generation, at: instant)
    return SocketGeneration(channel: channel, number: generation)
  }

  /// A connection is there that was opened before the recording began: the next generation of the session.
  public func attach(at instant: TapInstant = .now) -> SocketGeneration {
    let generation = channel.next()
    channel.record(.wsAttach, generation, at: instant)
    return SocketGeneration(channel: channel, number: generation)
  }
}

/// The ordinal of a ping in its connection and direction, as the tap numbers it.
public struct PingOrdinal: Hashable, Sendable {
  /// The ordinal from 1, or 0 for none of the pings.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// What a pong carries that answers no ping of this connection.
  public static let unmatched = PingOrdinal(number: 0)
}
