internal import GoldwireTrace

/// Holds the goldens of one trace against replays of it, and writes what may be written.
struct GoldenCheck {
  let job: TestPlan.Job
  let workspace: Workspace
  let options: TestOptions
  let pools: PoolShelf

  /// What came of the trace's goldens, and what the lock should keep.
  struct Outcome: Sendable {
    var results: [TestResult] = []
    var locked: [String: MachineParameters] = [:]
    /// Goldens that are gone, and that the lock should forget, as was asked.
    var forgotten: [String] = []
    var warnings: [String] = []
  }

  func run() -> Outcome {
    var outcome = Outcome()
    if let twin = job.twin {
      return failing(
        ReplayError(path: job.path, "has the same goldens as \(twin) beside it; keep one of the two traces"))
    }
    let trace: Trace
    do { trace = try Trace.load(path: job.path) } catch { return failing(ReplayError(error, path: job.path)) }
    outcome.warnings = Self.warnings(trace, job.path)
    if let foreign = options.foreign {
      // It is held against the goldens of the machine that it stands for; the others are not its own.
      for golden in job.goldens where golden.name.machine == foreign.session.machine {
        check(golden, trace, &outcome)
      }
      return outcome
    }
    for golden in job.goldens { check(golden, trace, &outcome) }
    for gone in job.gone { missing(gone, trace, &outcome) }
    guard job.isWhole else { return outcome }
    let driven = TraceReplay.machines(drivenBy: trace)
    let required = driven.filter { workspace.configuration.machines?.contains($0) ?? true }
    if driven.isEmpty || required.isEmpty && outcome.results.isEmpty {
      var result = TestResult(trace: job.path, .empty)
      result.explanation = [
        driven.isEmpty ? Self.drivesNothing(trace.header) : Self.drivesOthers(driven)
      ]
      outcome.results.append(result)
    }
    for machine in required where !job.goldens.contains(where: { $0.name.machine == machine }) {
      missing(machine, trace, &outcome)
    }
    return outcome
  }

  private func failing(_ error: ReplayError) -> Outcome {
    var result = TestResult(trace: job.path, .error)
    result.explanation = [error.description]
    return Outcome(results: [result])
  }

  /// What a reader should know of a trace that was read: a torn end, and what was passed over.
  private static func warnings(_ trace: Trace, _ path: String) -> [String] {
    var warnings: [String] = []
    if trace.isTorn { warnings.append("\(path): the end is torn; it was read up to its last whole line") }
    if let line = trace.skipped.firstLine {
      let (events, keys) = (trace.skipped.events, trace.skipped.keys)
      let unknown = [
        events > 0 ? Words.count(events, "event") : nil, keys > 0 ? Words.count(keys, "key") : nil,
      ].compactMap(\.self).joined(separator: " and ")
      warnings.append("\(path):\(line): \(unknown) of a newer version passed over, the first here")
    }
    return warnings
  }

  private static func drivesNothing(_ header: TraceHeader) -> String {
    let isBlind = header.blind.contains(.wsPing) || header.blind.contains(.wsPong)
    return "it drives no machine: no WebSocket, request or event stream begins in it"
      + (isBlind ? " whose pings and pongs its source can see" : "")
      + "; take it out of the folder, or record more"
  }

  private static func drivesOthers(_ driven: [MachineName]) -> String {
    "it drives \(driven.map(\.rawValue).joined(separator: ", ")) alone, which the machines of "
      + "\(Configuration.file) leave out, and it has no golden; name the machine there, or take the trace away"
  }

  // MARK: A golden that is there

