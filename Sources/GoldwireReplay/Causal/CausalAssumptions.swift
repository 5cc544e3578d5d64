public import GoldwireTrace

/// What a prediction takes for given beside the recording; each is named in its report.
public struct CausalAssumptions: Equatable, Sendable {
  /// What is taken for given of a server's patience with pings.
  public enum PingRate: String, CaseIterable, Sendable {
    /// It bears pings however fast they come.
    case borne
    /// It may punish those that come faster than any that were recorded.
    case unknown
  }

  /// The silence after which something between the peers forgets a connection; nil where nothing is declared.
  public var idle: TimeSpan?
  /// What is taken for given of the server's patience with pings.
  public var pingRate: PingRate

  /// Makes assumptions; without any, a server bears pings however fast they come.
  public init(idle: TimeSpan? = nil, pingRate: PingRate = .borne) {
    self.idle = idle
    self.pingRate = pingRate
  }

  /// Takes an option's text: `idle=30s`, `ping-rate=unknown`.
  ///
  /// Throws a ``ReplayError`` that says what was expected.
  public mutating func set(option text: String) throws(ReplayError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.count > 1 ? parts[1] : "") {
    case ("idle", let value):
      guard let span = TimeSpan(value), span.microseconds > 0 else {
        throw ReplayError("idle wants a length of time, as idle=30s")
      }
      idle = span
    case ("ping-rate", let value):
      guard let rate = PingRate(rawValue: String(value)) else {
        throw ReplayError("ping-rate wants one of borne, unknown")
      }
      pingRate = rate
    default: throw ReplayError("expected idle=LENGTH or ping-rate=unknown")
    }
  }
}
