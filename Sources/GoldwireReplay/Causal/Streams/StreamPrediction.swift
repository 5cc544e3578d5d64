internal import GoldwireMachines
internal import GoldwireTrace

/// What a reader with other parameters would have done on one event stream.
struct StreamPrediction {
  let stream: RecordedStream
  let parameters: EventStream.Parameters
  let inForce: EventStream.Parameters
  /// The runs, the likeliest world's first, and the recorded client in the same model.
  let runs: [StreamRun]
  let before: StreamRun
  /// What each of them comes to.
  let (nows, then): ([StreamRun.Summary], StreamRun.Summary)
  private let index: [[StreamRun.Step.Key: StreamRun.Step]]

  init(
    _ stream: RecordedStream, _ parameters: EventStream.Parameters, inForce: EventStream.Parameters,
    horizon: Int,
    best: Grade, assumesHandled: Bool
  ) {
    self.stream = stream
    self.parameters = parameters
    self.inForce = inForce
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
    let isByContent = parameters.dedup == .idAndContent && inForce.dedup == .idAndContent
    (nows, then) = (runs.map { .init($0, isByContent) }, .init(before, isByContent))
    index = runs.map { run in
      Dictionary(run.steps.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
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
    let given = Set(before.steps.filter(\.isGivenUp).map(Instant.init))
    // Connections that the recorded reader gave up as well are told by the reconnection alone, as they are of a recording.
    part.actions = first.steps.filter { !$0.isGivenUp || !given.contains(Instant($0)) }.map(action)
    let judgement = judgement(part.actions.compactMap(\.line.grade).min() ?? .observed)
    part.verdict = judgement.verdict
    part.branches = judgement.harms.map(\.branch)
    part.reasons =
      [told(words)] + judgement.harms.prefix(Self.harmsTold).map { tell($0, words) }
      + (part.verdict == .inconclusive ? judgement.doubts + doubts(words, part) : [])
    return part
  }

  /// How many ends, and events, are told each.
  private static let harmsTold = 3

  /// Where and when a connection is given up.
  private struct Instant: Hashable {
    var generation: Int
    var t: Int

    init(_ step: StreamRun.Step) { (generation, t) = (step.generation, step.t) }
  }

  // MARK: Actions

  private func action(_ step: StreamRun.Step) -> CausalAction {
    let (grade, band) = firmness(of: step)
    var line = golden(step)
    line.grade = grade
    return CausalAction(
      line, earliest: band.lowerBound, latest: band.upperBound, proof: grade, lines: step.lines)
  }

  /// In how many runs a step is.
  func worlds(with step: StreamRun.Step) -> Int { index.count { $0[step.key] != nil } }

  /// The least grade that a step has in any run, and its first and last instant; not identified where a run lacks it.
  func firmness(of step: StreamRun.Step) -> (grade: Grade, band: ClosedRange<Int>) {
    let found = index.compactMap { $0[step.key] }
    let instants = found.map(\.t)
    let grade = found.count < runs.count ? .unidentified : found.map(\.grade).min() ?? step.grade
    return (grade, (instants.min() ?? step.t)...(instants.max() ?? step.t))
  }

  func golden(_ step: StreamRun.Step) -> GoldenLine {
    var line: GoldenLine
    switch step.action {
    case .connect(let cursor): line = GoldenLine(.connect, cursor: cursor)
    case .deliver(let n): line = GoldenLine(.deliver, n: n, id: step.id)
    case .skip(let n): line = GoldenLine(.skip, n: n, id: step.id)
    case .commit(let cursor): line = GoldenLine(.commit, cursor: cursor)
    case .stop(let why): line = GoldenLine(.stop, why: ActionWord(why.rawValue))
    case .note(let note): line = GoldenLine(.note, why: ActionWord(note.rawValue))
    case nil: line = GoldenLine(.close, why: "idle")
    }
    (line.t, line.channel, line.generation) = (step.t, stream.channel, step.generation)
    return line
  }

  // MARK: Words

  private func told(_ words: Words) -> String {
    guard let now = nows.first else { return "" }
    var parts = [
      "\(count(now.connects, then.connects, "connection")), \(count(now.effects.count, then.effects.count, "event")) delivered"
    ]
    let (twice, was) = (now.effects.values.count { $0 > 1 }, then.effects.values.count { $0 > 1 })
    if twice != was { parts.append(count(twice, was, "event") + " delivered more than once") }
    if now.givenUp != then.givenUp {
      parts.append(count(now.givenUp, then.givenUp, "connection") + " given up for silence")
    }
    if now.stop != then.stop { parts.append("stops: \(now.stop?.rawValue ?? "no more")") }
    if let caughtUp = catchUp(runs.first), let was = catchUp(before), caughtUp != was {
      parts.append("events wait \(words.span(caughtUp)) at worst in place of \(words.span(was))")
    }
    return parts.joined(separator: "; ")
  }

  private func tell(_ harm: Harm, _ words: Words) -> String {
    let line = harm.branch.line
    let (connection, at) = ("connection \(line.generation ?? 0)", words.instant(line.t))
    let event = line.id.map { "event \(Words.pseudonym($0))" } ?? "an event without an id"
    let told =
      switch harm.kind {
      case .givenUp:
        "\(connection) is given up at \(at), for a silence that the recorded reader lived through"
      case .stopped: "the reader stops at \(at): \(line.why.map(\.description) ?? "")"
      case .twice: "\(event) has one effect more at \(at), on \(connection)"
      case .lost: "\(event), which was delivered at \(at) on \(connection), is not"
      }
    return harm.branch.kind == .split
      ? "in \(harm.branch.worlds) of \(harm.branch.of) worlds " + told : told
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
