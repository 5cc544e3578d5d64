extension Heartbeat {
  /// What a heartbeat is set to; spans are in the machine's unit.
  public struct Parameters: Equatable, Sendable {
    /// The span from opening, or from a pong, to the next ping.
    public let interval: Int
    /// The span from a ping to the instant at which its pong is late.
    public let timeout: Int
    /// The span that a handshake may take; nil for no limit.
    public let connectTimeout: Int?
    /// What counts as life while a pong is awaited.
    public let policy: Policy
    /// What the interval is counted from.
    public let cadence: Cadence

    /// Makes parameters from values of a file or an option.
    ///
    /// Throws a ``ParameterError`` for a span that is not positive.
    public init(
      interval: Int, timeout: Int, connectTimeout: Int? = nil,
      policy: Policy = .pongOnly, cadence: Cadence = .afterPong
    ) throws(ParameterError) {
      let spans = [("interval", interval), ("timeout", timeout), ("connectTimeout", connectTimeout ?? 1)]
      for (name, span) in spans where span <= 0 {
        throw ParameterError(name: "heartbeat." + name, rule: "positive")
      }
      self.interval = interval
      self.timeout = timeout
      self.connectTimeout = connectTimeout
      self.policy = policy
      self.cadence = cadence
    }

    init(trustedInterval: Int, timeout: Int) {
      self.interval = trustedInterval
      self.timeout = timeout
      self.connectTimeout = nil
      self.policy = .pongOnly
      self.cadence = .afterPong
    }
  }

  /// What counts as life while a pong is awaited; a golden names it.
  public enum Policy: String, Sendable, CaseIterable {
    /// A pong alone.
    case pongOnly
    /// Anything inbound moves the deadline; a pong still answers the ping.
    case anyInboundIsLife
  }

  /// What the interval is counted from; a golden names it.
  public enum Cadence: String, Sendable, CaseIterable {
    /// The pong.
    case afterPong
    /// The previous ping.
    case fixed
  }
}
