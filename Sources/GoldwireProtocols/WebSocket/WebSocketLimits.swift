/// The limits of a WebSocket decoder.
public struct WebSocketLimits: Equatable, Sendable {
  /// Which limit was hit.
  public enum Name: Equatable, Sendable {
    /// ``WebSocketLimits/frameBytes``.
    case frame
    /// ``WebSocketLimits/inflatedBytes``.
    case inflated
  }

  /// The most payload bytes of a frame; a longer one is counted through, and said to be over the limit.
  public var frameBytes: Int = 1 << 32
  /// The most bytes that one message may inflate to.
  public var inflatedBytes: Int = 1 << 28
  /// The most content bytes of a message that are kept for comparison in memory; 0 keeps none.
  public var keptBytes: Int = 0

  /// Makes the default limits.
  public init() {}
}
