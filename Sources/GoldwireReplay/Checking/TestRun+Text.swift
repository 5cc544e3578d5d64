internal import GoldwireTrace

extension TestRun {
  /// The report in words: a paragraph for each result that is not as expected, then one line of sums.
  ///
  /// With `isVerbose`, results that are as expected have a line too.
  public func text(isVerbose: Bool = false) -> String {
    var text = ""
    for result in results {
      let isQuiet = result.verdict == .same && result.ties == 0 && !result.isWritten
      if isQuiet, !isVerbose { continue }
      text += result.headline + "\n"
      for line in result.explanation { text += "  " + line + "\n" }
    }
    return text + sums + "\n"
  }

  /// One line of sums: `12 goldens: 10 same, 1 shifted, 1 missing`.
  public var sums: String {
    let count = results.count { $0.golden != nil }
    var parts: [String] = []
    for verdict in TestResult.Verdict.allCases {
      let number = results.count { $0.verdict == verdict && !$0.isWritten && !$0.isForgotten }
      if number > 0 { parts.append("\(number) \(verdict.rawValue)") }
    }
    let written = results.count { $0.isWritten }
    if written > 0 { parts.append("\(written) written") }
    let forgotten = results.count { $0.isForgotten }
    if forgotten > 0 { parts.append("\(forgotten) forgotten") }
    var text = Words.count(count, "golden") + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    if wasLenient { text += "; inconclusive ones are let pass, as asked" }
    return text
  }
}

extension TestResult {
  /// The first line of a result's paragraph: `CHANGED late-close.heartbeat.golden.jsonl`.
  public var headline: String {
    if isForgotten { return "FORGOTTEN \(golden ?? trace)" }
    if isWritten {
      return "\(verdict == .missing ? "RECORDED" : "UPDATED (\(verdict.rawValue))") \(golden ?? trace)"
    }
    let place = golden ?? trace
    let text = verdict.rawValue.uppercased() + (place.isEmpty ? "" : " \(place)")
    return ties > 0 ? text + ", \(Words.count(ties, "tie")) that the order decides" : text
  }
}
