/// How a decoder reads bodies.
extension HTTP1Decoder {
  /// The next piece of a body; nil if there is none, or something is owed first.
  mutating func body(_ bytes: Span<UInt8>, _ offset: inout Int) -> HTTP1Event? {
    switch state {
    case .length(let rest):
      guard rest > 0 else {
        endBody(isComplete: true)
        return nil
      }
      guard offset < bytes.count else { return nil }
      let piece = offset..<(offset &+ min(rest, bytes.count &- offset))
      state = .length(rest &- piece.count)
      return hand(piece, &offset)
    case .untilClose:
      guard offset < bytes.count else { return nil }
      return hand(offset..<bytes.count, &offset)
    case .chunks:
      switch chunks.next(bytes, &offset, limits: limits) {
      case .data(let piece): return hand(piece, &offset)
      case .end: endBody(isComplete: true)
      case .broken: breakBody(.httpChunk, nil)
      case .limit(let name): breakBody(nil, name)
      case .more: break
      }
      return nil
    case .start, .startLine, .fields, .expecting, .heldLine, .uncertain, .garbage, .switching, .switched,
      .stopped:
      return nil
    }
  }

  /// Enters a body, by its framing.
  mutating func enterBody() {
    switch head.framing {
    case .none: state = head.closes ? .stopped : .start
    case .length(let count): state = .length(count)
    case .chunked:
      chunks = ChunkReader()
      state = .chunks
    case .untilClose: state = .untilClose
    case .broken:
      // A response without a usable length is discarded (RFC 9112 section 6.3).
      if role == .responses {
        owedEnd = HTTP1End(bytes: 0, lost: 0, isComplete: false, isBroken: true)
      }
      state = .stopped
    }
  }

  /// Tells by the byte behind a response's head whether it has a body, where its request may have been HEAD.
  ///
  /// After a response to HEAD comes a status line (RFC 9112 section 6.3). A body that begins with its first letter is not
  /// counted.
  mutating func uncertain(_ byte: UInt8) {
    guard byte == 0x48 else { return enterBody() }
    skipped = 0
    isResynchronising = true
    state = .start
  }

  mutating func hand(_ piece: Range<Int>, _ offset: inout Int) -> HTTP1Event {
    offset = piece.upperBound
    bodyBytes = bodyBytes.addingClamped(piece.count)
    return .body(piece)
  }

  mutating func endBody(isComplete: Bool) {
    owedEnd = HTTP1End(bytes: bodyBytes, lost: bodyLost, isComplete: isComplete, isBroken: false)
    state = head.closes ? .stopped : .start
  }

  mutating func breakBody(_ rule: ProtocolRule?, _ limit: HTTP1Limits.Name?) {
    if let rule { rules.add(rule) }
    owedLimit = limit
    owedEnd = HTTP1End(bytes: bodyBytes, lost: bodyLost, isComplete: false, isBroken: true)
    state = .stopped
  }

  mutating func addLost(_ count: Int) {
    bodyBytes = bodyBytes.addingClamped(count)
    bodyLost = bodyLost.addingClamped(count)
  }
}
