/// How a body ended.
public struct HTTP1End: Equatable, Sendable {
  /// The body's bytes, freed of chunking, gaps included.
  public let bytes: Int
  /// Those of them that the recording misses.
  public let lost: Int
  /// Whether the body is all there was to be: false if the connection ended, or broke, in the middle.
  public let isComplete: Bool

  init(bytes: Int, lost: Int, isComplete: Bool) {
    self.bytes = bytes
    self.lost = lost
    self.isComplete = isComplete
  }
}
