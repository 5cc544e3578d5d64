/// The kind of a message.
public enum WebSocketKind: String, Sendable {
  /// UTF-8 text.
  case text
  /// Anything else.
  case binary
}
