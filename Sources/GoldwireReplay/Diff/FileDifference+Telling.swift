internal import GoldwireBytes
internal import GoldwireTrace

extension FileDifference {
  /// The difference in words: first lines, then side by side around the first difference, then counts.
  public func text(_ first: String, _ second: String) -> [String] {
    var text = (headers + parts).map { "  \($0)" }
    if shift != 0 { text.append("  the second is moved by \(shift < 0 ? "" : "+")\(words.span(shift))") }
    if let start = pairs.firstIndex(where: { $0.verdict != .same }) {
      let shown = SideBySide.shown(of: pairs.count, first: start, all: options.showsAll)
      let rows = pairs[shown].map { pair in
        SideBySide.Row(
          verdict: pair.verdict, left: told(pair.one.map { one.lines[$0] }),
          right: told(pair.two.map { two.lines[$0] }), notes: [places(pair)])
      }
      let rest = pairs[shown.upperBound...].count { $0.verdict != .same }
      text += SideBySide.lines(first, second, rows, rest: rest)
      var counts = GroupedCounts(words)
      for pair in pairs where pair.verdict != .same {
        let (key, moved) = words.group(pair.one.map { one.compared[$0] }, pair.two.map { two.compared[$0] })
        counts.add(key, shift: moved)
      }
      text += counts.lines
    }
    let same = Words.count(count(of: .same), "line")
    return text + [isSame ? "no difference in \(same)" : "\(same) the same"]
  }

  private func told(_ line: DiffLine?) -> String {
    line.map { words.instant($0.t) + "  " + words.text($0) } ?? "—"
  }

  private func places(_ pair: Pair) -> String {
    switch (pair.one.map { one.numbers[$0] }, pair.two.map { two.numbers[$0] }) {
    case (let left?, let right?): "lines \(left) and \(right)"
    case (let left?, nil): "line \(left), and nothing"
    case (nil, let right?): "nothing, and line \(right)"
    case (nil, nil): ""
    }
  }

  /// The difference as JSON Lines: an object for each pair that differs, with both lines as they stand in their files,
  /// then the totals.
  public func json() -> [UInt8] {
    var bytes: [UInt8] = []
    for pair in pairs where pair.verdict != .same {
      bytes.put("{\"verdict\":\"\(pair.verdict.rawValue)\",\"one\":")
      bytes.append(pair.one.map { (one.written[$0], one.numbers[$0]) })
      bytes.put(",\"two\":")
      bytes.append(pair.two.map { (two.written[$0], two.numbers[$0]) })
      bytes.put("}\n")
    }
    bytes.put("{\"totals\":{")
    bytes.put(
      Comparison.Verdict.allCases.map { "\"\($0.rawValue)\":\(count(of: $0))" }.joined(separator: ","))
    bytes.put("},\"headers\":[")
    for (index, header) in headers.enumerated() {
      if index > 0 { bytes.put(",") }
      bytes.append(json: header)
    }
    bytes.put("],\"parts\":[")
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.put(",") }
      bytes.append(json: part)
    }
    bytes.put("],\"shift\":\(shift),\"unit\":\"\(words.unit.rawValue)\"}\n")
    return bytes
  }
}

extension [UInt8] {
  /// Appends a line with its number, or null.
  fileprivate mutating func append(_ line: (DiffLine, number: Int)?) {
    guard let line else { return put("null") }
    put("{\"line\":\(line.number),\"is\":")
    switch line.0 {
    case .event(let event):
      append(event)
      removeLast()
    case .action(let action): append(object: action)
    }
    put("}")
  }
}
