public import GoldwireTrace

/// A machine's actions over one trace, as `goldwire replay` prints them.
public struct ReplayReport: Sendable {
  /// The actions in canonical order, without the end.
  public let actions: [ReplayedAction]
  /// How the question came out: inconclusive where the recorded replies answered other actions.
  public let status: TestStatus
  /// What is to be said beside the actions.
  public let remarks: [String]
  private let golden: Golden
  private let trace: Trace
  private let words: Words

  /// Asks a machine.
  ///
  /// `tick` is the standard mode of the trace's source where it is nil; `foreign` is a machine of another
  /// language in the place of the built-in one.
  public init(
    _ trace: Trace, file: String, _ parameters: MachineParameters, tick: TickMode? = nil, ties: Bool = false,
    configuration: Configuration = Configuration(), foreign: ForeignSource? = nil
  ) throws(ReplayError) {
    var question = Question(
      trace: trace, parameters: parameters, tick: tick ?? .standard(for: trace.header.source), detail: .all)
    question.foreign = foreign
    let answer = try question.answer()
    words = Words(trace.header.unit, configuration)
    var remarks: [String] = []
    var status = TestStatus.expected
    if let doubt = question.doubt {
      remarks += Self.remarks(doubt, parameters.machine, trace.header.source, configuration)
      status = .inconclusive
    }
    if let tick, tick != question.effectiveTick {
      remarks.append("ticks are \(question.effectiveTick) here, whatever is asked")
    }
    for channel in answer.replayed.neverInStep {
      remarks.append("\(words.channel(channel, nil)) is never in step with the recorded client")
      status = status.and(.inconclusive)
    }
    if ties {
      let found = try TieSearch(question: question, words: words).findings()
      remarks += found.findings.flatMap(\.lines)
      if found.findings.isEmpty {
        remarks.append("\(Words.count(found.checked, "tie")) taken in both orders: the same actions")
      } else {
        status = status.and(.differs)
      }
    }
    actions = answer.actions
    self.trace = trace
    self.status = status
    self.remarks = remarks
    golden = Golden(
      header: GoldenHeader(
        trace: file, machine: ActionWord(parameters.machine.rawValue) ?? .note,
        parameters: .literal(parameters.values), tick: question.effectiveTick, assume: answer.assume,
        unit: trace.header.unit), lines: answer.lines)
  }

  private static func remarks(
    _ doubt: Question.Doubt, _ machine: MachineName, _ source: Source, _ configuration: Configuration
  ) -> [String] {
    switch doubt {
    case .unknownInForce: Telling.unknownInForce(machine, source, configuration)
    case .blindTimes: Telling.blindTimes
    case .otherInForce:
      [
        "other parameters of \(machine.rawValue) were in force: the recorded replies answered other actions, "
          + "so that this is no prediction; --causal makes one"
      ]
    }
  }

  /// The actions as a golden's bytes, every parameter literal.
  public func bytes() -> [UInt8] { golden.bytes() }

  /// The actions in words, a line each, with the trace line behind it.
  public func text() -> String {
    let rows = actions.map { (words.instant($0.line.t), words.action($0.line), $0) }
    let wide = rows.map(\.0.count).max() ?? 0
    let broad = min(60, rows.map(\.1.count).max() ?? 0)
    var text = ""
    let explanation = Explanation(
      comparison: Comparison(want: [], got: []), trace: trace, actions: actions, words: words)
    for (instant, action, replayed) in rows {
      text += String(repeating: " ", count: wide - instant.count) + instant + "  " + action
      let cause = explanation.cause(replayed)
      if !cause.isEmpty {
        text += String(repeating: " ", count: max(0, broad - action.count)) + "   " + cause
      }
      text += "\n"
    }
    let name = golden.header.machine
    return text
      + "\(name): \(Words.count(actions.count, "action")) up to \(words.instant(golden.lines.last?.t ?? 0))\n"
  }
}
