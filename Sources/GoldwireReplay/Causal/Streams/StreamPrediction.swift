internal import GoldwireMachines
internal import GoldwireTrace

/// What a reader with other parameters would have done on one event stream.
struct StreamPrediction {
  let stream: RecordedStream
  let parameters: EventStream.Parameters
  /// The runs, the likeliest world's first, and the recorded client in the same model.
  let runs: [StreamRun]
  let before: StreamRun
  private let horizon: Int

  init(
    _ stream: RecordedStream, _ parameters: EventStream.Parameters, inForce: EventStream.Parameters,
    horizon: Int,
    best: Grade, assumesHandled: Bool
  ) {
    self.stream = stream
    self.parameters = parameters
    self.horizon = horizon
    let second = parameters.unit.perSecond
    func run(
      _ back: StreamWorld.Instant, _ known: StreamWorld.Instant, _ parameters: EventStream.Parameters
    ) -> StreamRun {
      let world = StreamWorld(
        stream, back: back, known: known, second: second, patience: parameters.idle)
      var run = StreamRun(
        world, parameters, horizon: horizon, best: best, assumesHandled: assumesHandled,
        patience: inForce.idle)
      run.run()
      return run
    }
    runs = [
      run(.likely, .likely, parameters), run(.late, .late, parameters), run(.early, .early, parameters),
      run(.early, .late, parameters), run(.late, .early, parameters),
    ]
    before = run(.late, .late, inForce)
  }

  // MARK: The part

  /// The prediction as one part of a report.
  func part(_ words: Words) -> CausalPart {
    var part = CausalPart(stream.channel, .inconclusive)
    guard !stream.hasHole, let first = runs.first, !stream.connections.isEmpty else {
      part.reasons = [
        "a hole in the recording lies in it, or it was open before: record from its first connection on"
      ]
      return part
    }
    part.actions = first.steps.map(action)
    let weakest = part.actions.compactMap(\.line.grade).min() ?? .observed
    let isFirm = runs.allSatisfy { $0.summary == first.summary && !$0.isCensored }
    let isSettled = isFirm && weakest >= .interpolated
    let (now, then) = (first.summary, before.summary)
    let isWorse =
      now.stop != then.stop && now.stop != nil || now.givenUp > then.givenUp
      || !then.effects.isSubset(of: now.effects)
    let isBetter =
      now.stop != then.stop && then.stop != nil || now.givenUp < then.givenUp
      || !now.effects.isSubset(of: then.effects)
    if isSettled { part.verdict = isWorse ? .regression : isBetter ? .improvement : .same }
    part.reasons = [told(words)] + (isSettled ? [] : doubts(words, part))
    part.branches = branches(part.verdict)
    return part
  }

  // MARK: Actions

  private func action(_ step: StreamRun.Step) -> CausalAction {
    let others = runs.map { run in run.steps.first { $0.isSame(as: step) } }
    let instants = others.compactMap { $0?.t }
    var line = golden(step)
    line.grade = others.contains { $0 == nil } ? .unidentified : others.compactMap { $0?.grade }.min()
    return CausalAction(
      line, earliest: instants.min() ?? step.t, latest: instants.max() ?? step.t,
      proof: line.grade ?? step.grade,
      lines: step.lines)
  }

  private func golden(_ step: StreamRun.Step) -> GoldenLine {
    var line: GoldenLine
    switch step.action {
    case .connect(let cursor): line = GoldenLine(.connect, cursor: cursor)
    case .deliver(let n): line = GoldenLine(.deliver, n: n, id: step.id)
    case .skip(let n): line = GoldenLine(.skip, n: n, id: step.id)
    case .commit(let cursor): line = GoldenLine(.commit, cursor: cursor)
    case .stop(let why): line = GoldenLine(.stop, why: ActionWord(why.rawValue))
    case .note(let note): line = GoldenLine(.note, why: ActionWord(note.rawValue))
    }
    (line.t, line.channel, line.generation) = (step.t, stream.channel, step.generation)
    return line
  }

  /// Connections that are given up for their silence, and stops that the recorded reader did not come to.
  private func branches(_ verdict: CausalVerdict) -> [CausalBranch] {
    guard let first = runs.first, verdict == .regression else { return [] }
    return first.steps.filter { step in
      if case .stop = step.action { return before.summary.stop == nil }
      return step.isIdle && !before.steps.contains { $0.isIdle && $0.t == step.t }
    }.map { step in
      var line = golden(step)
      line.grade = step.grade
      return CausalBranch(
        .gained, line, earliest: step.t, latest: step.t, worlds: runs.count, of: runs.count, lines: step.lines
      )
    }
  }

  // MARK: Words

  private func told(_ words: Words) -> String {
    guard let now = runs.first?.summary else { return "" }
    let then = before.summary
    var parts = [
      "\(count(now.connects, then.connects, "connection")), \(count(now.effects.count, then.effects.count, "event")) delivered"
    ]
    if now.givenUp != then.givenUp {
      parts.append(count(now.givenUp, then.givenUp, "connection") + " given up for silence")
    }
    if now.stop != then.stop { parts.append("stops: \(now.stop?.rawValue ?? "no more")") }
    if let caughtUp = catchUp(runs.first), let was = catchUp(before), caughtUp != was {
      parts.append("events wait \(words.span(caughtUp)) at worst in place of \(words.span(was))")
    }
    return parts.joined(separator: "; ")
  }

  private func count(_ now: Int, _ then: Int, _ noun: String) -> String {
    now == then ? Words.count(now, noun) : "\(Words.count(now, noun)) in place of \(then)"
  }

  /// The longest that an event was there without being delivered.
  func catchUp(_ run: StreamRun?) -> Int? {
    guard let run else { return nil }
    let known = StreamWorld(
      stream, back: .early, known: .early, second: parameters.unit.perSecond, patience: nil
    ).log
    var first: [Int: Int] = [:]
    for entry in known { if let id = entry.id, first[id] == nil { first[id] = entry.at } }
    return run.steps.compactMap { step -> Int? in
      guard case .deliver = step.action, let id = step.id, let at = first[id] else { return nil }
      return max(0, step.t - at)
    }.max()
  }

  private func doubts(_ words: Words, _ part: CausalPart) -> [String] {
    var lines: [String] = []
    if runs.contains(where: \.isCensored) {
      lines.append(
        "a request falls behind the last one that was recorded: nobody knows what it would have met")
    }
    if let doubtful = part.actions.first(where: { ($0.line.grade ?? .observed) < .interpolated }) {
      lines.append(
        "from \(words.instant(doubtful.line.t)) on it matters when the server was back, or what it had to say, between two "
          + "recorded requests: no more is known than that the one failed, or the stream was cut, and the other did not"
      )
    }
    return lines
  }
}

extension StreamRun {
  /// What a verdict is taken from.
  struct Summary: Equatable {
    var connects = 0
    /// The lines of the events that were delivered.
    var effects: Set<Int> = []
    var givenUp = 0
    var stop: EventStream.Stop?
  }

  var summary: Summary {
    var summary = Summary(givenUp: givenUp.count)
    for step in steps {
      switch step.action {
      case .connect: summary.connects += 1
      case .deliver: summary.effects.insert(step.id.map { -$0 } ?? step.lines.first ?? 0)
      case .stop(let why): summary.stop = why
      case .skip, .commit, .note: break
      }
    }
    return summary
  }
}

extension StreamRun.Step {
  /// Whether both are the same action, of the same event.
  fileprivate func isSame(as other: StreamRun.Step) -> Bool {
    action == other.action && generation == other.generation && id == other.id
  }
}
