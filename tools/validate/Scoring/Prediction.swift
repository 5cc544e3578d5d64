internal import GoldwireMachines
public import GoldwireReplay
public import GoldwireTrace

/// What was predicted of a run, in the form in which it is scored.
public struct Prediction: Equatable, Sendable {
  /// The likeliest world's steps.
  public var steps: [Step]
  /// What ends sessions.
  public var ends: [PredictedEnd]
  /// What is said of the change.
  public var verdict: CausalVerdict
  /// Whether the recorded client looks like none that had the parameters in force.
  public var isDoubted = false

  /// Makes a prediction.
  public init(steps: [Step], ends: [PredictedEnd] = [], verdict: CausalVerdict = .inconclusive) {
    self.steps = steps
    self.ends = ends
    self.verdict = verdict
  }

  /// The product's own, of a trace with one WebSocket channel; `shift` moves all that it infers, in microseconds.
  public init(
    of trace: Trace, asked parameters: MachineParameters, assumptions: CausalAssumptions,
    movedBy shift: Int = 0
  ) throws {
    let study = try CausalStudy(trace, parameters, assumptions: assumptions, movedBy: shift)
    steps = study.steps.map { step in
      let kind: Step.Kind =
        switch step.kind {
        case .connect: .connect
        case .open: .open
        case .ping: .ping
        case .answer: .answer
        case .end: .end
        }
      return Step(
        .init(kind, session: step.session, ordinal: step.ordinal, hasFailed: step.hasFailed), t: step.t,
        earliest: step.earliest, latest: step.latest, cause: step.cause?.rawValue, grade: step.grade,
        proof: step.proof)
    }
    ends = study.ends.map { end in
      PredictedEnd(
        earliest: end.earliest, latest: end.latest, cause: end.cause.rawValue, isFirm: end.isFirm,
        grade: end.grade)
    }
    verdict = study.verdict
    isDoubted = study.isDoubted
  }
}
