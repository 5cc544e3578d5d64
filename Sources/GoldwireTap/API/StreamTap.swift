internal import GoldwireTrace

/// Records one event stream over its reconnections: a channel `sse1`, `sse2` … of the trace.
///
/// Made by ``Tap/stream()``. Each call takes nanoseconds: it never blocks, allocates or throws.
public struct StreamTap: Sendable {
  let channel: TapChannel
  /// The channel's number, from 1.
  let number: Int

  /// A request for the stream is sent, with the number of its cursor; nil or 0 for a request without one.
  package func connect(cursor: Int?, at instant: TapInstant = .now) -> StreamGeneration {
    let generation = channel.next()
    channel.record(.sseConnect, generation, a: Bits.optional(cursor == 0 ? nil : cursor), at: instant)
    return StreamGeneration(channel: channel, number: generation)
  }

  /// A request for the stream is sent, without a cursor.
  public func connect(at instant: TapInstant = .now) -> StreamGeneration { connect(cursor: nil, at: instant) }

  /// The cursor moved to the event or id of this number, 0 for the empty id.
  package func commit(cursor: Int, at instant: TapInstant = .now) {
    channel.record(.sseCommit, 0, a: UInt64(clamping: cursor), at: instant)
  }

  /// The reader is not wanted any more.
  public func cancelled(at instant: TapInstant = .now) { channel.record(.sseCancel, 0, at: instant) }
}
