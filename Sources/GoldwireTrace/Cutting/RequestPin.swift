/// What a cut keeps of a logical request that is under way: all its lines.
struct RequestPin {
  /// The indices of its lines.
  private(set) var indices: [Int] = []
  /// Whether it is under way at the beginning of the span, or goes on in it.
  var isNeeded = false

  mutating func note(_ line: TraceLine, _ index: Int, _ rules: PinRules) {
    indices.append(index)
    switch line.event {
    case .httpSend, .httpError, .httpWait: isNeeded = true
    case .httpResponse(let response): isNeeded = isUnfinished(after: response, rules)
    case .httpCancel: isNeeded = false
    // A written stop is the recorded client's own; a machine with other parameters may go on.
    case .httpStop: if !rules.isWritten { isNeeded = false }
    default: break
    }
  }

  private func isUnfinished(after response: HTTPResponse, _ rules: PinRules) -> Bool {
    guard let status = response.status else { return isNeeded }
    if status < 200 { return isNeeded }
    return status >= 400 && (rules.isWritten || rules.statuses.contains(status))
  }
}
