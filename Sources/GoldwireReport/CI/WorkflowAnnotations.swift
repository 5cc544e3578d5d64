public import GoldwireReplay

/// What failed in a run of `goldwire test`, as commands by which GitHub's runner annotates a change.
///
/// Source: GitHub, "Workflow commands for GitHub Actions", setting an error message.
public enum WorkflowAnnotations {
  /// The most annotations of a run; GitHub shows fewer.
  public static let limit = 50

  /// Whether the environment is that runner's.
  public static func areUnderstood(_ environment: [String: String]) -> Bool {
    environment["GITHUB_ACTIONS"] == "true"
  }

  /// A line for each result that fails the run, at the trace's line that the first difference rests on; where there are
  /// too many, one that counts the rest.
  public static func lines(_ run: TestRun, atMost limit: Int = limit) -> [String] {
    let failures = run.results.filter { result in
      result.status != .expected && !(result.status == .inconclusive && run.wasLenient)
    }
    let rest = failures.count - limit
    let more = rest > 0 ? ["::notice title=goldwire test::\(rest) more in the log"] : []
    return failures.prefix(limit).map { result in
      let line = result.first?.line
      let file = line == nil ? result.golden ?? result.trace : result.trace
      var properties = ["title=" + property(result.headline)]
      if !file.isEmpty { properties.insert("file=" + property(file), at: 0) }
      if let line { properties.insert("line=\(line)", at: 1) }
      let text = result.explanation.isEmpty ? result.headline : result.explanation.joined(separator: "\n")
      return "::error \(properties.joined(separator: ","))::\(data(text))"
    } + more
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
