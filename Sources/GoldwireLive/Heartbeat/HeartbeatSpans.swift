public import GoldwireMachines

extension Heartbeat.Parameters {
  /// Makes the parameters of a driver, whose machine counts in microseconds; parts of one are rounded up.
  ///
  /// Throws a `ParameterError` for a span that is not positive.
  public init(
    interval: Duration, timeout: Duration, connectTimeout: Duration? = nil,
    policy: Heartbeat.Policy = .pongOnly, cadence: Heartbeat.Cadence = .afterPong
  ) throws(ParameterError) {
    try self.init(
      interval: interval.wholeMicroseconds, timeout: timeout.wholeMicroseconds,
      connectTimeout: connectTimeout?.wholeMicroseconds, policy: policy, cadence: cadence)
  }
}

extension Duration {
  /// The microseconds that last at least as long, held at the type's limits.
  package var wholeMicroseconds: Int {
    let (seconds, attoseconds) = components
    let rest = Int(attoseconds / 1_000_000_000_000) + (attoseconds % 1_000_000_000_000 > 0 ? 1 : 0)
    let (whole, isOver) = Int(seconds).multipliedReportingOverflow(by: 1_000_000)
    let (sum, isOverToo) = whole.addingReportingOverflow(rest)
    return isOver || isOverToo ? (seconds < 0 ? .min : .max) : sum
  }
}
