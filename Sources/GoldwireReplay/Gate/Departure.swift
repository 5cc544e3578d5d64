/// One way in which a recorded client did other than the machine says it should.
public struct Departure: Equatable, Sendable {
  /// What was wrong.
  public enum Kind: String, CaseIterable, Sendable {
    /// It acted before its time.
    case early
    /// It acted, but later than the slack allows.
    case late
    /// It did not act.
    case missing
    /// It acted without need.
    case extra
    /// It acted in time, but differently.
    case differs
  }

  /// What was wrong.
  public var kind: Kind
  /// The machine's action, or the recorded one of an `extra`.
  public var line: GoldenLine
  /// What was recorded instead, of an action that differs.
  public var recorded: GoldenLine?
  /// The instant: the recorded action's, or where it was due.
  public var t: Int
  /// By how much it was early or late, in the trace's unit.
  public var by: Int
  /// The index of the recorded line, where there is one.
  public var index: Int?
  /// The index of the line that made the action due.
  public var cause: Int?

  /// Makes a departure.
  public init(
    _ kind: Kind, _ line: GoldenLine, recorded: GoldenLine? = nil, t: Int, by: Int = 0, index: Int? = nil,
    cause: Int? = nil
  ) {
    self.kind = kind
    self.line = line
    self.recorded = recorded
    self.t = t
    self.by = by
    self.index = index
    self.cause = cause
  }
}
