public import GoldwireTrace

/// What a transport tells of a connection.
public enum WebSocketTransportEvent: Equatable, Sendable {
  /// The handshake succeeded.
  case opened(deflate: Bool?)
  /// The connection could not be made.
  case refused(WebSocketRefusal)
  /// A pong came; `ordinal` is that of its ping, 0 if it answers none, nil where that cannot be told.
  case pong(ordinal: Int?, bytes: Int?)
  /// The peer pinged; `ordinal` counts its pings on this connection from 1. The transport answers by itself.
  case pingReceived(ordinal: Int, bytes: Int)
  /// The transport answered the peer's ping of that ordinal.
  case pongSent(ordinal: Int, bytes: Int)
  /// A whole message came.
  case message(WebSocketContent)
  /// The peer sent a close frame, with a code or without one.
  case closeReceived(code: Int?)
  /// The transport sent a close frame by itself: it answered the peer's, or named the rule that was broken.
  ///
  /// It comes after what was answered, or after the end.
  case closeSent(code: Int?)
  /// The connection is over; the direction is that of the one who ended it, nil where neither did.
  case ended(EndCause, Direction?)
}

/// How the completion of a ping was called.
public enum WebSocketPingCompletion: Equatable, Sendable {
  /// The pong came.
  case ok
  /// The ping could not be sent, or the connection broke before its pong.
  case error(Cause)
  /// The ping was given up, since the connection was.
  case cancelled
}
