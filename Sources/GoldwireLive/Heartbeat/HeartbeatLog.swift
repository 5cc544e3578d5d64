public import GoldwireMachines
public import GoldwireTap

/// One entry of a heartbeat driver's log: typed values, and nothing that came over the connection.
public struct HeartbeatLog: Equatable, Sendable {
  /// What happened, as words of a closed set.
  public enum Event: Equatable, Sendable {
    /// A connection is being made.
    case connect
    /// The handshake succeeded.
    case opened
    /// The connection could not be made.
    case refused
    /// The timer fired.
    case tick
    /// A ping was sent.
    case ping
    /// A ping was completed; each one is, once.
    case pinged(Heartbeat.PingResult)
    /// A completion that came after its ping's one completion, and changed nothing.
    case repeatedCompletion
    /// A pong that answered no ping that was awaited.
    case strayPong
    /// The peer pinged.
    case peerPing
    /// A message came.
    case message
    /// The peer sent a close frame.
    case peerClose
    /// The transport ended.
    case transportEnd
    /// More callbacks came than the driver could take, and the connection was given up.
    case flooded
    /// The app asked for the close.
    case userClose
    /// The app went to the background.
    case background
    /// The app came to the foreground.
    case foreground
    /// The network changed.
    case network
    /// The connection was closed by the driver.
    case close(Heartbeat.Cause)
    /// The connection ended.
    case ended(Heartbeat.Cause)
  }

  /// The generation that the event belongs to.
  public let generation: Int
  /// What happened.
  public let event: Event
  /// The monotonic instant.
  public let instant: TapInstant
  /// Where the current generation stood before.
  public let before: Heartbeat.Phase
  /// Where it stood after.
  public let after: Heartbeat.Phase
}

extension HeartbeatLog: CustomStringConvertible {
  /// The entry as a line of text, with the instant in seconds.
  public var description: String {
    let whole = instant.microseconds / 1_000_000
    let digits = String(instant.microseconds % 1_000_000)
    let fraction = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    let phases = before == after ? "\(before)" : "\(before) → \(after)"
    return "generation \(generation) \(event.words) at \(whole).\(fraction) s: \(phases)"
  }
}

extension HeartbeatLog.Event {
  /// The event in words.
  fileprivate var words: String {
    switch self {
    case .pinged(let result): "pinged \(result.rawValue)"
    case .close(let cause): "close \(cause.rawValue)"
    case .ended(let cause): "ended \(cause.rawValue)"
    default: "\(self)"
    }
  }
}
