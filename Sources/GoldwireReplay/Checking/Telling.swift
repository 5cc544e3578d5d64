internal import GoldwireTrace

/// Turns a comparison into a verdict and its explanation.
struct Telling {
  let comparison: Comparison
  let question: Question
  let answer: Question.Answer
  let golden: String
  let words: Words
  /// What changed since the golden was written.
  let since: [String]
  /// Whether every difference is shown.
  let showsAll: Bool
  /// What goldwire.json says.
  let configuration: Configuration

  /// What to say where the source does not know instants.
  static let blindTimes = [
    "the trace's source does not know the instants of its events, so that no timer can be judged"
  ]

  /// Sets verdict, first difference, counts and explanation.
  func judge(_ header: GoldenHeader, _ result: inout TestResult) {
    let explanation = Explanation(
      comparison: comparison, trace: question.trace, actions: answer.actions, words: words, showsAll: showsAll
    )
    result.take(explanation)
    if let doubt = question.doubt { return doubtful(doubt, explanation, &result) }
    result.verdict = verdict(header)
    if result.verdict == .same {
      guard !answer.replayed.neverInStep.isEmpty else { return }
      result.verdict = .inconclusive
      let channels = answer.replayed.neverInStep.map { words.channel($0, nil) }.joined(separator: ", ")
      result.explanation = [
        "never in step with the recorded client: \(channels); the recording begins after the "
          + "connection, and no ping of the client or new connection follows"
      ]
      return
    }
    result.explanation = changes()
    if header.assume != answer.assume {
      let assumed = answer.assume.isEmpty ? "nothing" : answer.assume.map(\.rawValue).joined(separator: ", ")
      result.explanation.append("the replay now takes for granted: \(assumed)")
    }
    result.explanation += explanation.sideBySide() + explanation.counts() + layers(result.verdict)
  }

  /// The layer at fault of an event stream whose outcomes differ.
  private func layers(_ verdict: TestResult.Verdict) -> [String] {
    guard question.parameters.machine == .stream else { return [] }
    guard verdict == .outcome || verdict == .changed else { return [] }
    let isToldByContent = question.parameters.values[.dedup] == .word(.idAndContent)
    return StreamDiagnosis(trace: question.trace, words: words, isToldByContent: isToldByContent)
      .layers(comparison)
  }

  private func verdict(_ header: GoldenHeader) -> TestResult.Verdict {
    switch comparison.verdict {
    case .same: header.assume == answer.assume ? .same : .changed
    case .shifted: header.assume == answer.assume ? .shifted : .changed
    case .changed: .changed
    case .outcome: .outcome
    }
  }

  private func changes() -> [String] { since.isEmpty ? [] : ["since " + since.joined(separator: ", ")] }

  /// How to accept a difference; nil where there is nothing to accept.
  func acceptance(_ verdict: TestResult.Verdict) -> String? {
    Self.acceptance(verdict, golden)
  }

  static func acceptance(_ verdict: TestResult.Verdict, _ golden: String) -> String? {
    guard [.shifted, .changed, .outcome, .regression].contains(verdict) else { return nil }
    let isOutcome = verdict == .outcome || verdict == .regression
    return "to accept: goldwire test --update \(golden.quoted)"
      + (isOutcome ? "   (an outcome: it needs this path, or --update=outcome)" : "")
  }

  // MARK: Doubt

  private func doubtful(
    _ doubt: Question.Doubt, _ explanation: Explanation, _ result: inout TestResult
  ) {
    result.verdict = .inconclusive
    let machine = question.parameters.machine
    switch doubt {
    case .unknownInForce:
      result.explanation =
        Self.unknownInForce(machine, question.trace.header.source, configuration)
    case .blindTimes: result.explanation = Self.blindTimes
    // Such a question is put to a causal replay.
    case .otherInForce: result.explanation = []
    }
    guard let first = result.first else {
      result.explanation.append("as recorded, no action differs; that proves nothing")
      return
    }
    let line = first.line.map { " (line \($0) of the trace)" } ?? ""
    result.explanation.append("the first action that differs is at \(words.instant(first.t))\(line):")
    result.explanation += changes() + explanation.sideBySide()
  }

}

extension TestResult {
  /// Takes how many actions differ, and the first of them.
  mutating func take(_ explanation: Explanation) {
    let comparison = explanation.comparison
    shifted = comparison.count(of: .shifted)
    changed = comparison.count(of: .changed)
    outcomes = comparison.count(of: .outcome)
    guard let place = comparison.first else { return }
    self.comparison = comparison
    let pair = comparison.pairs[place]
    let (want, got) = (pair.want.map { comparison.want[$0] }, pair.got.map { comparison.got[$0] })
    first = First(
      t: min(want?.t ?? .max, got?.t ?? .max), channel: got?.channel ?? want?.channel, want: want, got: got,
      line: explanation.lineNumber(pair))
  }
}
