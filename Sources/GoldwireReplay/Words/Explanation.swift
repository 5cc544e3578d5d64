internal import GoldwireTrace

/// A difference told in words: side by side around the first, then grouped counts.
struct Explanation {
  let comparison: Comparison
  let trace: Trace
  let actions: [ReplayedAction]
  let words: Words
  /// Whether every difference is shown, and not only what is near the first.
  var showsAll = false

  /// How many pairs are shown before the first difference, and from it on.
  static let before = 2
  static let after = 6

  /// The lines: golden beside replay around the first difference, each with the trace line behind it.
  func sideBySide(golden: String = "golden", replay: String = "now") -> [String] {
    guard let first = comparison.first else { return [] }
    let start = max(0, first - Self.before)
    let end = showsAll ? comparison.pairs.count : min(comparison.pairs.count, first + Self.after)
    let rows = comparison.pairs[start..<end].map { pair in
      (pair.verdict, text(pair.want.map { comparison.want[$0] }), text(pair.got.map { comparison.got[$0] }))
    }
    let width = max(golden.count, rows.map(\.1.count).max() ?? 0)
    var lines = ["    " + padded(golden, width) + "   " + replay]
    for (offset, row) in rows.enumerated() {
      let mark = row.0 == .same ? "  " : row.0 == .shifted ? "~ " : "! "
      lines.append(("  " + mark + padded(row.1, width) + "   " + row.2).trimmed)
      let pair = comparison.pairs[start + offset]
      guard pair.verdict != .same else { continue }
      for cause in causes(pair) { lines.append("        " + cause) }
    }
    let rest = comparison.pairs[end...].count { $0.verdict != .same }
    if rest > 0 { lines.append("    … and \(Words.count(rest, "more difference"))") }
    return lines
  }

  /// The counts by action: `120 ping shifted, by +1ms to +5s`, `1 close: pongTimeout new`.
  func counts() -> [String] {
    var order: [String] = []
    var groups: [String: (count: Int, least: Int, most: Int)] = [:]
    for pair in comparison.pairs where pair.verdict != .same {
      let (want, got) = (pair.want.map { comparison.want[$0] }, pair.got.map { comparison.got[$0] })
      let (key, shift) = group(want, got)
      if groups[key] == nil { order.append(key) }
      let old = groups[key] ?? (0, shift, shift)
      groups[key] = (old.count + 1, min(old.least, shift), max(old.most, shift))
    }
    return order.map { key in
      let group = groups[key] ?? (0, 0, 0)
      guard key.hasSuffix(" shifted") else { return "\(group.count) × \(key)" }
      let range =
        group.least == group.most
        ? signed(group.least) : "\(signed(group.least)) to \(signed(group.most))"
      return "\(group.count) × \(key) by \(range)"
    }
  }

  private func group(_ want: GoldenLine?, _ got: GoldenLine?) -> (String, Int) {
    if let want, let got {
      if want.isSameAction(as: got) {
        if want.t == got.t, let old = want.wait, let new = got.wait {
          return ("\(kind(got)) of \(words.span(old)) is now of \(words.span(new))", 0)
        }
        let (shift, overflow) = got.t.subtractingReportingOverflow(want.t)
        return ("\(kind(got)) shifted", overflow ? 0 : shift)
      }
      if kind(want) == kind(got) { return ("\(kind(want)) has another \(difference(want, got))", 0) }
      return ("\(kind(want)) is now \(kind(got))", 0)
    }
    if let want { return ("\(kind(want)) no longer there", 0) }
    return ("\(got.map(kind) ?? "") new", 0)
  }

  /// What two actions of one kind differ in.
  private func difference(_ want: GoldenLine, _ got: GoldenLine) -> String {
    let parts: [(String, Bool)] = [
      ("channel", want.channel != got.channel), ("connection", want.generation != got.generation),
      ("request", want.req != got.req), ("try", want.attempt != got.attempt), ("count", want.n != got.n),
      ("id", want.id != got.id), ("cursor", want.cursor != got.cursor), ("code", want.code != got.code),
      ("grade", want.grade != got.grade),
    ]
    return parts.filter(\.1).map(\.0).joined(separator: " and ")
  }

  private func kind(_ line: GoldenLine) -> String {
    line.action.description + (line.why.map { " (\($0))" } ?? "")
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

  private func signed(_ length: Int) -> String { (length < 0 ? "" : "+") + words.span(length) }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
