internal import GoldwireBytes
internal import GoldwireTrace

extension Sweep {
  /// The report's cells in words: a head, and a row for each point.
  public var cells: (head: [String], rows: [[String]]) {
    (
      grid.axes.map(\.name.rawValue) + columns.map(\.title),
      tallies.indices.map { point in
        grid.values(at: point).map(\.words) + columns.map { $0.words(tallies[point]) }
      }
    )
  }

  /// The report as a table; `*` marks the points that no other beats.
  public func text() -> String {
    let (header, rows) = cells
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    func line(_ mark: String, _ cells: [String]) -> String {
      mark
        + zip(cells, widths).map { String(repeating: " ", count: $1 - $0.count + 2) + $0 }.joined()
    }
    var lines = [line(" ", header)]
    for (point, row) in rows.enumerated() { lines.append(line(best.contains(point) ? "*" : " ", row)) }
    let parts = tallies.first?.parts ?? 0
    lines.append(
      "\(machine.rawValue): \(Words.count(grid.count, "point")) over \(Words.count(traces, "trace")), "
        + "\(Words.count(parts, noun)); * no other point beats it")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report as comma-separated values with a header; lengths of time in microseconds.
  public func csv() -> String {
    var lines = [(grid.axes.map(\.name.rawValue) + columns.map(\.key) + ["best"]).joined(separator: ",")]
    for point in tallies.indices {
      let cells =
        grid.values(at: point).map(\.words) + columns.map { $0.number(tallies[point]).map(String.init) ?? "" }
      lines.append((cells + [best.contains(point) ? "1" : "0"]).joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report as JSON Lines: an object for each point, last the totals; lengths of time in microseconds.
  public func json() -> [UInt8] {
    var bytes: [UInt8] = []
    for point in tallies.indices {
      bytes.put("{\"machine\":\"\(machine.rawValue)\",\"point\":{")
      for (index, (axis, value)) in zip(grid.axes, grid.values(at: point)).enumerated() {
        bytes.put("\(index > 0 ? "," : "")\"\(axis.name.rawValue)\":\"\(value.words)\"")
      }
      bytes.put("}")
      for column in columns {
        bytes.put(",\"\(column.key)\":\(column.number(tallies[point]).map(String.init) ?? "null")")
      }
      bytes.put(",\"best\":\(best.contains(point))}\n")
    }
    bytes.put("{\"points\":\(grid.count),\"traces\":\(traces),\"parts\":\(tallies.first?.parts ?? 0)}\n")
    return bytes
  }

  // MARK: Columns

  private struct Column {
    var title: String
    var key: String
    var isSpan = false
    var isShare = false
    var number: (SweepTally) -> Int?

    func words(_ tally: SweepTally) -> String {
      guard let number = number(tally) else { return "–" }
      if isShare { return "\(number / 10).\(number % 10) %" }
      return isSpan ? Words(.us).span(number / 1_000 * 1_000) : String(number)
    }
  }

  private var noun: String {
    switch machine {
    case .heartbeat: "channel"
    case .retry: "request"
    case .stream: "stream"
    }
  }

  private var columns: [Column] {
    let median = { (tally: SweepTally) in tally.delay(perMille: 500) }
    let high = { (tally: SweepTally) in tally.delay(perMille: 950) }
    var columns: [Column]
    switch machine {
    case .heartbeat:
      columns = [
        Column(title: "pings", key: "pings") { $0.sends },
        Column(title: "closes", key: "closes") { $0.closes },
        Column(title: "false", key: "falseCloses") { $0.failures },
        Column(title: "detection", key: "detectionMedian", isSpan: true, number: median),
        Column(title: "95 %", key: "detection95", isSpan: true, number: high),
        Column(title: "worst", key: "detectionWorst", isSpan: true) { $0.worst },
        Column(title: "missed", key: "missedDeaths") { $0.missed },
      ]
    case .retry:
      columns = [
        Column(title: "sends", key: "sends") { $0.sends },
        Column(title: "early", key: "earlySends") { $0.closes },
        Column(title: "failed", key: "failed") { $0.failures },
        Column(title: "success", key: "successMedian", isSpan: true, number: median),
        Column(title: "95 %", key: "success95", isSpan: true, number: high),
        Column(title: "worst", key: "successWorst", isSpan: true) { $0.worst },
      ]
      if hasHerd {
        columns += [
          Column(title: "herd/s", key: "herdPeak") { $0.herdPeak },
          Column(title: "back/s", key: "herdReturn") { $0.herdReturn },
          Column(title: "spread", key: "herdSpread", isSpan: true) { $0.herdSpread },
          Column(title: "lost", key: "herdLost") { $0.herdLost },
        ]
      }
    case .stream:
      columns = [
        Column(title: "connects", key: "connects") { $0.sends },
        Column(title: "given up", key: "givenUp") { $0.failures },
        Column(title: "catch-up", key: "catchUpMedian", isSpan: true, number: median),
        Column(title: "95 %", key: "catchUp95", isSpan: true, number: high),
        Column(title: "worst", key: "catchUpWorst", isSpan: true) { $0.worst },
      ]
    }
    return columns + [
      Column(title: "worse", key: "regressions") { $0.regressions },
      Column(title: "unknown", key: "inconclusivePerMille", isShare: true) { tally in
        tally.parts > 0 ? tally.inconclusive * 1_000 / tally.parts : nil
      },
    ]
  }
}
