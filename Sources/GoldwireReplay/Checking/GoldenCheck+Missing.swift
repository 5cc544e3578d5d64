internal import GoldwireTrace

/// Goldens that are not there: told, made, or forgotten, as was asked.
extension GoldenCheck {
  /// A golden that a machine must have, and that was perhaps never made.
  func missing(_ machine: MachineName, _ trace: Trace, _ outcome: inout Outcome) {
    let name = GoldenName(stem: job.stem, machine: machine)
    let golden = TestPlan.Golden(path: Disk.join(job.folder, name.file), name: name, isNamed: false)
    // What the lock knows of it, or what stands in its place, has been told.
    guard !job.gone.contains(where: { $0.golden.path == golden.path }), Disk.kind(of: golden.path) == .absent
    else { return }
    tell(
      golden, trace, nil,
      [
        "the trace drives \(machine.rawValue), and there is no golden of it",
        "to make it: goldwire test --record missing \(job.path.quoted)",
      ], &outcome)
  }

  /// A golden that the lock knows.
  func missing(_ gone: TestPlan.Gone, _ trace: Trace, _ outcome: inout Outcome) {
    let golden = gone.golden
    let isAccepted = options.update == .outcomes || options.update == .actions && golden.isNamed
    if isAccepted, !options.recordsMissing, let key = job.key(golden) {
      var result = TestResult(trace: job.path, golden: golden.path, machine: golden.name.machine, .missing)
      result.explanation = ["\(Lock.file) no more knows this golden, which is gone"]
      result.isForgotten = true
      outcome.forgotten.append(key)
      outcome.results.append(result)
      return
    }
    tell(
      golden, trace, gone.parameters,
      [
        "\(Lock.file) knows this golden, and it is gone",
        "to restore it, take it from version control, or: goldwire test --record missing \(job.path.quoted)",
        "to accept that it is gone: goldwire test --update \(golden.path.quoted)",
      ], &outcome)
  }

  private func tell(
    _ golden: TestPlan.Golden, _ trace: Trace, _ last: MachineParameters?, _ explanation: [String],
    _ outcome: inout Outcome
  ) {
    var result = TestResult(trace: job.path, golden: golden.path, machine: golden.name.machine, .missing)
    result.explanation = explanation
    if options.recordsMissing {
      do {
        try record(golden, trace, last, &result, &outcome)
      } catch {
        result.verdict = .error
        result.explanation = [ReplayError(error, path: job.path).description]
      }
    }
    outcome.results.append(result)
  }

  private func record(
    _ golden: TestPlan.Golden, _ trace: Trace, _ last: MachineParameters?, _ result: inout TestResult,
    _ outcome: inout Outcome
  ) throws {
    let machine = golden.name.machine
    if ParameterSource.inForce(machine, trace.header) == nil, trace.header.source != .written {
      return doubt(Telling.unknownInForce(machine, trace.header.source, workspace.configuration), &result)
    }
    let tick = TickMode.standard(for: trace.header.source)
    let source =
      try last.map { ParameterSource.again($0, workspace.configuration) }
      ?? ParameterSource.forNewGolden(machine, trace.header, workspace.configuration)
    var header = GoldenHeader(
      trace: job.file, machine: ActionWord(machine.rawValue) ?? .note, parameters: source, tick: tick,
      unit: trace.header.unit)
    let parameters = try ParameterSource.resolve(
      header, machine, trace.header, workspace.configuration, ParameterTable())
    var question = Question(trace: trace, parameters: parameters, tick: tick, detail: nil)
    question.isNew = true
    switch question.doubt {
    case .blindTimes: return doubt(Telling.blindTimes, &result)
    case .otherInForce where last != nil:
      return doubt(
        ["it was last written with other parameters than were in force, so that it cannot be made"], &result)
    case .otherInForce, .unknownInForce, nil: break
    }
    let answer = try question.answer()
    header.detail = answer.detail
    header.assume = answer.assume
    header.tick = question.effectiveTick
    try AtomicFile.write(Golden(header: header, lines: answer.lines).bytes(), to: golden.path)
    result.isWritten = true
    result.actions = answer.replayed.actions.count
    result.explanation = ["written with \(parameters.words): \(Words.count(answer.actions.count, "action"))"]
    if let key = job.key(golden) { outcome.locked[key] = parameters }
  }

  private func doubt(_ explanation: [String], _ result: inout TestResult) {
    result.verdict = .inconclusive
    result.explanation = explanation
  }
}
