/// The unit in which a machine's instants and waits are counted.
public enum TimeUnit: Int, Sendable, CaseIterable {
  /// A thousandth of a second, as in the examples and in traces written by hand.
  case milliseconds = 1_000
  /// A millionth of a second, as recorders write it.
  case microseconds = 1_000_000

  /// How many units make a second.
  @inlinable
  public var perSecond: Int { rawValue }

  /// The whole number of units that lasts at least `microseconds`.
  ///
  /// Rounds up, since a wait that is rounded down ends too early.
  @inlinable
  public func roundingUp(microseconds: Int) -> Int {
    let scale = 1_000_000 / rawValue
    let whole = microseconds / scale
    return whole &* scale < microseconds ? whole &+ 1 : whole
  }

  /// The number of units in `milliseconds`, held at the type's limits.
  @inlinable
  public func units(milliseconds: Int) -> Int {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: rawValue / 1_000)
    return overflow ? (milliseconds < 0 ? Int.min : Int.max) : product
  }
}
