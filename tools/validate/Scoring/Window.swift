internal import GoldwireMachines
public import GoldwireReplay
internal import GoldwireTrace

/// What counts of a run, and how near an instant must be to be right; all in microseconds.
public struct Window: Equatable, Sendable {
  /// Steps after it are not judged: near the recording's end one may be missing for no fault.
  public var until: Int
  /// How far a step may be from what was, unless it lies between the bounds that were predicted.
  public var tolerance: Int
  /// How far the end of a session may lie outside its bounds.
  public var endTolerance: Int
  /// How far apart two ends may be, and be the same one under other parameters.
  public var reach: Int

  /// The window of another machine: `tolerance` is how far a step may be from what was.
  public init(until: Int, tolerance: Int) {
    (self.until, self.tolerance) = (until, tolerance)
    (endTolerance, reach) = (tolerance, tolerance)
  }

  /// The window of a heartbeat that was recorded with `old` and asked with `asked`.
  ///
  /// Right is a step within half of the asked interval, an end within 0.3 s or a tenth of the interval.
  public init(_ old: MachineParameters, asked: MachineParameters, horizon: Int) throws {
    let (old, asked) = (try old.heartbeat(.us), try asked.heartbeat(.us))
    let longest = max(old.interval, asked.interval)
    until = horizon - 3 * longest - asked.timeout
    tolerance = asked.interval / 2
    endTolerance = max(300_000, asked.interval / 10)
    reach = longest + max(old.timeout, asked.timeout) + endTolerance
  }
}
