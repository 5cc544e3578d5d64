/// How a body ended.
public struct HTTP1End: Equatable, Sendable {
  /// The body's bytes, freed of chunking, gaps included.
  public let bytes: Int
  /// Those of them that the recording misses.
  public let lost: Int
  /// Whether the body is all there was to be: false if the connection ended, or broke, in the middle.
  public let isComplete: Bool
  /// Whether it cannot be read further, since a rule of its framing was broken or a limit was hit.
  public let isBroken: Bool

  init(bytes: Int, lost: Int, isComplete: Bool, isBroken: Bool) {
    self.bytes = bytes
    self.lost = lost
    self.isComplete = isComplete
    self.isBroken = isBroken
  }
}
