/// What a connection speaks after HTTP/1.
public enum HTTP1Successor: Equatable, Sendable {
  /// WebSocket, after a 101.
  case webSocket
  /// HTTP/2: after a 101 to `h2c`, or its preface where a request was expected.
  case http2
  /// Anything, after a 2xx to CONNECT.
  case tunnel
  /// Another protocol, after a 101.
  case other
}
