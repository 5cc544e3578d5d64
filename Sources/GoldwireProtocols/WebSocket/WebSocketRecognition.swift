/// A careful judgement whether bytes without a handshake before them are WebSocket frames.
public enum WebSocketRecognition {
  /// Tells who seems to send `bytes`, which start and end with a segment; nil unless they are surely whole frames.
  public static func judge(_ bytes: Span<UInt8>) -> WebSocketPeer? { nil }
}
