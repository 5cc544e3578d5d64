/// An action that a machine took in a replay, with the trace line that caused it.
public struct ReplayedAction: Equatable, Sendable {
  /// What was done, when, and on which channel and connection.
  public var line: GoldenLine
  /// The index of the trace line that caused it, or that set the timer that did; nil for none.
  public var cause: Int?
  /// The instant at which the timer was set, where a timer caused it.
  public var timerSet: Int?
  /// The instant at which the machine wanted to act: another than the action's own if it was woken late.
  public var due: Int

  /// Makes an action.
  public init(_ line: GoldenLine, cause: Int?, timerSet: Int? = nil, due: Int? = nil) {
    self.line = line
    self.cause = cause
    self.timerSet = timerSet
    self.due = due ?? line.t
  }
}
