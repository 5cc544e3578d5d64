public import GoldwireReplay
public import GoldwireTrace

/// Predictions of requests and event streams, in the form in which they are scored: by the actions of a report.
public enum ActionScore {
  /// How late a real timer may be after the last instant that a prediction allows for, in microseconds.
  private static let lateness = 10_000

  /// The recorded actions; or, with other parameters, the recorded inputs verbatim.
  public static func steps(
    of trace: Trace, _ parameters: MachineParameters, tick: TickMode = .recorded
  ) throws -> [Step] {
    let (replayed, _) = try TraceReplay.replay(trace, parameters, options: ReplayOptions(tick: tick))
    return replayed.actions.map(\.line).compactMap { line in
      key(of: line).map { Step($0, t: line.t, cause: line.why?.description) }
    }
  }

  /// The product's prediction, and its verdict.
  public static func prediction(
    of trace: Trace, _ asked: MachineParameters
  ) throws -> (steps: [Step], verdict: CausalVerdict) {
    let report = try CausalReplay(trace, asked)
    let steps = report.actions.compactMap { action -> Step? in
      guard let key = key(of: action.line) else { return nil }
      return Step(
        key, t: action.line.t, earliest: action.earliest, latest: action.latest + lateness,
        cause: action.line.why?.description, grade: action.line.grade, proof: action.proof)
    }
    return (steps, report.verdict)
  }

  private static func key(of line: GoldenLine) -> Step.Key? {
    let number = line.channel?.number ?? 0
    switch line.action {
    case .send: return .init(.send, session: number, ordinal: line.attempt ?? 0)
    case .connect: return .init(.send, session: number, ordinal: line.generation ?? 0)
    case .stop: return .init(.stop, session: number)
    case .deliver: return .init(.deliver, session: number, ordinal: line.id ?? 0)
    case .commit: return .init(.commit, session: number, ordinal: line.cursor ?? 0)
    default: return nil
    }
  }

  /// What a change did to what was got, requests that were delivered or events, and to streams that were given up for
  /// their silence.
  public static func verdict(
    _ before: [Step], _ after: [Step], gaveUp: (before: [Int], after: [Int]), until edge: Int
  ) -> CausalVerdict {
    func got(_ steps: [Step], _ edge: Int) -> Set<Step.Key> {
      Set(
        steps.filter { $0.t <= edge && ($0.key.kind == .deliver || $0.cause == "delivered") }.map(\.key))
    }
    if !got(before, edge).isSubset(of: got(after, .max)) { return .regression }
    // Near the edge one may be a little ahead.
    if gaveUp.after.count(where: { $0 <= edge }) > gaveUp.before.count { return .regression }
    if gaveUp.before.count(where: { $0 <= edge }) > gaveUp.after.count { return .improvement }
    return got(after, edge).isSubset(of: got(before, .max)) ? .same : .improvement
  }

  /// When connections of event streams were given up for their silence.
  public static func gaveUp(_ trace: Trace) -> [Int] {
    trace.lines.compactMap { line in
      if case .sseCut(.local, _, _) = line.event { line.t } else { nil }
    }
  }
}
