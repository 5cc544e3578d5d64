public import GoldwireTrace

/// What came of a replay: the machines' actions in canonical order, and what is to be said of them.
public struct Replayed: Sendable {
  /// The actions, by instant, then channel, then request; without the closing `end`.
  public var actions: [ReplayedAction] = []
  /// The last instant of the recording.
  public var horizon: Int = 0
  /// The channels that drove a machine, in order.
  public var channels: [Channel] = []
  /// The channels that were never in step with the recorded client.
  public var neverInStep: [Channel] = []
  /// The ties that were found, if they were looked for.
  public var ties: [Tie] = []
  /// How the recorded client departed from the machine, if it was held against it.
  public var departures: [Departure] = []
  /// How late the recorded client's timers were, in the trace's unit and in no order, if it was held to them.
  public var lateness: [Int] = []
  /// How many recorded actions were held against the machine's.
  public var acts: Int = 0
  /// A channel whose machine asked to be woken without end.
  public var runaway: Channel?

  /// Makes the outcome of nothing.
  public init() {}
}

extension Replayed {
  /// The lines of a golden, with the closing `end`.
  public var lines: [GoldenLine] {
    var lines = actions.map(\.line)
    lines.append(GoldenLine(.end, t: horizon))
    return lines
  }
}
