public import GoldwireMachines

/// What one machine was told in a replay and what it did, in order: what an invariant is asked of.
public struct History<Subject: Machine>: Sendable {
  /// One thing that happened.
  public enum What: Sendable {
    /// The machine was told of an event.
    case event(Subject.Event)
    /// The machine was woken.
    case tick
    /// The machine did this, because of the latest event or tick.
    case action(Subject.Action)
    /// The machine was made anew after a hole in the recording.
    case renewed
  }

  /// One thing that happened, and when.
  public struct Moment: Sendable {
    /// The instant, in the trace's unit.
    public let at: Int
    /// The index of the trace's line that an event is from; nil for all else.
    public let line: Int?
    /// What happened.
    public let what: What
  }

  /// All that happened, in order.
  public internal(set) var moments: [Moment] = []
  /// The last instant of the recording.
  public internal(set) var horizon = 0
  /// Whether the machine ran to the end, and was not put out of step by a hole in the recording.
  public internal(set) var isWhole = true
  /// When the machine wanted to be woken, in the order of its wishes.
  var wishes: [Int] = []
  /// The moment after which a tick before its time would have done something.
  var earlyTick: Int?
  var scan: TraceScan?

  init() {}
}

extension History {
  /// The instant at which a timer that is due at `instant` runs: later where the process did not run then.
  public func run(of instant: Int) -> Int { scan?.afterPause(instant) ?? instant }

  /// Whether a timer that was due at `instant` has had its turn before an input at `now`.
  ///
  /// At one instant the recorded lines come first.
  func isOver(_ instant: Int, before now: Int) -> Bool { run(of: instant) < now }

  /// The inputs, each with the actions that it brought; `index` is the input's place in ``moments``.
  func forEachInput(_ body: (_ index: Int, _ actions: ArraySlice<Moment>) -> Bool) {
    var index = 0
    while index < moments.count {
      var end = index + 1
      while end < moments.count, moments[end].isAction { end += 1 }
      if !body(index, moments[(index + 1)..<end]) { return }
      index = end
    }
  }
}

extension History.Moment {
  var isAction: Bool { if case .action = what { true } else { false } }
}
