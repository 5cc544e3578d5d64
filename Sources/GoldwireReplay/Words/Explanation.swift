internal import GoldwireTrace

/// A difference told in words: side by side around the first, then grouped counts.
struct Explanation {
  let comparison: Comparison
  let trace: Trace
  let actions: [ReplayedAction]
  let words: Words
  /// Whether every difference is shown, and not only what is near the first.
  var showsAll = false

  /// The lines: golden beside replay around the first difference, each with the trace line behind it.
  func sideBySide(golden: String = "golden", replay: String = "now") -> [String] {
    guard let first = comparison.first else { return [] }
    let shown = SideBySide.shown(of: comparison.pairs.count, first: first, all: showsAll)
    let rows = comparison.pairs[shown].map { pair in
      SideBySide.Row(
        verdict: pair.verdict, left: text(pair.want.map { comparison.want[$0] }),
        right: text(pair.got.map { comparison.got[$0] }), notes: pair.verdict == .same ? [] : causes(pair))
    }
    let rest = comparison.pairs[shown.upperBound...].count { $0.verdict != .same }
    return SideBySide.lines(golden, replay, rows, rest: rest)
  }

  /// The counts by action: `120 ping shifted, by +1ms to +5s`, `1 close: pongTimeout new`.
  func counts() -> [String] {
    var counts = GroupedCounts(words)
    for pair in comparison.pairs where pair.verdict != .same {
      let (key, shift) = words.group(
        pair.want.map { comparison.want[$0] }, pair.got.map { comparison.got[$0] })
      counts.add(key, shift: shift)
    }
    return counts.lines
  }

  // MARK: Causes

  /// Why each side of a pair is there, as far as the trace tells.
  private func causes(_ pair: Comparison.Pair) -> [String] {
    if let got = pair.got, actions.indices.contains(got) { return [cause(actions[got])] }
    guard let want = pair.want.map({ comparison.want[$0] }) else { return [] }
    if want.action == .end {
      return ["the golden ends at \(words.instant(want.t)); the trace ends elsewhere"]
    }
    guard let index = lastLine(before: want) else { return [] }
    return ["nothing now; last before it is \(place(index))"]
  }

  /// The cause of one action of the replay.
  func cause(_ action: ReplayedAction) -> String {
    guard let index = action.cause, trace.lines.indices.contains(index) else {
      return action.line.action == .end ? "the recording ends" : ""
    }
    guard let set = action.timerSet else { return "because of \(place(index))" }
    let (length, overflow) = action.line.t.subtractingReportingOverflow(set)
    let span = words.span(overflow ? 0 : length)
    if trace.lines[index].t == set { return "\(span) after \(place(index))" }
    let before = actions.last { other in
      other.line.t == set && other.line.channel == action.line.channel && other.line.req == action.line.req
    }
    let start = before.map { "\(words.action($0.line)) at " } ?? ""
    return "\(span) after \(start)\(words.instant(set)); begun by \(place(index))"
  }

  /// The number of the trace line behind a pair, for a machine's reader.
  func lineNumber(_ pair: Comparison.Pair) -> Int? {
    if let got = pair.got, actions.indices.contains(got) {
      return actions[got].cause.map { trace.lineNumber(at: $0) }
    }
    return pair.want.flatMap { lastLine(before: comparison.want[$0]) }.map { trace.lineNumber(at: $0) }
  }

  private func place(_ index: Int) -> String {
    let line = trace.lines[index]
    return "line \(trace.lineNumber(at: index)): \(words.line(line)) at \(words.instant(line.t))"
  }

  private func lastLine(before action: GoldenLine) -> Int? {
    trace.lines.lastIndex { line in
      line.t <= action.t && (line.channel == nil || line.channel == action.channel)
    }
  }

  // MARK: Text

  private func text(_ line: GoldenLine?) -> String {
    guard let line else { return "—" }
    return words.instant(line.t) + "  " + words.action(line)
  }
}
