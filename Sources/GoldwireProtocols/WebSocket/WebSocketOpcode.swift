/// The opcodes of RFC 6455 section 5.2.
public enum WebSocketOpcode: UInt8, Sendable {
  /// A further fragment of a message.
  case continuation = 0
  /// Text, or its first fragment.
  case text = 1
  /// Binary, or its first fragment.
  case binary = 2
  /// The close frame.
  case close = 8
  /// A ping.
  case ping = 9
  /// A pong.
  case pong = 10
}
