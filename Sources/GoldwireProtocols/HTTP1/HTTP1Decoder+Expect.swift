import GoldwireBytes

/// How a decoder reads what follows a request that waits for the server's word before it sends its body.
extension HTTP1Decoder {
  /// Takes the first bytes after the head of such a request.
  ///
  /// A client that was answered by an error need not send the body (RFC 9110 section 10.1.1), and some go on with the next
  /// request: a whole request line is taken for one. Up to its end bytes are held back.
  mutating func expecting(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ exchanges: HTTP1Exchanges, holds: Bool
  ) -> HTTP1Event? {
    guard let ordinal = head.exchange, exchanges.refused == ordinal, head.framing != .broken else {
      enterBody()
      return nil
    }
    if !holds { clearHeld() }
    state = .expecting(holds: true)
    let lineFeed = bytes.firstIndex(of: 0x0A, from: offset)
    let most = min(bytes.count, offset &+ (HTTP1Recognition.limit &- held.count))
    let end = lineFeed.map { min($0 &+ 1, most) } ?? most
    held.append(bytes.extracting(offset..<end))
    offset = end
    let isEnd = held.last == 0x0A
    let verdict = StartLine.prefix(held.span, from: 0, role: .requests, isStrict: true)
    if verdict != .no, !isEnd, held.count < HTTP1Recognition.limit { return nil }
    guard verdict == .yes, isEnd, isRequestLine() else { return enterHeldBody() }
    rules.add(.httpLength)
    owedEnd = HTTP1End(bytes: 0, lost: 0, isComplete: false, isBroken: false)
    enterFields()
    return nil
  }

  /// Whether the held line is a request line with just two blanks.
  private func isRequestLine() -> Bool {
    let line = 0..<lineEnd()
    var blanks = 0
    for index in line where StartLine.isBlank(held[index]) { blanks &+= 1 }
    return blanks == 2 && StartLine.isWhole(held.span, line, role: .requests)
  }

  private mutating func enterFields() {
    var scanner = HeadScanner()
    _ = scanner.end(held.span, from: 0)
    self.scanner = scanner
    isHeadHeld = false
    state = .fields
  }

  /// Enters a body of which the first bytes were held back.
  private mutating func enterHeldBody() -> HTTP1Event? {
    enterBody()
    // What is held now belongs to this message, whatever follows it.
    isHeadHeld = true
    switch state {
    case .length(let rest):
      let count = min(rest, held.count)
      bodyBytes = count
      state = count < held.count ? .heldLine(count) : .length(rest &- count)
      return .heldBody(count)
    case .chunks:
      // A line at most, which holds no data.
      var (offset, reader) = (0, chunks)
      let step = reader.next(held.span, &offset, limits: limits)
      chunks = reader
      switch step {
      case .broken: breakBody(.httpChunk, nil)
      case .limit(let name): breakBody(nil, name)
      case .data, .end, .more: break
      }
      return nil
    default: return nil
    }
  }

  /// Ends a body of which all was held back, and takes the line that is held behind it.
  mutating func heldLine(after count: Int, _ exchanges: inout HTTP1Exchanges) {
    endBody(isComplete: true)
    guard state == .start else { return }
    let start = held[count...].firstIndex { $0 != 0x0D && $0 != 0x0A } ?? held.count
    held.removeFirst(start)
    isHeadHeld = false
    guard let last = held.last else { return }
    guard last == 0x0A else {
      enterFields()
      state = .startLine
      return
    }
    if StartLine.prefix(held.span, from: 0, role: .requests, isStrict: false) == .yes,
      StartLine.isWhole(held.span, 0..<lineEnd(), role: .requests)
    {
      return enterFields()
    }
    noMessage(heldBytes: held.count, &exchanges)
    state = .start
  }

  /// Takes what is held for the beginning of the body, since what follows is missing.
  mutating func giveUpExpecting(holds: Bool) {
    enterBody()
    guard case .length(let rest) = state else { return }
    bodyBytes = min(rest, holds ? held.count : 0)
    bodyLost = bodyBytes
    state = .length(rest &- bodyBytes)
  }

  /// Ends such a request's body with the direction.
  mutating func finishExpecting(holds: Bool) {
    giveUpExpecting(holds: holds)
    bodyLost = 0
    endBody(isComplete: state == .length(0))
  }
}
