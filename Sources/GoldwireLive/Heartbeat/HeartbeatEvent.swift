public import GoldwireMachines

/// What a heartbeat driver tells the app.
public enum HeartbeatEvent: Equatable, Sendable {
  /// The connection is open.
  case opened(generation: Int)
  /// A message came.
  case message(generation: Int, WebSocketContent)
  /// So many events, messages as a rule, stood at this point and were dropped, since the app left no room for them.
  case missed(generation: Int, events: Int)
  /// The connection is over, once, with one cause.
  case ended(HeartbeatEnd)
}

extension HeartbeatEvent {
  /// The bytes of a message; 0 for all else.
  var byteCount: Int {
    if case .message(_, let content) = self { content.byteCount } else { 0 }
  }

  /// The generation that the event belongs to.
  public var generation: Int {
    switch self {
    case .opened(let generation), .message(let generation, _), .missed(let generation, _): generation
    case .ended(let end): end.generation
    }
  }
}

/// The end of a connection, as the app is told.
public struct HeartbeatEnd: Equatable, Sendable {
  /// The connection's generation.
  public let generation: Int
  /// The one cause.
  public let cause: Heartbeat.Cause
  /// The peer's close code, where it gave one.
  public let code: Int?
  /// Why the connection could not be made, of a `refused`.
  public let refusal: WebSocketRefusal?

  /// Makes an end.
  public init(
    generation: Int, cause: Heartbeat.Cause, code: Int? = nil, refusal: WebSocketRefusal? = nil
  ) {
    self.generation = generation
    self.cause = cause
    self.code = code
    self.refusal = refusal
  }
}
