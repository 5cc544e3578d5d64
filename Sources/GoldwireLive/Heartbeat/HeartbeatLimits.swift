/// The limits of a heartbeat driver.
public struct HeartbeatLimits: Equatable, Sendable {
  /// What becomes of a message for which the app left no room.
  public enum Overflow: Equatable, Sendable {
    /// It is counted, and ``HeartbeatEvent/missed(generation:events:)`` stands in its place.
    case tell
    /// That too, and the connection is closed with the code 1008.
    case close
  }

  /// The most events that wait for the app to take them.
  public var waitingEvents: Int = 1_024
  /// The most bytes of messages that wait for the app; one message may be larger where none waits.
  public var waitingBytes: Int = 16 << 20
  /// What becomes of a message for which there is no room.
  public var overflow: Overflow = .tell
  /// The most callbacks of transports that wait for the driver; at half of them a transport is asked to wait.
  ///
  /// A transport that does not wait has its connection given up when they are reached.
  public var waitingCallbacks: Int = 4_096
  /// The most bytes of messages among these callbacks.
  public var callbackBytes: Int = 64 << 20
  /// The most messages of the app that are being sent at once.
  public var sends: Int = 256

  /// Makes the default limits.
  public init() {}
}
