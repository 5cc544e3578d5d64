public import GoldwireMachines
public import GoldwireTrace

/// Records one connection of a WebSocket session.
///
/// A callback keeps the value that was current when its connection was made, so that what comes late stands under its
/// own generation. Each call takes nanoseconds: it never blocks, allocates or throws.
public struct SocketGeneration: Sendable {
  let channel: TapChannel
  /// The generation's number in the trace, from 1.
  package let number: Int

  /// The handshake was answered with a success.
  ///
  /// `status` is that of the response, 101 or for HTTP/2 200; one outside 100 to 599 is left out, and noted.
  public func opened(status: Int? = 101, deflate: Bool? = nil, at instant: TapInstant = .now) {
    channel.record(.wsOpen, number, a: AnswerBits.status(status), b: Bits.flag(deflate), at: instant)
  }

  /// The connection was not accepted; `answer` is what an HTTP response said, where there was one.
  public func refused(_ cause: Cause, answer: Answer? = nil, at instant: TapInstant = .now) {
    let bits = AnswerBits(answer)
    channel.record(
      .wsRefused, number, a: cause.code, b: bits.facts, c: bits.value, d: bits.date, e: bits.age, at: instant)
  }

  /// A ping was sent, of `bytes` of payload where that is known; gives its ordinal.
  ///
  /// Nil for a connection that another followed, whose pings are recorded without one.
  @discardableResult
  public func pingSent(bytes: Int? = nil, at instant: TapInstant = .now) -> PingOrdinal? {
    let ordinal = channel.nextPing(.out, of: number)
    ping(.wsPing, .out, ordinal, bytes, instant)
    return ordinal.map(PingOrdinal.init(number:))
  }

  /// A ping came from the peer, of `bytes` of payload; gives its ordinal.
  @discardableResult
  public func pingReceived(bytes: Int? = nil, at instant: TapInstant = .now) -> PingOrdinal? {
    let ordinal = channel.nextPing(.in, of: number)
    ping(.wsPing, .in, ordinal, bytes, instant)
    return ordinal.map(PingOrdinal.init(number:))
  }

  /// A pong came; `ordinal` is that of the latest ping with its payload, `.unmatched` for none, nil if that is not known.
  public func pongReceived(_ ordinal: PingOrdinal? = nil, bytes: Int? = nil, at instant: TapInstant = .now) {
    ping(.wsPong, .in, ordinal?.number, bytes, instant)
  }

  /// A pong was sent; `ordinal` is that of the peer's ping that it answers.
  public func pongSent(_ ordinal: PingOrdinal? = nil, bytes: Int? = nil, at instant: TapInstant = .now) {
    ping(.wsPong, .out, ordinal?.number, bytes, instant)
  }

  /// A ping's completion was called, as a transport shows it that shows no pongs.
  public func pinged(
    _ ordinal: PingOrdinal? = nil, result: PingResult, cause: Cause? = nil, at instant: TapInstant = .now
  ) {
    channel.record(
      .wsPinged, number, a: result.code | cause.optionalCode << 8, b: Bits.optional(ordinal?.number),
      at: instant)
  }

  /// A message of `bytes` of payload was sent or received whole; `since` is when its first frame came, of several.
  public func message(
    _ direction: Direction, _ kind: MessageKind, bytes: Int, since: TapInstant? = nil,
    at instant: TapInstant = .now
  ) {
    channel.record(
      .wsMessage, number, a: direction.code | kind.code << 8, b: UInt64(clamping: bytes),
      c: since == nil ? 0 : 1, d: Bits.signed(since?.microseconds ?? 0), at: instant)
  }

  /// A close frame was sent, and who asked for it.
  ///
  /// A `code` outside 1000 to 4999 is left out, and noted.
  public func closeSent(code: Int? = nil, by actor: CloseActor, at instant: TapInstant = .now) {
    channel.record(
      .wsClose, number, a: Direction.out.code | Optional(actor).optionalCode << 8, b: Bits.optional(code),
      at: instant)
  }

  /// A close frame came.
  ///
  /// A `code` outside 1000 to 4999 is left out, and noted; nil is a frame without one.
  public func closeReceived(code: Int? = nil, at instant: TapInstant = .now) {
    channel.record(.wsClose, number, a: Direction.in.code, b: Bits.optional(code), at: instant)
  }

  /// The connection ended; `direction` is whose end it was, where that is known.
  public func ended(_ cause: EndCause, _ direction: Direction? = nil, at instant: TapInstant = .now) {
    channel.record(.wsEnd, number, a: cause.code | direction.optionalCode << 8, at: instant)
  }

  /// The timer that was made for this connection ran.
  public func tick(at instant: TapInstant = .now) { channel.record(.recTick, number, at: instant) }

  private func ping(
    _ kind: RecordKind, _ direction: Direction, _ ordinal: Int?, _ bytes: Int?, _ instant: TapInstant
  ) {
    channel.record(
      kind, number, a: direction.code, b: Bits.optional(ordinal), c: Bits.optional(bytes), at: instant)
  }
}
