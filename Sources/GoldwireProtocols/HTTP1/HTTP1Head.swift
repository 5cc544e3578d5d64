/// The facts of a request's or response's head that a trace needs, and where the values lie.
///
/// Ranges count from the head's first byte; their bytes can be had in the decoder's `withHead` until its next step.
/// Values are trimmed; of a field that occurs more than once the first line is kept, unless said otherwise.
public struct HTTP1Head: Equatable, Sendable {
  /// The request's method; in a response that of the request it answers, `other` if that is not known.
  public internal(set) var method: HTTPMethod = .other
  /// The status as it stands, leading zeros aside; nil in a request, or if it is no number.
  public internal(set) var status: Int?
  /// The minor version: 0 or 1, seldom more.
  public internal(set) var minor: Int = 1
  /// The ordinal of the exchange on this connection, from 0; nil for a response to a request that was not seen.
  public internal(set) var exchange: Int?
  /// The head's size in bytes, its final empty line included.
  public internal(set) var bytes: Int = 0
  /// How the body's end is found.
  public internal(set) var framing: HTTP1Framing = .none
  /// The announced Content-Length; nil if there is none, or no usable one.
  public internal(set) var contentLength: Int?
  /// The yes-or-no facts.
  public internal(set) var facts: HTTP1Facts = []
  /// The content codings.
  public internal(set) var codings: HTTPCodings = HTTPCodings()
  /// What all lines of `Sec-WebSocket-Extensions` say together.
  public internal(set) var extensions: WebSocketExtensions = WebSocketExtensions()
  /// The number of `Retry-After` lines.
  public internal(set) var retryAfterCount: Int = 0
  /// The number of `Host` lines.
  public internal(set) var hostCount: Int = 0

  /// The request target, or the reason phrase of a response.
  public internal(set) var target: ByteRange = .absent
  /// The value of `Host`.
  public internal(set) var host: ByteRange = .absent
  /// The value of `Content-Type`.
  public internal(set) var contentType: ByteRange = .absent
  /// The value of `Last-Event-ID`.
  public internal(set) var lastEventID: ByteRange = .absent
  /// The value of `Idempotency-Key`.
  public internal(set) var idempotencyKey: ByteRange = .absent
  /// The value of the first `Retry-After`.
  public internal(set) var retryAfter: ByteRange = .absent
  /// The value of `Date`.
  public internal(set) var date: ByteRange = .absent
  /// The value of `Age`.
  public internal(set) var age: ByteRange = .absent
  /// The value of `Location`.
  public internal(set) var location: ByteRange = .absent
  /// The value of `Authorization`, for comparison in memory only.
  public internal(set) var authorization: ByteRange = .absent
  /// The value of the first `Sec-WebSocket-Extensions`.
  public internal(set) var webSocketExtensions: ByteRange = .absent
  /// The value of `Sec-WebSocket-Protocol`.
  public internal(set) var webSocketProtocol: ByteRange = .absent
  /// The value of `Sec-WebSocket-Key`.
  public internal(set) var webSocketKey: ByteRange = .absent

  /// Whether the connection closes after this message, and after its response, since a rule was broken.
  var closes: Bool = false
  /// What is wrong with the Content-Length, if anything.
  var lengthFault: ProtocolRule?

  /// Makes the head of nothing.
  public init() {}

  /// Whether a response is interim: 1xx, but not 101.
  public var isInterim: Bool { status.map { $0 >= 100 && $0 < 200 && $0 != 101 } ?? false }

  /// Whether a request asks for an event stream: a GET that accepts one, or any that names its last event.
  public var asksForEventStream: Bool {
    method == .get && facts.contains(.acceptsEventStream) || lastEventID.isPresent
  }

  /// Whether a request asks for a WebSocket.
  public var asksForWebSocket: Bool { method == .get && facts.isSuperset(of: [.upgrade, .webSocket]) }
}
