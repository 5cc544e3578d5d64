public import GoldwireMachines
public import GoldwireTrace

/// Records one attempt of a logical request.
///
/// A callback keeps the value of its own attempt. Each call takes nanoseconds: it never blocks, allocates or throws.
public struct AttemptTap: Sendable {
  let request: RequestTap
  /// Which send of the logical request, from 1.
  package let number: Int
  /// Which redirect or renewed login within the attempt, from 1; 0 for none.
  package let hop: Int

  /// The transport follows a redirect within the origin or a renewed login: the same attempt, one hop on.
  public func followed(at instant: TapInstant = .now) -> AttemptTap {
    let next = AttemptTap(request: request, number: number, hop: hop &+ 1)
    request.record(next, at: instant)
    return next
  }

  /// The head of a response came, interim ones too; a status outside 100 to 599 is left out, and noted.
  ///
  /// `stream` is the event stream that the response turned out to be, though it was not asked for: its connect and open.
  public func answered(
    _ answer: Answer, type: MediaType? = nil, stream: StreamTap? = nil, at instant: TapInstant = .now
  ) {
    let bits = AnswerBits(answer, type: type, stream: stream?.number)
    request.channel.record(
      .httpResponse, 0, a: name, b: bits.facts, c: bits.value, d: bits.date, e: bits.age, at: instant)
  }

  /// So many bytes of a body went through; `done` says whether it was whole, `differs` what is not as in the first attempt.
  public func body(
    _ direction: Direction, bytes: Int, done: Bool? = nil, differs: Differences = [],
    at instant: TapInstant = .now
  ) {
    request.channel.record(
      .httpBody, 0, a: name, b: direction.code | Bits.flag(done) << 8 | UInt64(differs.rawValue) << 16,
      c: UInt64(clamping: bytes), at: instant)
  }

  /// The attempt failed without an answer; `sent` says whether the request may have reached the server.
  public func failed(_ cause: Cause, sent: Bool? = nil, at instant: TapInstant = .now) {
    request.channel.record(.httpError, 0, a: name, b: cause.code | Bits.flag(sent) << 8, at: instant)
  }

  private var name: UInt64 { Bits.attempt(request.number, number, hop) }
}
