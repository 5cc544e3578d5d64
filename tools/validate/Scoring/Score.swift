internal import GoldwireMachines
public import GoldwireReplay
internal import GoldwireTrace

/// What came of one experiment.
public struct Score: Sendable {
  /// Who predicts.
  public enum Method: String, CaseIterable, Sendable {
    /// The product.
    case causal
    /// The recorded replies at their recorded instants.
    case verbatim
    /// The k-th recorded reply answers the k-th ping, as late as it was.
    case ordinal
    /// Every ping is answered after the least round trip that was recorded.
    case constant
    /// One who knows the script.
    case oracle
    /// The same run once more.
    case again
    /// The product, with all that it infers moved by a few intervals.
    case placebo
  }

  /// The firm end of a session, judged.
  public struct FirmEnd: Equatable, Sendable {
    /// How firm.
    public var grade: Grade
    /// Whether a session ended then, for that reason.
    public var isRight: Bool
  }

  /// What the runs have in common.
  public var setting: Experiment.Setting
  /// Where the recording was taken.
  public var vantage: Experiment.Vantage
  /// How each method did; the placebo only where it can matter.
  public var outcomes: [Method: Outcome] = [:]
  /// The firm ends that were predicted.
  public var ends: [FirmEnd] = []
  /// The observed and bounded lines that a second run, in which chance was otherwise, has too.
  public var repeated = Rate()
  /// What was said of the change.
  public var verdict: CausalVerdict
  /// What it did.
  public var truth: CausalVerdict
  /// Whether the interval is another.
  public var isInterval = false
  /// Whether it is longer.
  public var isLonger = false
  /// The timeout that is asked, in microseconds.
  public var timeout = 0
  /// Whether the recording asked with what was in force is the recording, observed throughout.
  ///
  /// Nil where it cannot be: a capture's client may look like none that had those parameters, since its bytes waited.
  public var isIdentity: Bool?

  /// A score that was found otherwise: of another machine than the heartbeat.
  public init(
    _ setting: Experiment.Setting, _ vantage: Experiment.Vantage, outcomes: [Method: Outcome],
    verdict: CausalVerdict, truth: CausalVerdict
  ) {
    (self.setting, self.vantage, self.outcomes) = (setting, vantage, outcomes)
    (self.verdict, self.truth) = (verdict, truth)
  }

  /// Scores an experiment.
  ///
  /// Throws where the product refuses to answer.
  public init(_ experiment: Experiment) throws {
    (setting, vantage) = (experiment.setting, experiment.vantage)
    guard let values = experiment.recorded.header.inForce?[.heartbeat] else {
      throw ReplayError("the recording does not say what was in force")
    }
    let old = try MachineParameters(.heartbeat, values)
    let asked = experiment.asked
    let window = try Window(old, asked: asked, horizon: experiment.recorded.horizon)
    let was = try SocketSteps.steps(of: experiment.truth, asked)
    let prediction = try Prediction(
      of: experiment.recorded, asked: asked, assumptions: experiment.assumptions)
    outcomes[.causal] = Outcome(prediction.steps, against: was, window)
    verdict = prediction.verdict
    let recorded = try SocketSteps.steps(of: experiment.recorded, old)
    truth = Self.verdict(recorded, was, window)
    ends = Self.judge(prediction.ends, was, window)
    let intervals = (try old.heartbeat(.us).interval, try asked.heartbeat(.us).interval)
    timeout = try asked.heartbeat(.us).timeout
    (isInterval, isLonger) = (intervals.0 != intervals.1, intervals.1 > intervals.0)
    try compare(experiment, old, was, window)
    isIdentity = try Self.isIdentity(experiment, old, recorded)
  }

  /// The same with lines marked that are wrong where a second run was not like the first one, on sockets and clocks that
  /// nobody holds still.
  public func excused(by again: [Step], _ truth: [Step], _ window: Window) -> Score {
    var score = self
    score.outcomes[.causal]?.excuse(by: again, truth, window)
    return score
  }

  private mutating func compare(
    _ experiment: Experiment, _ old: MachineParameters, _ was: [Step], _ window: Window
  ) throws {
    let (recorded, asked) = (experiment.recorded, experiment.asked)
    func add(_ method: Method, _ steps: [Step]) {
      outcomes[method] = Outcome(steps, against: was, window)
    }
    add(.verbatim, try SocketSteps.steps(of: recorded, asked, tick: .exact))
    add(.ordinal, try NaiveClient.steps(of: recorded, old, asked: asked, .ordinal))
    add(.constant, try NaiveClient.steps(of: recorded, old, asked: asked, .constant))
    if let oracle = experiment.oracle { add(.oracle, try SocketSteps.steps(of: oracle, asked)) }
    if let again = experiment.again {
      let steps = try SocketSteps.steps(of: again, asked)
      add(.again, steps)
      let proved = outcomes[.causal]?.reported.filter { ($0.grade ?? .unidentified) >= .bounded } ?? []
      for line in Outcome(proved.map(\.step), against: steps, window).lines { repeated.add(line.isRight) }
    }
    guard isInterval else { return }
    let interval = try old.heartbeat(.us).interval
    // Between two and four intervals, by the seed.
    let shift = 2 * interval + (experiment.setting.seed % 5) * interval / 2
    let moved = try Prediction(
      of: recorded, asked: asked, assumptions: experiment.assumptions, movedBy: shift)
    add(.placebo, moved.steps)
  }

  // MARK: Ends and verdicts

  /// A firm end is right if a session ended for that reason between its bounds.
  static func judge(_ ends: [PredictedEnd], _ was: [Step], _ window: Window) -> [FirmEnd] {
    let known = was.filter { $0.key.kind == .end && !$0.key.hasFailed }
    return ends.filter { $0.isFirm && $0.latest <= window.until }.map { end in
      FirmEnd(
        grade: end.grade,
        isRight: known.contains { step in
          step.cause == end.cause && step.t >= end.earliest - window.endTolerance
            && step.t <= end.latest + window.endTolerance
        })
    }
  }

  /// What a change did: an end where the recording had none is worse than one that is gone is good.
  static func verdict(_ recorded: [Step], _ was: [Step], _ window: Window) -> CausalVerdict {
    func ends(_ steps: [Step]) -> [Int] {
      steps.filter { $0.key.kind == .end && !$0.key.hasFailed }.map(\.t)
    }
    let (before, after) = (ends(recorded), ends(was))
    func isIn(_ ends: [Int], _ t: Int) -> Bool { ends.contains { abs($0 - t) <= window.reach } }
    if after.contains(where: { $0 <= window.until && !isIn(before, $0) }) { return .regression }
    return before.contains { $0 <= window.until && !isIn(after, $0) } ? .improvement : .same
  }

  /// With what was in force, all that was done is predicted at its instant, and observed.
  private static func isIdentity(
    _ experiment: Experiment, _ old: MachineParameters, _ recorded: [Step]
  ) throws -> Bool? {
    let same = try Prediction(of: experiment.recorded, asked: old, assumptions: experiment.assumptions)
    let (left, right) = (same.steps.filter(\.key.kind.isReported), recorded.filter(\.key.kind.isReported))
    if same.isDoubted, experiment.vantage == .capture { return nil }
    return left.allSatisfy { $0.grade == .observed } && left.map(\.key) == right.map(\.key)
      && left.map(\.cause) == right.map(\.cause) && zip(left, right).allSatisfy { abs($0.t - $1.t) <= 1 }
  }
}
