internal import GoldwireTrace

/// Holds the goldens of one trace against replays of it, and writes what may be written.
struct GoldenCheck {
  let job: TestPlan.Job
  let workspace: Workspace
  let options: TestOptions

  /// What came of the trace's goldens, and what the lock should keep.
  struct Outcome: Sendable {
    var results: [TestResult] = []
    var locked: [String: MachineParameters] = [:]
    var warnings: [String] = []
  }

  func run() -> Outcome {
    var outcome = Outcome()
    if let error = workspace.error { return failing(error) }
    if let twin = job.twin {
      return failing(
        ReplayError(path: job.path, "has the same goldens as \(twin) beside it; keep one of the two traces"))
    }
    let trace: Trace
    do { trace = try Trace.load(path: job.path) } catch { return failing(ReplayError(error, path: job.path)) }
    outcome.warnings = Self.warnings(trace, job.path)
    for golden in job.goldens { check(golden, trace, &outcome) }
    guard job.isWhole else { return outcome }
    let driven = TraceReplay.machines(drivenBy: trace)
    if driven.isEmpty, job.goldens.isEmpty {
      var result = TestResult(trace: job.path, .empty)
      result.explanation = [Self.drivesNothing(trace.header)]
      outcome.results.append(result)
    }
    let required = driven.filter { workspace.configuration.machines?.contains($0) ?? true }
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

  // MARK: A golden that is there

  private func check(_ golden: TestPlan.Golden, _ trace: Trace, _ outcome: inout Outcome) {
    var result = TestResult(
      trace: job.path, golden: golden.path, machine: golden.name.machine, .error)
    do {
      let file = try read(golden, trace)
      let parameters = try ParameterSource.resolve(
        file.header, golden.name.machine, trace.header, workspace.configuration, options.overrides)
      let question = Question(
        trace: trace, parameters: parameters, tick: file.header.tick, detail: file.header.detail)
      try compare(file, question, golden, &result, &outcome)
      if options.ties { try searchTies(question, &result) }
    } catch {
      let error = ReplayError(error, path: golden.path)
      result.verdict = .error
      result.explanation = [error.description]
    }
    outcome.results.append(result)
  }

  private func read(_ golden: TestPlan.Golden, _ trace: Trace) throws -> Golden {
    let file = try Golden(bytes: AtomicFile.read(golden.path))
    guard file.header.trace == job.file else {
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
      since: workspace.key(golden.path).flatMap { workspace.lock.entries[$0] }
        .map { question.parameters.changes(since: $0) } ?? [])
    telling.judge(file.header, &result)
    guard options.update != .none else { return }
    let mayWrite =
      result.verdict == .shifted || result.verdict == .changed
      || result.verdict == .outcome && (options.update == .outcomes || golden.isNamed)
    if result.verdict == .same || mayWrite, let key = workspace.key(golden.path) {
      outcome.locked[key] = question.parameters
    }
    guard mayWrite else { return }
    var header = file.header
    header.assume = answer.assume
    header.tick = question.effectiveTick
    try AtomicFile.write(Golden(header: header, lines: lines).bytes(), to: golden.path)
    result.isWritten = true
  }

  // MARK: A golden that is not there

  private func missing(_ machine: MachineName, _ trace: Trace, _ outcome: inout Outcome) {
    let name = GoldenName(stem: job.stem, machine: machine)
    let path = Disk.join(job.folder, name.file)
    var result = TestResult(trace: job.path, golden: path, machine: machine, .missing)
    guard options.recordsMissing else {
      result.explanation = [
        "the trace drives \(machine.rawValue), and there is no golden of it",
        "to make it: goldwire test --record missing \(job.path.quoted)",
      ]
      outcome.results.append(result)
      return
    }
    do {
      try record(machine, trace, path, &result, &outcome)
    } catch {
      result.verdict = .error
      result.explanation = [ReplayError(error, path: job.path).description]
    }
    outcome.results.append(result)
  }

  private func record(
    _ machine: MachineName, _ trace: Trace, _ path: String, _ result: inout TestResult,
    _ outcome: inout Outcome
  ) throws {
    if ParameterSource.inForce(machine, trace.header) == nil, trace.header.source != .written {
      result.verdict = .inconclusive
      result.explanation = Telling.unknownInForce(machine)
      return
    }
    let source = try ParameterSource.forNewGolden(machine, trace.header, workspace.configuration)
    let tick = TickMode.standard(for: trace.header.source)
    var header = GoldenHeader(
      trace: job.file, machine: ActionWord(machine.rawValue) ?? .note, parameters: source, tick: tick,
      unit: trace.header.unit)
    let parameters = try ParameterSource.resolve(
      header, machine, trace.header, workspace.configuration, ParameterTable())
    var question = Question(trace: trace, parameters: parameters, tick: tick, detail: nil)
    question.isNew = true
    if question.doubt == .blindTimes {
      result.verdict = .inconclusive
      result.explanation = Telling.blindTimes
      return
    }
    let answer = try question.answer()
    header.detail = answer.detail
    header.assume = answer.assume
    header.tick = question.effectiveTick
    try AtomicFile.write(Golden(header: header, lines: answer.lines).bytes(), to: path)
    result.isWritten = true
    result.actions = answer.replayed.actions.count
    result.explanation = ["written with \(parameters.words): \(Words.count(answer.actions.count, "action"))"]
    if let key = workspace.key(path) { outcome.locked[key] = parameters }
  }

  private func searchTies(_ question: Question, _ result: inout TestResult) throws(ReplayError) {
    let words = Words(question.trace.header.unit, workspace.configuration)
    let (checked, findings) = try TieSearch(question: question, words: words).findings()
    result.ties = findings.count
    result.explanation += findings.flatMap(\.lines)
    if checked > 0, findings.isEmpty {
      result.explanation.append("\(Words.count(checked, "tie")) taken in both orders: the same actions")
    }
  }
}
