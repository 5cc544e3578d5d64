/// A whole message, of one frame or several.
public struct WebSocketMessage: Equatable, Sendable {
  /// What was found out about a message's content.
  public enum Content: Equatable, Sendable {
    /// It was followed to its end: text was checked, compressed data inflated.
    case read
    /// It breaks a rule, whose event follows.
    case invalid
    /// It cannot be read: compressed data without its window, a gap, an unknown extension, no decompressor.
    case undecodable
    /// Its inflated size went over the limit.
    case tooLong
  }

  /// Text or binary.
  public let kind: WebSocketKind
  /// The payload bytes on the wire, of all fragments.
  public let bytes: Int
  /// The payload bytes after inflation; equal to ``bytes`` if it was not compressed, nil if not known.
  public let inflated: Int?
  /// The instant of the first frame's first byte.
  public let since: Int
  /// The number of frames.
  public let frames: Int
  /// Whether it was compressed.
  public let isCompressed: Bool
  /// What was found out about the content.
  public let content: Content
}
