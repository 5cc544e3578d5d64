public import GoldwireTrace
internal import Synchronization

/// Records one logical request with all its attempts.
///
/// Its calls take nanoseconds: none blocks, allocates or throws.
public final class RequestTap: Sendable {
  let channel: TapChannel
  /// The request's number in its channel, from 1.
  package let number: Int
  private let attempts = Atomic<Int>(0)
  private let facts: UInt64
  private let key: UInt64
  private let bytes: UInt64

  init(channel: TapChannel, number: Int, method: Method, replayable: Bool?, key: TapKey?, bytes: Int?) {
    self.channel = channel
    self.number = number
    facts = method.code | Bits.flag(replayable) << 8
    self.key = Bits.optional(key?.number)
    self.bytes = Bits.optional(bytes)
  }

  /// The request is sent: its first attempt, or the next one.
  public func sent(at instant: TapInstant = .now) -> AttemptTap {
    let attempt = AttemptTap(request: self, number: attempts.add(1, ordering: .relaxed).newValue, hop: 0)
    record(attempt, at: instant)
    return attempt
  }

  /// A wait for the next attempt begins; its length is in microseconds, the random unit in millionths.
  package func waits(microseconds: Int, unit: Int?, at instant: TapInstant = .now) {
    let next = attempts.load(ordering: .relaxed) &+ 1
    channel.record(
      .httpWait, 0, a: Bits.attempt(number, next), b: UInt64(clamping: microseconds), c: Bits.optional(unit),
      at: instant)
  }

  /// The caller does not want the request any more.
  public func cancelled(at instant: TapInstant = .now) {
    channel.record(.httpCancel, 0, a: Bits.attempt(number, 1), at: instant)
  }

  /// The logical request came to its one outcome.
  public func stopped(_ why: StopReason, at instant: TapInstant = .now) {
    channel.record(.httpStop, 0, a: Bits.attempt(number, 1), b: why.code, at: instant)
  }

  /// Records that an attempt, or a further hop of it, is sent.
  func record(_ attempt: AttemptTap, at instant: TapInstant) {
    channel.record(
      .httpSend, 0, a: Bits.attempt(number, attempt.number, attempt.hop), b: facts, c: key, d: bytes,
      at: instant)
  }
}
