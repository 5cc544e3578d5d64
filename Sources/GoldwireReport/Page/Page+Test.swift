public import GoldwireReplay
internal import GoldwireTrace

extension Page {
  /// A run of `goldwire test`: each result that is not as expected with its trace's lanes, golden beside actual, and the
  /// difference in words.
  ///
  /// A trace that cannot be read any more has no lanes.
  public static func test(_ run: TestRun, pictures most: Int = Limits.pictures) -> Page {
    var page = Page("goldwire test: \(run.sums)")
    for warning in run.warnings { page.add(paragraph: "warning: \(warning)") }
    let notable = run.results.filter { $0.status != .expected || $0.verdict != .same || $0.comparison != nil }
    var pictures = 0
    for result in notable {
      page.add(heading: result.headline)
      if let comparison = result.comparison, pictures < most,
        let trace = try? Trace.load(path: result.trace)
      {
        pictures += 1
        // What is asked by other parameters is a prediction, and nothing that the machine does now.
        let isReplay = [.shifted, .changed, .outcome].contains(result.verdict)
        page.add(
          trace, Words(trace.header.unit),
          LaneDrawing.Track.both(comparison, names: ("golden", isReplay ? "now" : "would be")),
          label: "The trace's channels, the golden's actions, and the replay's")
      }
      page.add(lines: result.explanation)
    }
    let left = notable.count { $0.comparison != nil } - pictures
    if left > 0 {
      let verb = left == 1 ? "has" : "have"
      page.add(paragraph: "\(Quantity.count(left, "result")) above \(verb) no picture.")
    }
    page.add(heading: "All results")
    page.add(
      table: ["golden or trace", "machine", "verdict", "actions", "shifted", "changed", "outcomes"],
      run.results.map { result in
        [
          result.golden ?? result.trace, result.machine?.rawValue ?? "", result.verdict.rawValue,
          String(result.actions), String(result.shifted), String(result.changed), String(result.outcomes),
        ]
      })
    return page
  }
}
