public import GoldwireTrace

/// A rule that some mutants broke, with the smallest trace that breaks it.
public struct PerturbFinding: Equatable, Sendable {
  /// The rule.
  public internal(set) var rule: PerturbRule
  /// In what it shows: another rule where an event of an old connection is behind it.
  public internal(set) var shown: PerturbRule
  /// How many mutants broke it.
  public internal(set) var mutants = 0
  /// The number of the mutant that was shrunk; 0 is the clean trace itself.
  public internal(set) var mutant = 0
  /// What was done to that mutant.
  public internal(set) var kinds: [MutationKind] = []
  /// The smallest trace found.
  public internal(set) var trace: Trace
  /// The instant at which the rule is broken.
  public internal(set) var t = 0
  /// The index of the trace's line at which it is broken, or after which nothing came; nil for none.
  public internal(set) var line: Int?
  /// What the machine did over that trace.
  public internal(set) var actions: [ReplayedAction] = []

  init(rule: PerturbRule, trace: Trace) {
    (self.rule, shown, self.trace) = (rule, rule, trace)
  }
}

extension PerturbFinding {
  /// The most actions of a machine that are told.
  private static let shown = 12

  /// The trace and the machine's actions in order of time, the place marked where the rule is broken.
  func story(_ words: Words) -> [String] {
    var rows: [(mark: String, instant: String, text: String)] = []
    var rest = actions.prefix(Self.shown)
    func act(while isNext: (ReplayedAction) -> Bool) {
      while let next = rest.first, isNext(next) {
        rows.append((" ", words.instant(next.line.t), "» " + words.action(next.line)))
        rest.removeFirst()
      }
    }
    for index in trace.lines.indices {
      let line = trace.lines[index]
      act { $0.line.t < line.t }
      let mark = index == self.line ? "!" : " "
      rows.append((mark, words.instant(line.t), "line \(trace.lineNumber(at: index)): " + words.line(line)))
      act { $0.cause == index && $0.timerSet == nil }
    }
    act { _ in true }
    rows = Self.folded(rows)
    let width = rows.map(\.instant.count).max() ?? 0
    return rows.map { row in
      "  \(row.mark) " + String(repeating: " ", count: width - row.instant.count) + row.instant + "  "
        + row.text
    }
  }

  /// Rows that say the same in one.
  private static func folded(
    _ rows: [(mark: String, instant: String, text: String)]
  ) -> [(mark: String, instant: String, text: String)] {
    var folded: [(mark: String, instant: String, text: String)] = []
    var count = 1
    for row in rows {
      if let last = folded.last, last.instant == row.instant, last.text == row.text {
        count += 1
        continue
      }
      if count > 1, let last = folded.popLast() {
        folded.append((last.mark, last.instant, last.text + " ×\(count)"))
      }
      count = 1
      folded.append(row)
    }
    if count > 1, let last = folded.popLast() {
      folded.append((last.mark, last.instant, last.text + " ×\(count)"))
    }
    return folded
  }
}
