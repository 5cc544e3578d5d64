/// What a head means for its exchange and for the bytes after it.
extension HTTP1Head {
  /// Enters a request into the exchanges and finds its framing; gives the protocol that follows, if any.
  mutating func completeRequest(
    _ exchanges: inout HTTP1Exchanges, _ limits: HTTP1Limits, _ rules: inout RuleList,
    _ owedLimit: inout HTTP1Limits.Name?
  ) -> HTTP1Successor? {
    if minor > 0, hostCount != 1 { rules.add(.httpTarget) }
    framing = requestFraming(&rules)
    let entry = HTTP1Exchanges.Entry(
      method: method, upgrade: askedUpgrade, isExpectant: facts.contains(.expectContinue))
    exchange = exchanges.add(entry, limit: limits.outstanding)
    if exchange == nil { owedLimit = .outstanding }
    if closes { exchanges.closes(after: exchange) }
    return nil
  }

  /// Finds the request that a response answers, and its framing; gives the protocol that follows, if any.
  mutating func completeResponse(
    _ exchanges: inout HTTP1Exchanges, _ rules: inout RuleList
  ) -> HTTP1Successor? {
    let answered = exchanges.answer(isInterim: isInterim, isError: status.map { $0 >= 400 } ?? false)
    exchange = answered?.ordinal
    method = answered?.entry.method ?? .other
    if status == 101 {
      let asked = answered?.entry.upgrade
      if answered != nil, asked == nil || asked == .tunnel { rules.add(.httpUpgrade) }
      return facts.contains(.webSocket) || asked == .webSocket
        ? .webSocket : facts.contains(.h2c) || asked == .http2 ? .http2 : .other
    }
    let hasSuccess = status.map { $0 / 100 == 2 } ?? false
    if hasSuccess, answered?.entry.upgrade == .tunnel { return .tunnel }
    framing = responseFraming(&rules)
    if exchanges.isLast(exchange), !isInterim { closes = true }
    return nil
  }

  /// Whether a response would have no body, against what its own fields say, if its request were HEAD.
  var mayBeBodiless: Bool {
    switch framing {
    case .none, .broken: false
    case .length(let count): count > 0
    case .chunked, .untilClose: true
    }
  }

  private var askedUpgrade: HTTP1Successor? {
    if method == .connect { return .tunnel }
    if facts.contains(.webSocket) { return .webSocket }
    if facts.contains(.h2c) { return .http2 }
    return facts.contains(.otherUpgrade) ? .other : nil
  }

  private mutating func requestFraming(_ rules: inout RuleList) -> HTTP1Framing {
    if facts.contains(.transferCoding) {
      if contentLength != nil || lengthFault != nil { closes = true }
      transferRules(&rules)
      if facts.contains(.chunked) { return .chunked }
      rules.add(.httpLength)
      closes = true
      return .broken
    }
    if let fault = lengthFault { return brokenLength(fault, &rules) }
    return contentLength.map { .length($0) } ?? .none
  }

  private mutating func responseFraming(_ rules: inout RuleList) -> HTTP1Framing {
    let isBodiless = isInterim || status == 204 || status == 304
    if isBodiless || method == .head {
      if facts.contains(.transferCoding), isBodiless, status != 304 { rules.add(.httpTransferCoding) }
      if lengthFault != nil { contentLength = nil }
      return .none
    }
    if facts.contains(.transferCoding) {
      transferRules(&rules)
      return facts.contains(.chunked) ? .chunked : .untilClose
    }
    if let fault = lengthFault { return brokenLength(fault, &rules) }
    return contentLength.map { .length($0) } ?? .untilClose
  }

  private mutating func transferRules(_ rules: inout RuleList) {
    if facts.contains(.chunkedTwice) { rules.add(.httpTransferCoding) }
    if minor == 0 {
      rules.add(.httpTransferCoding)
      closes = true
    }
    if contentLength != nil || lengthFault != nil {
      rules.add(.httpLength)
      contentLength = nil
    }
  }

  private mutating func brokenLength(_ fault: ProtocolRule, _ rules: inout RuleList) -> HTTP1Framing {
    rules.add(fault)
    contentLength = nil
    closes = true
    return .broken
  }
}
