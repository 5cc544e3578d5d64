/// Two sequences side by side around where they first differ.
struct SideBySide {
  /// What stands across from each other, and what is said below it where it differs.
  struct Row {
    var verdict: Comparison.Verdict
    var left: String
    var right: String
    var notes: [String] = []
  }

  /// How many rows are shown before the first difference, and from it on.
  static let before = 2
  static let after = 6

  /// The rows to show of so many, of which `first` is the first that differs.
  static func shown(of count: Int, first: Int, all: Bool) -> Range<Int> {
    max(0, first - before)..<(all ? count : min(count, first + after))
  }

  /// The lines; `rest` is how many more rows differ.
  static func lines(_ left: String, _ right: String, _ rows: [Row], rest: Int) -> [String] {
    let width = max(left.count, rows.map(\.left.count).max() ?? 0)
    var lines = ["    " + padded(left, width) + "   " + right]
    for row in rows {
      let mark = row.verdict == .same ? "  " : row.verdict == .shifted ? "~ " : "! "
      lines.append(("  " + mark + padded(row.left, width) + "   " + row.right).trimmed)
      guard row.verdict != .same else { continue }
      for note in row.notes { lines.append("        " + note) }
    }
    if rest > 0 { lines.append("    … and \(Words.count(rest, "more difference"))") }
    return lines
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// Differences counted by what they are: `120 × ping shifted by +1ms to +5s`.
struct GroupedCounts {
  private let words: Words
  private var order: [String] = []
  private var groups: [String: (count: Int, least: Int, most: Int)] = [:]

  init(_ words: Words) { self.words = words }

  /// Counts one of a group; `shift` is how far it was moved, of a group whose name ends in `shifted`.
  mutating func add(_ group: String, shift: Int = 0) {
    if groups[group] == nil { order.append(group) }
    let old = groups[group] ?? (0, shift, shift)
    groups[group] = (old.count + 1, min(old.least, shift), max(old.most, shift))
  }

  /// The groups in the order in which they came.
  var lines: [String] {
    order.map { key in
      let group = groups[key] ?? (0, 0, 0)
      guard key.hasSuffix(" shifted") else { return "\(group.count) × \(key)" }
      let range =
        group.least == group.most
        ? signed(group.least) : "\(signed(group.least)) to \(signed(group.most))"
      return "\(group.count) × \(key) by \(range)"
    }
  }

  private func signed(_ length: Int) -> String { (length < 0 ? "" : "+") + words.span(length) }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
