internal import GoldwireTrace

/// Takes each tie of a trace in both orders, and tells those after which the actions are others.
struct TieSearch {
  let question: Question
  let words: Words

  struct Finding {
    var tie: Tie
    var lines: [String]
  }

  /// The ties that matter, in the order of their instants.
  func findings() throws(ReplayError) -> (checked: Int, findings: [Finding]) {
    let answer = try question.answer(findsTies: true)
    let ties = (answer.replayed.ties + LineTies.find(question.trace, question.parameters.machine))
      .sorted { $0.t < $1.t }.prefix(ReplayOptions.Limits().ties)
    let lines = answer.lines
    var findings: [Finding] = []
    for tie in ties {
      let other = try question.answer(flipped: tie)
      let comparison = Comparison(want: lines, got: other.lines)
      guard comparison.verdict != .same else { continue }
      let explanation = Explanation(
        comparison: comparison, trace: question.trace, actions: other.actions, words: words)
      findings.append(
        Finding(
          tie: tie,
          lines: [text(tie)] + explanation.sideBySide(golden: "in this order", replay: "in the other")))
    }
    return (ties.count, findings)
  }

  private func text(_ tie: Tie) -> String {
    let trace = question.trace
    func line(_ index: Int) -> String {
      "line \(trace.lineNumber(at: index)) (\(words.line(trace.lines[index])))"
    }
    switch tie.kind {
    case .timer(let index):
      return "tie at \(words.instant(tie.t)): \(line(index)) and the machine's timer; the order decides"
    case .lines(let one, let two):
      return "tie at \(words.instant(tie.t)): \(line(one)) and \(line(two)); the order decides"
    }
  }
}

/// Finds neighbouring lines at one instant that nothing puts in order.
enum LineTies {
  /// The pairs of lines that concern one channel and could have come in either order.
  static func find(_ trace: Trace, _ machine: MachineName) -> [Tie] {
    let lines = trace.lines
    var ties: [Tie] = []
    for index in lines.indices.dropFirst() where lines[index].t == lines[index - 1].t {
      let (one, two) = (lines[index - 1], lines[index])
      guard let channel = one.channel ?? two.channel, channel.family == machine.family else { continue }
      guard one.channel == nil || two.channel == nil || one.channel == two.channel else { continue }
      if isFree(one, two) {
        ties.append(Tie(t: one.t, channel: channel, kind: .lines(index - 1, index)))
      }
    }
    return ties
  }

  /// Whether the two come from places that no stream of bytes and no cause puts in order.
  private static func isFree(_ one: TraceLine, _ two: TraceLine) -> Bool {
    let (left, right) = (origin(one.event), origin(two.event))
    guard left != .none, right != .none else { return false }
    if left != right { return true }
    return left == .connection && one.generation != two.generation
  }

  private enum Origin {
    case none
    case app
    case user
    case handler
    case connection
  }

  private static func origin(_ event: TraceEvent) -> Origin {
    switch event {
    case .appBackground, .appForeground, .appNetwork, .appSession: .app
    case .httpCancel, .sseCancel, .wsClose(dir: .out, _, by: .user): .user
    case .sseHandled: .handler
    case .wsConnect, .wsOpen, .wsRefused, .wsPong, .wsPinged, .wsMessage, .wsClose, .wsEnd, .httpResponse,
      .httpBody, .httpError, .sseOpen, .sseEvent, .sseID, .sseComment, .sseRetry, .sseCut:
      .connection
    default: .none
    }
  }
}