  private func check(_ golden: TestPlan.Golden, _ trace: Trace, _ outcome: inout Outcome) {
    var result = TestResult(
      trace: job.path, golden: golden.path, machine: golden.name.machine, .error)
    do {
      let file = try read(golden, trace)
      let parameters = try ParameterSource.resolve(
        file.header, golden.name.machine, trace.header, workspace.configuration, options.overrides)
      var question = Question(
        trace: trace, parameters: parameters, tick: file.header.tick, detail: file.header.detail)
      question.foreign = options.foreign
      if options.foreign != nil, file.header.mode == .causal || question.doubt == .otherInForce {
        result.verdict = .inconclusive
        result.explanation = [
          "a prediction, which only the built-in machines can make; a machine of another language is replayed as recorded"
        ]
        outcome.results.append(result)
        return
      }
      if file.header.mode == .causal || question.doubt == .otherInForce {
        try compareCausally(file, question, golden, &result, &outcome)
      } else {
        try compare(file, question, golden, &result, &outcome)
        if options.ties { try searchTies(question, &result) }
      }
    } catch {
      let error = ReplayError(error, path: golden.path)
      result.verdict = .error
      result.explanation = [error.description]
    }
    outcome.results.append(result)
  }

  private func read(_ golden: TestPlan.Golden, _ trace: Trace) throws -> Golden {
    let file = try Golden(bytes: AtomicFile.read(golden.path))
    // A trace may be compressed, or inflated, after its goldens were written.
    guard file.header.trace == job.file || GoldenName.stem(ofTrace: file.header.trace) == job.stem else {
      throw ReplayError(
        line: 1, "is of another trace than its name says; expected \"trace\" to name \(job.file)")
    }
    guard file.header.builtIn == golden.name.machine else {
      throw ReplayError(
        line: 1,
        "is of another machine than its name says; expected \"machine\" to be \(golden.name.machine.rawValue)"
      )
    }
    guard file.header.unit == trace.header.unit else {
      throw ReplayError(
        line: 1, "counts in another unit than its trace; expected \(trace.header.unit.rawValue)")
    }
    return file
  }

  private func compare(
    _ file: Golden, _ question: Question, _ golden: TestPlan.Golden, _ result: inout TestResult,
    _ outcome: inout Outcome
  ) throws {
    let answer = try question.answer()
    let lines = answer.lines
    result.actions = answer.replayed.actions.count
    let comparison = Comparison(want: file.lines, got: lines)
    let telling = Telling(
      comparison: comparison, question: question, answer: answer, golden: golden.path,
      words: Words(question.trace.header.unit, workspace.configuration),
      since: comparison.verdict == .same ? [] : since(golden, question.parameters),
      showsAll: options.showsAll, configuration: workspace.configuration)
    telling.judge(file.header, &result)
    let mayWrite =
      result.verdict == .shifted || result.verdict == .changed
      ? options.update != .none
      : result.verdict == .outcome
        && (options.update == .outcomes || options.update == .actions && golden.isNamed)
    if mayWrite {
      var header = file.header
      header.assume = answer.assume
      header.tick = question.effectiveTick
      try AtomicFile.write(Golden(header: header, lines: lines).bytes(), to: golden.path)
      result.isWritten = true
    } else if options.foreign == nil, let acceptance = telling.acceptance(result.verdict) {
      result.explanation.append(acceptance)
    }
    guard options.update != .none, mayWrite || result.verdict == .same, let key = job.key(golden) else {
      return
    }
    outcome.locked[key] = question.parameters
  }

  /// What was changed since the golden was written.
  func since(_ golden: TestPlan.Golden, _ parameters: MachineParameters) -> [String] {
    job.key(golden).flatMap { workspace.lock.entries[$0] }.map { parameters.changes(since: $0) } ?? []
  }

  func searchTies(_ question: Question, _ result: inout TestResult) throws(ReplayError) {
    let words = Words(question.trace.header.unit, workspace.configuration)
    let (checked, findings) = try TieSearch(question: question, words: words).findings()
    result.ties = findings.count
    result.explanation += findings.flatMap(\.lines)
    if checked > 0, findings.isEmpty {
      result.explanation.append("\(Words.count(checked, "tie")) taken in both orders: the same actions")
    }
  }
}
