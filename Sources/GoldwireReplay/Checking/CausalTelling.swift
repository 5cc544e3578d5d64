internal import GoldwireTrace

/// Turns a prediction, and how it differs from a golden, into a verdict and its explanation.
struct CausalTelling {
  let comparison: Comparison
  let causal: CausalReplay
  let actions: [ReplayedAction]
  let words: Words
  /// Options ask: the question is which sessions would have gone differently, not what the golden says.
  let isOnlyAsked: Bool
  /// The golden holds a prediction.
  let isPrediction: Bool
  /// Whether every difference is shown.
  let showsAll: Bool

  /// Sets verdict, first difference, counts and explanation.
  func judge(_ result: inout TestResult) {
    let explanation = Explanation(
      comparison: comparison, trace: causal.trace, actions: actions, words: words, showsAll: showsAll)
    result.actions = causal.actions.count
    result.take(explanation)
    result.verdict = verdict
    result.explanation = causal.explanation
    if result.verdict == .inconclusive, causal.inForce != nil {
      result.explanation.append(
        "the recorded replies answered other \(replies), so that what follows is no more than the likeliest")
    }
    guard !causal.isUnanswered, comparison.first != nil, result.verdict != .same else { return }
    if let first = result.first {
      let line = first.line.map { " (line \($0) of the trace)" } ?? ""
      result.explanation.append("the first action that differs is at \(words.instant(first.t))\(line):")
    }
    result.explanation += explanation.sideBySide() + explanation.counts()
  }

  private var verdict: TestResult.Verdict {
    let asked: TestResult.Verdict =
      switch causal.verdict {
      case .same: .same
      case .regression: .regression
      case .improvement: .improvement
      case .inconclusive: .inconclusive
      }
    if isOnlyAsked || causal.isUnanswered { return asked }
    if comparison.verdict == .same { return isPrediction ? .same : asked }
    switch asked {
    case .inconclusive: return .inconclusive
    case .regression where !isPrediction: return .regression
    default: break
    }
    switch comparison.verdict {
    case .same: return .same
    case .shifted: return .shifted
    case .changed: return .changed
    case .outcome: return .outcome
    }
  }

  private var replies: String {
    switch causal.parameters.machine {
    case .heartbeat: "pings"
    case .retry: "sends"
    case .stream: "connections"
    }
  }
}
