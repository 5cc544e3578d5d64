/// What a WebSocket decoder found next.
public enum WebSocketEvent: Equatable, Sendable {
  /// A whole message; its unmasked, inflated content is in `payload` as far as it is kept.
  case message(WebSocketMessage)
  /// A ping with so many payload bytes; the payload is in `payload`.
  case ping(bytes: Int)
  /// A pong with so many payload bytes; the payload is in `payload`.
  case pong(bytes: Int)
  /// A close frame, with its code if it has one.
  case close(code: Int?)
  /// A rule was broken; where the frame could be read, its event came before.
  case broken(ProtocolRule)
  /// A limit was hit.
  case limit(WebSocketLimits.Name)
  /// After a gap a frame's start was found again.
  case resumed(skipped: Int)
}
