internal import GoldwireMachines
internal import GoldwireTrace

/// What a client with other parameters would have done with one logical request.
struct RequestPrediction {
  let request: RecordedRequest
  let parameters: Retry.Parameters
  /// The runs, the likeliest world's first.
  let runs: [RequestRun]
  private let horizon: Int

  init(
    _ request: RecordedRequest, _ parameters: Retry.Parameters, inForce: Retry.Parameters, horizon: Int,
    best: Grade,
    knowsUnit: (Int) -> Bool
  ) {
    self.request = request
    self.parameters = parameters
    self.horizon = horizon
    let statuses = Array(Set(parameters.statuses + inForce.statuses))
    let factor = 1_000_000 / parameters.unit.perSecond
    // As many as matter: of others the unit is never asked for.
    let known = (1...request.attempts.count + 1).map(knowsUnit)
    runs = withoutActuallyEscaping(knowsUnit) { _ in
      RequestWorld.readings(request, statuses: statuses).flatMap { reading in
        [500_000, 0, 1_000_000].map { unit in
          var run = RequestRun(
            RequestWorld(request, reading, unit: unit, statuses: statuses), parameters, horizon: horizon,
            factor: factor, best: best, knowsUnit: { $0 <= known.count && known[$0 - 1] })
          run.run()
          return run
        }
      }
    }
  }

  // MARK: The part

  /// The prediction as one part of a report.
  func part(_ words: Words) -> CausalPart {
    var part = CausalPart(request.channel, req: request.req, .inconclusive)
    guard !request.hasHole, request.request != nil, let first = runs.first else {
      part.reasons = ["a hole in the recording lies in it, or before its first send"]
      return part
    }
    part.actions = first.steps.map(action)
    let then = request.outcome?.line
    let outcomes = runs.map(\.outcome)
    let isFirm = outcomes.allSatisfy { $0 == outcomes[0] } && !runs.contains(where: \.isCensored)
    let weakest = part.actions.compactMap(\.line.grade).min() ?? .observed
    if isFirm, weakest >= .interpolated {
      part.verdict = verdict(then?.why, outcomes[0])
      part.reasons = [told(then, part.actions.last { $0.line.action == .stop }?.line, words)]
    } else {
      part.reasons = doubts(then, outcomes, words)
    }
    part.branches = branches(then, outcomes, part.verdict)
    return part
  }

  private func verdict(_ then: ActionWord?, _ now: ActionWord?) -> CausalVerdict {
    // What had an end in the recording, and has none in it now, may end in any way.
    if then != nil, now == nil { return .inconclusive }
    return switch (then == "delivered", now == "delivered") {
    case (true, false): .regression
    case (false, true): then == nil ? .same : .improvement
    default: .same
    }
  }

  // MARK: Actions

  private func action(_ step: RequestRun.Step) -> CausalAction {
    var line = golden(step)
    let others = runs.map { run in run.steps.first { $0.action.isSame(as: step.action) } }
    let instants = others.compactMap { $0?.t }
    let agree = !others.contains { $0 == nil }
    line.grade = agree ? others.compactMap { $0?.grade }.min() : .unidentified
    return CausalAction(
      line, earliest: instants.min() ?? step.t, latest: instants.max() ?? step.t,
      proof: line.grade ?? step.grade,
      lines: step.lines)
  }

  private func golden(_ step: RequestRun.Step) -> GoldenLine {
    var line: GoldenLine
    switch step.action {
    case .send(let attempt): line = GoldenLine(.send, attempt: attempt)
    case .wait(let span, let attempt): line = GoldenLine(.wait, attempt: attempt, wait: span)
    case .stop(let outcome): line = GoldenLine(.stop, why: ActionWord(outcome.word))
    }
    (line.t, line.channel, line.req) = (step.t, request.channel, request.req)
    return line
  }

  private func branches(
    _ then: GoldenLine?, _ outcomes: [ActionWord?], _ verdict: CausalVerdict
  ) -> [CausalBranch] {
    var branches: [CausalBranch] = []
    var seen: [ActionWord] = []
    for (place, outcome) in outcomes.enumerated() {
      guard let outcome, !seen.contains(outcome), outcome != then?.why || verdict == .inconclusive,
        let stop = runs[place].steps.last
      else { continue }
      seen.append(outcome)
      let instants = runs.indices.filter { outcomes[$0] == outcome }.compactMap { runs[$0].steps.last?.t }
      let isFirm = instants.count == runs.count
      if verdict == .inconclusive, isFirm { continue }
      var line = golden(stop)
      line.grade = isFirm ? stop.grade : .unidentified
      branches.append(
        CausalBranch(
          isFirm ? .gained : .split, line, earliest: instants.min() ?? stop.t,
          latest: instants.max() ?? stop.t,
          worlds: instants.count, of: runs.count, lines: stop.lines))
    }
    return branches
  }

  // MARK: Words

  private func told(_ then: GoldenLine?, _ now: GoldenLine?, _ words: Words) -> String {
    guard let now, let why = now.why else {
      guard let then, let was = then.why else { return "it is under way when the recording ends, as it was" }
      return
        "it is under way when the recording ends, where the recorded client's ended as \(was) at "
        + "\(words.instant(then.t)): nobody knows how it would have ended"
    }
    guard let then, let was = then.why else {
      return "\(why) at \(words.instant(now.t)); the recording ends before it"
    }
    if was == why {
      return then.t == now.t
        ? "\(why) as it was" : "\(why) at \(words.instant(now.t)) in place of \(words.instant(then.t))"
    }
    return
      "\(why) at \(words.instant(now.t)), where the recorded client's ended as \(was) at \(words.instant(then.t))"
  }

  private func doubts(_ then: GoldenLine?, _ outcomes: [ActionWord?], _ words: Words) -> [String] {
    var lines: [String] = []
    if runs.contains(where: \.isCensored) {
      lines.append(
        "the recorded client gave up after \(Words.count(request.attempts.count, "send")): nobody knows whether one "
          + "more, or a later one, would have been answered; record a client that tries for longer")
    }
    let words = Set(outcomes.map { $0?.description ?? "under way at the recording's end" }).sorted()
    if words.count > 1 {
      lines.append(
        "it ends as \(words.joined(separator: " or ")): whether the server was back at an instant, or after so many "
          + "attempts, the recording does not tell")
    } else if lines.isEmpty {
      lines.append(
        "\(words.first ?? ""), but an earlier or an additional attempt may have changed what the server does: no more "
          + "than assumed")
    }
    return lines
  }
}

extension RequestRun {
  /// How it ended; nil where the recording ends before it, or cannot tell.
  var outcome: ActionWord? {
    guard case .stop(let outcome)? = steps.last?.action else { return nil }
    return ActionWord(outcome.word)
  }
}

extension Retry.Action {
  /// Whether both are the same, after whatever wait.
  fileprivate func isSame(as other: Retry.Action) -> Bool {
    switch (self, other) {
    case (.send(let one), .send(let two)): one == two
    case (.wait(_, let one), .wait(_, let two)): one == two
    case (.stop(let one), .stop(let two)): one == two
    default: false
    }
  }
}
