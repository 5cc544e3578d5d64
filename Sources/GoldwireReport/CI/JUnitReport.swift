public import GoldwireReplay

/// A run of `goldwire test` as the XML that continuous integrations read, after JUnit's ant task: a suite for each trace,
/// a case for each golden.
///
/// It has no durations and no date: equal runs give equal bytes.
public struct JUnitReport: Sendable {
  /// How a case came out, in the format's elements.
  private enum Outcome: String {
    case passed, failure, error, skipped
  }

  private let run: TestRun

  /// Makes a report of a run.
  public init(_ run: TestRun) { self.run = run }

  /// The document.
  public func text() -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"goldwire test\"\(counts(run.results[...]))>\n"
    var rest = run.results[...]
    while let first = rest.first {
      let suite = rest.prefix { $0.trace == first.trace }
      rest = rest.dropFirst(suite.count)
      text += "  <testsuite name=\"\(Self.name(first))\"\(counts(suite))>\n"
      for result in suite { text += element(result) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func name(_ result: TestResult) -> String {
    Markup.escaped(result.trace.isEmpty ? "goldwire" : result.trace, keepsLines: true)
  }

  private func outcome(_ result: TestResult) -> Outcome {
    switch result.status {
    case .expected: .passed
    case .differs: .failure
    case .failed: .error
    case .inconclusive: run.wasLenient ? .skipped : .failure
    }
  }

  private func counts(_ results: ArraySlice<TestResult>) -> String {
    func count(_ outcome: Outcome) -> Int { results.count { self.outcome($0) == outcome } }
    return " tests=\"\(results.count)\" failures=\"\(count(.failure))\" errors=\"\(count(.error))\""
      + " skipped=\"\(count(.skipped))\""
  }

  private func element(_ result: TestResult) -> String {
    let name = result.golden.map { String($0.split(separator: "/").last ?? "") } ?? result.verdict.rawValue
    let file = result.golden ?? result.trace
    var text =
      "    <testcase classname=\"\(Self.name(result))\" name=\"\(Markup.escaped(name, keepsLines: true))\""
    if !file.isEmpty { text += " file=\"\(Markup.escaped(file, keepsLines: true))\"" }
    let outcome = outcome(result)
    guard outcome != .passed else { return text + "/>\n" }
    text += ">\n      <\(outcome.rawValue)"
    if outcome != .skipped { text += " type=\"\(result.verdict.rawValue)\"" }
    text += " message=\"\(Markup.escaped(result.headline, keepsLines: true))\">"
    text += result.explanation.map { Markup.escaped($0) }.joined(separator: "\n")
    return text + "</\(outcome.rawValue)>\n    </testcase>\n"
  }
}
