/// The content of a message, which is handed to the app and written nowhere.
public enum WebSocketContent: Equatable, Sendable {
  /// Text.
  case text(String)
  /// Bytes.
  case binary([UInt8])

  /// The size in bytes; of text in UTF-8.
  public var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}
