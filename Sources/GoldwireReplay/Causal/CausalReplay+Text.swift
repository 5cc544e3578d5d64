internal import GoldwireTrace

extension CausalReplay {
  /// The report in words: the verdict, why, what is taken for granted, and unless `isBrief` each action with its grade,
  /// its band and the trace lines that it rests on.
  public func text(isBrief: Bool = false) -> String {
    var lines = isBrief ? [] : rows
    lines.append(headline)
    if parts.count > Self.partsTold {
      let counts = CausalVerdict.allCases.map { verdict in (verdict, parts.count { $0.verdict == verdict }) }
      lines.append(
        "  \(parts.count) in all: "
          + counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", "))
    }
    for part in parts where parts.count <= Self.partsTold || part.verdict != .same {
      lines.append("  \(name(of: part)): \(part.verdict.rawValue)" + grades(of: part))
      for reason in part.reasons { lines.append("    " + reason) }
      var told: Set<Int> = []
      for index in part.branches.prefix(Self.branchesTold).flatMap(\.lines) where told.insert(index).inserted
      {
        lines.append("      rests on " + place(index))
      }
    }
    for remark in remarks { lines.append("  " + remark) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let branchesTold = 3
  /// The most parts that are all told; of more, those that are not the same alone.
  private static let partsTold = 12

  /// `heartbeat.interval 30s → 25s: same`.
  var headline: String {
    let machine = parameters.machine.rawValue
    let changes = inForce.map { parameters.changes(since: $0) } ?? []
    let asked = changes.isEmpty ? "\(machine) with \(parameters.words)" : changes.joined(separator: ", ")
    return "\(asked): \(verdict.rawValue)"
  }

  /// The reasons of all parts and the remarks, as a test tells them.
  var explanation: [String] {
    var lines = [headline]
    for part in parts where part.verdict != .same {
      lines += part.reasons.map { "\(name(of: part)): \($0)" }
    }
    return lines + remarks
  }

  private func name(of part: CausalPart) -> String {
    words.channel(part.channel, nil) + (part.req.map { " r\($0)" } ?? "")
  }

  private func grades(of part: CausalPart) -> String {
    guard !part.actions.isEmpty else { return "" }
    let counts = part.grades.map { "\($0.count) \($0.grade.rawValue)" }
    return "; \(Words.count(part.actions.count, "action")): " + counts.joined(separator: ", ")
  }

  private func place(_ index: Int) -> String {
    guard trace.lines.indices.contains(index) else { return "" }
    let line = trace.lines[index]
    return "line \(trace.lineNumber(at: index)): \(words.line(line)) at \(words.instant(line.t))"
  }

  /// The actions, a line each.
  private var rows: [String] {
    let cells = actions.map { action in
      (
        words.instant(action.line.t), words.action(action.line), band(action),
        action.lines.first.map(place) ?? ""
      )
    }
    let wide = cells.map(\.0.count).max() ?? 0
    let broad = min(60, cells.map(\.1.count).max() ?? 0)
    let long = min(30, cells.map(\.2.count).max() ?? 0)
    return cells.map { instant, action, band, place in
      var row = String(repeating: " ", count: wide - instant.count) + instant + "  " + action
      guard !band.isEmpty || !place.isEmpty else { return row }
      row += String(repeating: " ", count: max(0, broad - action.count)) + "  " + band
      guard !place.isEmpty else { return row }
      return row + String(repeating: " ", count: max(0, long - band.count)) + "  " + place
    }
  }

  /// `30.001s … 30.044s`, where worlds differ.
  private func band(_ action: CausalAction) -> String {
    guard action.earliest < action.latest else { return "" }
    return "\(words.instant(action.earliest))…\(words.instant(action.latest))"
  }
}
