internal import GoldwireTrace

extension TestRun {
  /// The report as JSON Lines: an object for each result, last the totals.
  public func json() -> [UInt8] {
    var bytes: [UInt8] = []
    for result in results { bytes.append(result) }
    bytes.put("{\"totals\":{")
    var isFirst = true
    for verdict in TestResult.Verdict.allCases {
      bytes.put("\(isFirst ? "" : ",")\"\(verdict.rawValue)\":\(results.count { $0.verdict == verdict })")
      isFirst = false
    }
    bytes.put(",\"forgotten\":\(results.count { $0.isForgotten })")
    bytes.put(",\"written\":\(results.count { $0.isWritten })},\"status\":\(status.rawValue)}\n")
    return bytes
  }
}

extension [UInt8] {
  /// Appends a result as a JSON object, with its line feed.
  fileprivate mutating func append(_ result: TestResult) {
    put("{\"trace\":")
    append(json: result.trace)
    if let golden = result.golden {
      put(",\"golden\":")
      append(json: golden)
    }
    if let machine = result.machine { put(",\"machine\":\"\(machine.rawValue)\"") }
    put(",\"verdict\":\"\(result.verdict.rawValue)\"")
    if let first = result.first {
      put(",\"first\":{\"t\":\(first.t)")
      if let channel = first.channel { put(",\"ch\":\"\(channel)\"") }
      put(",\"want\":")
      append(first.want)
      put(",\"got\":")
      append(first.got)
      if let line = first.line { put(",\"line\":\(line)") }
      put("}")
    }
    put(",\"actions\":\(result.actions),\"shifted\":\(result.shifted),\"changed\":\(result.changed)")
    put(",\"outcomes\":\(result.outcomes),\"ties\":\(result.ties)")
    if result.isWritten { put(",\"written\":true") }
    if result.isForgotten { put(",\"forgotten\":true") }
    if result.verdict == .error, let message = result.explanation.first {
      put(",\"error\":")
      append(json: message)
    }
    put("}\n")
  }

  private mutating func append(_ line: GoldenLine?) {
    guard let line else { return put("null") }
    append(object: line)
  }
}
