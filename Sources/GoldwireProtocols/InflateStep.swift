/// What one step of a decompressor came to.
public struct InflateStep: Equatable, Sendable {
  /// How the step ended.
  public enum Status: Equatable, Sendable {
    /// More may follow.
    case more
    /// The compressed stream said that it is complete.
    case ended
    /// The input is not valid; nothing more comes until a reset.
    case failed
    /// It gives more than is allowed; nothing more comes until a reset.
    case limit
  }

  /// The number of input bytes taken.
  public let consumed: Int
  /// How the step ended.
  public let status: Status

  /// Makes the result of one step.
  public init(consumed: Int, status: Status) {
    self.consumed = consumed
    self.status = status
  }
}
