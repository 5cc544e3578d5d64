import GoldwireBytes

/// How a decoder reads start lines and heads, and finds them again.
extension HTTP1Decoder {
  @inline(__always)
  mutating func owed() -> HTTP1Event? {
    if !owesHead, rules.isEmpty, owedLimit == nil, owedEnd == nil { return nil }
    return takeOwed()
  }

  @inline(never)
  private mutating func takeOwed() -> HTTP1Event? {
    if owesHead {
      owesHead = false
      return .head
    }
    if let rule = rules.removeFirst() { return .broken(rule) }
    if let limit = owedLimit {
      owedLimit = nil
      return .limit(limit)
    }
    if let end = owedEnd {
      owedEnd = nil
      return .end(end)
    }
    return nil
  }

  /// At a message's start; stays there, with all bytes taken, if there are none but line ends.
  mutating func start(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ exchanges: inout HTTP1Exchanges
  ) -> HTTP1Event? {
    if let successor = exchanges.successor {
      state = .switching(successor)
      return nil
    }
    while offset < bytes.count, bytes[offset] == 0x0D || bytes[offset] == 0x0A {
      offset &+= 1
      if isResynchronising { skipped &+= 1 }
    }
    guard offset < bytes.count else { return nil }
    var found = HTTP1Head()
    var broken = RuleList()
    let outcome = HeadParser.parse(
      bytes, from: offset, role: role, isStrict: isResynchronising, limit: limits.headBytes, into: &found,
      rules: &broken)
    switch outcome {
    case .complete(let end):
      isHeadHeld = false
      headStart = offset
      offset = end
      return take(found, broken, &exchanges)
    case .incomplete:
      clearHeld()
      scanner = HeadScanner()
      isHeadHeld = false
      state = .startLine
    case .foreign:
      foreign(bytes, offset, &exchanges)
    case .tooLong:
      offset &+= limits.headBytes
      tooLong(&exchanges)
    }
    return nil
  }

  mutating func startLine(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ exchanges: inout HTTP1Exchanges
  ) {
    if let successor = exchanges.successor {
      state = .switching(successor)
      return
    }
    let lineFeed = bytes.firstIndex(of: 0x0A, from: offset)
    let end = min(lineFeed.map { $0 &+ 1 } ?? bytes.count, offset &+ (limits.headBytes &- held.count))
    let isEnd = lineFeed.map { end == $0 &+ 1 } ?? false
    _ = scanner.end(bytes.extracting(offset..<end), from: 0)
    held.append(bytes.extracting(offset..<end))
    offset = end
    var verdict = StartLine.prefix(held.span, from: 0, role: role, isStrict: isResynchronising)
    if verdict == .yes, isEnd, !StartLine.isWhole(held.span, 0..<lineEnd(), role: role) { verdict = .no }
    if isEnd, verdict == .more { verdict = .no }
    if verdict == .no, isPreface(held.span, 0) {
      state = .switching(.http2)
    } else if verdict == .no {
      noMessage(heldBytes: held.count, &exchanges)
      state = isEnd ? .start : .garbage
    } else if held.count >= limits.headBytes {
      tooLong(&exchanges)
    } else if isEnd {
      state = .fields
    }
  }

  /// The end of the held line, without its line end.
  func lineEnd() -> Int {
    var end = held.count &- 1
    if end > 0, held[end &- 1] == 0x0D { end &-= 1 }
    return max(end, 0)
  }

  mutating func fields(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ exchanges: inout HTTP1Exchanges
  ) -> HTTP1Event? {
    let most = min(bytes.count, offset &+ (limits.headBytes &- held.count))
    let piece = bytes.extracting(offset..<most)
    let end = scanner.end(piece, from: 0)
    held.append(piece.extracting(0..<(end ?? piece.count)))
    offset &+= end ?? piece.count
    guard end != nil else {
      if held.count >= limits.headBytes { tooLong(&exchanges) }
      return nil
    }
    var found = HTTP1Head()
    var broken = RuleList()
    let outcome = HeadParser.parse(
      held.span, from: 0, role: role, isStrict: false, limit: limits.headBytes, into: &found, rules: &broken)
    guard case .complete = outcome else {
      noMessage(heldBytes: held.count, &exchanges)
      state = .start
      return nil
    }
    isHeadHeld = true
    return take(found, broken, &exchanges)
  }

  /// Takes a complete head: pairs it, and goes to what follows it.
  mutating func take(
    _ found: HTTP1Head, _ broken: RuleList, _ exchanges: inout HTTP1Exchanges
  ) -> HTTP1Event {
    head = found
    rules = broken
    (bodyBytes, bodyLost) = (0, 0)
    let successor =
      switch role {
      case .requests: head.completeRequest(&exchanges, limits, &rules, &owedLimit)
      case .responses: head.completeResponse(&exchanges, &rules)
      }
    if let successor {
      exchanges.successor = successor
      state = .switching(successor)
    } else {
      enterBody()
      if role == .responses, head.exchange == nil, head.mayBeBodiless { state = .uncertain }
      if role == .requests, head.facts.contains(.expectContinue), head.mayBeBodiless {
        state = .expecting(holds: false)
      }
    }
    guard isResynchronising else { return .head }
    isResynchronising = false
    owesHead = true
    return .resumed(skipped: skipped)
  }

  /// No message starts at `offset`, which may be because the protocol is another by now.
  mutating func foreign(_ bytes: Span<UInt8>, _ offset: Int, _ exchanges: inout HTTP1Exchanges) {
    if role == .requests, !isResynchronising {
      if let successor = exchanges.pendingUpgrade, !StartLine.isToken(bytes[offset]) {
        state = .switching(successor)
        return
      }
    }
    if isPreface(bytes, offset) {
      state = .switching(.http2)
      return
    }
    noMessage(heldBytes: 0, &exchanges)
    state = .garbage
  }

  /// Whether HTTP/2 starts here without having been asked for.
  func isPreface(_ bytes: Span<UInt8>, _ offset: Int) -> Bool {
    role == .requests && !isResynchronising && bytes.holds("PRI * HTTP/2.0\r\n", at: offset)
  }

  /// Skips bytes that start no message; among what is skipped from here on, there may be messages.
  mutating func noMessage(heldBytes: Int, _ exchanges: inout HTTP1Exchanges) {
    clearHeld()
    exchanges.headsLost(role, begins: false)
    if !isResynchronising {
      rules.add(role == .requests ? .httpRequestLine : .httpStatusLine)
      skipped = 0
      isResynchronising = true
    }
    skipped &+= heldBytes
  }

  mutating func tooLong(_ exchanges: inout HTTP1Exchanges) {
    clearHeld()
    exchanges.headsLost(role, begins: !isResynchronising)
    owedLimit = .head
    if !isResynchronising { skipped = 0 }
    isResynchronising = true
    skipped &+= limits.headBytes
    state = .garbage
  }

  /// Lets the held bytes go, and their room too after an unusually large head.
  mutating func clearHeld() {
    held.removeAll(keepingCapacity: held.capacity <= 16_384)
  }

  mutating func garbage(_ bytes: Span<UInt8>, _ offset: inout Int) {
    let lineFeed = bytes.firstIndex(of: 0x0A, from: offset)
    let end = lineFeed.map { $0 &+ 1 } ?? bytes.count
    skipped &+= end &- offset
    offset = end
    if lineFeed != nil { state = .start }
  }
}
