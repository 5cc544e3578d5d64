public import GoldwireReplay
public import GoldwireTrace

extension Page {
  /// What one machine did, or would have done.
  public enum Answer: Sendable {
    /// As recorded.
    case replayed(MachineParameters, ReplayReport)
    /// With other parameters, as far as the recording can tell.
    case predicted(CausalReplay)
  }

  /// A replay of a trace: lanes, actions, and what is to be said of them.
  public static func replay(
    _ file: String, _ trace: Trace, _ answers: [Answer], _ configuration: Configuration = Configuration()
  ) -> Page {
    var page = Page("goldwire replay: \(file)")
    let words = Words(trace.header.unit, configuration)
    page.add(
      paragraph: "\(Quantity.count(trace.lines.count, "line")), from \(trace.header.source.rawValue) at "
        + "\(trace.header.at.rawValue), up to \(words.instant(trace.horizon))")
    for answer in answers {
      switch answer {
      case .replayed(let parameters, let report):
        page.add(heading: "\(parameters.machine.rawValue): \(parameters.words)")
        page.add(lines: report.remarks)
        let track = LaneDrawing.Track(name: "does", actions: report.actions.map { ($0.line, .same) })
        page.add(trace, words, [track], label: "The trace's channels, and what the machine does")
        page.add(lines: lines(report.text()))
      case .predicted(let causal): page.add(causal, trace, words)
      }
    }
    return page
  }

  private mutating func add(_ causal: CausalReplay, _ trace: Trace, _ words: Words) {
    let changes = causal.inForce.map { causal.parameters.changes(since: $0).joined(separator: ", ") } ?? ""
    let machine = causal.parameters.machine.rawValue
    add(heading: "\(changes.isEmpty ? machine : changes): \(causal.verdict.rawValue)")
    var tracks: [LaneDrawing.Track] = []
    let predicted = causal.actions.map(\.line)
    if let inForce = causal.inForce,
      let recorded = try? ReplayReport(trace, file: "", inForce).actions.map(\.line)
    {
      // How firm an action is makes it no other one.
      let ungraded = predicted.map { line in
        var line = line
        line.grade = nil
        return line
      }
      let comparison = Comparison(want: recorded, got: ungraded)
      tracks = LaneDrawing.Track.both(comparison, names: ("was", "would be"), got: predicted)
    } else {
      tracks = [LaneDrawing.Track(name: "would be", actions: predicted.map { ($0, .same) })]
    }
    add(trace, words, tracks, label: "The trace's channels, what the client did, and what it would have done")
    add(lines: Self.lines(causal.text()))
  }

  /// The lines of a text that ends in a line feed.
  static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

extension LaneDrawing.Track {
  /// Both sides of a comparison, with what differs; `got` may say more of the second side's actions.
  static func both(
    _ comparison: Comparison, names: (want: String, got: String), got lines: [GoldenLine]? = nil
  ) -> [LaneDrawing.Track] {
    let got = lines ?? comparison.got
    var verdicts: (want: [Int: Comparison.Verdict], got: [Int: Comparison.Verdict]) = ([:], [:])
    for pair in comparison.pairs where pair.verdict != .same {
      if let want = pair.want { verdicts.want[want] = pair.verdict }
      if let got = pair.got { verdicts.got[got] = pair.verdict }
    }
    return [
      LaneDrawing.Track(
        name: names.want,
        actions: comparison.want.enumerated().map { ($0.element, verdicts.want[$0.offset] ?? .same) }),
      LaneDrawing.Track(
        name: names.got, actions: got.enumerated().map { ($0.element, verdicts.got[$0.offset] ?? .same) }),
    ]
  }
}
