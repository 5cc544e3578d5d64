/// The limits of an HTTP/1 decoder.
public struct HTTP1Limits: Equatable, Sendable {
  /// Which limit was hit.
  public enum Name: Equatable, Sendable {
    /// ``HTTP1Limits/headBytes``.
    case head
    /// ``HTTP1Limits/chunkLineBytes``.
    case chunkLine
    /// ``HTTP1Limits/trailerBytes``.
    case trailers
    /// ``HTTP1Limits/outstanding``.
    case outstanding
  }

  /// The most bytes of a start line with its field lines.
  public var headBytes: Int = 262_144
  /// The most bytes of a chunk's size line, extensions included.
  public var chunkLineBytes: Int = 16_384
  /// The most bytes of a trailer section.
  public var trailerBytes: Int = 65_536
  /// The most requests that may wait for their responses on one connection.
  public var outstanding: Int = 4_096

  /// Makes the default limits.
  public init() {}
}
