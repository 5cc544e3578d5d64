internal import GoldwireTrace

/// Goldens that are asked with other parameters than were in force, or that hold a prediction.
extension GoldenCheck {
  func compareCausally(
    _ file: Golden, _ question: Question, _ golden: TestPlan.Golden, _ result: inout TestResult,
    _ outcome: inout Outcome
  ) throws {
    let pool = try pools.pool(for: job.path, in: workspace)
    let causal = try CausalReplay(
      question.trace, question.parameters, assumptions: options.assumptions, pool: pool,
      configuration: workspace.configuration)
    var actions = causal.replayedActions
    if file.header.detail == .outcomes { actions = actions.condensed() }
    let lines = actions.map(\.line) + [GoldenLine(.end, t: causal.horizon)]
    // A golden of what was recorded knows no grades.
    let plain = file.header.mode == .causal ? lines : lines.map(\.withoutGrade)
    let comparison = Comparison(want: file.lines, got: plain)
    let telling = CausalTelling(
      comparison: comparison, causal: causal, actions: actions,
      words: Words(question.trace.header.unit, workspace.configuration),
      isOnlyAsked: options.overrides[golden.name.machine]?.isEmpty == false,
      isPrediction: file.header.mode == .causal, showsAll: options.showsAll)
    telling.judge(&result)
    if options.ties { result.explanation.append("ties are not looked for in a prediction") }
    if result.verdict != .same, !causal.isUnanswered {
      let since = since(golden, question.parameters)
      if !since.isEmpty { result.explanation.insert("since " + since.joined(separator: ", "), at: 0) }
    }
    let isOutcome = result.verdict == .outcome || result.verdict == .regression
    let isWritable = [.shifted, .changed, .outcome, .regression].contains(result.verdict)
    let mayWrite =
      isWritable
      && (isOutcome
        ? options.update == .outcomes || options.update == .actions && golden.isNamed
        : options.update != .none)
    if mayWrite {
      var written = causal.golden(file: job.file, parameters: file.header.parameters)
      written.header.detail = file.header.detail
      written.lines = lines
      try AtomicFile.write(written.bytes(), to: golden.path)
      result.isWritten = true
    } else if !telling.isOnlyAsked, let acceptance = Telling.acceptance(result.verdict, golden.path) {
      result.explanation.append(acceptance)
    }
    guard options.update != .none, mayWrite || result.verdict == .same, let key = job.key(golden) else {
      return
    }
    outcome.locked[key] = question.parameters
  }
}

extension GoldenLine {
  /// The action alone.
  fileprivate var withoutGrade: GoldenLine {
    var line = self
    line.grade = nil
    return line
  }
}
