import GoldwireBytes

/// How a decoder reads frames, and judges them.
extension WebSocketDecoder {
  /// The most payload bytes of a control frame (RFC 6455 section 5.5).
  static var controlBytes: Int { 125 }

  mutating func head(_ bytes: Span<UInt8>, _ offset: inout Int, _ now: Int) {
    let there = bytes.count &- offset
    if partialHead.isEmpty {
      since = now
      if there >= 2, there >= WebSocketFrameHead.size(bytes[offset &+ 1]) {
        let found = WebSocketFrameHead.read(bytes, at: offset)
        offset &+= WebSocketFrameHead.size(bytes[offset &+ 1])
        begin(found)
        return
      }
    }
    let needed = partialHead.count < 2 ? 2 : WebSocketFrameHead.size(partialHead[1])
    let count = min(there, needed &- partialHead.count)
    partialHead.append(bytes.extracting(offset..<(offset &+ count)))
    offset &+= count
    guard partialHead.count >= 2, partialHead.count == WebSocketFrameHead.size(partialHead[1]) else { return }
    let found = WebSocketFrameHead.read(partialHead.span, at: 0)
    partialHead.removeAll(keepingCapacity: true)
    begin(found)
  }

  private mutating func begin(_ found: WebSocketFrameHead?) {
    guard let found else {
      rules.add(.wsFraming)
      messages.abandon()
      state = .stopped
      return
    }
    frame = found
    (position, rest) = (0, frame.count)
    state = .payload
    if frame.count > limits.frameBytes { owedLimit = .frame }
    judgeFraming()
    if frame.isControl {
      payload.removeAll(keepingCapacity: true)
      hasControlGap = false
      if !frame.isFinal || frame.count > WebSocketDecoder.controlBytes { rules.add(.wsControl) }
    } else {
      beginData()
    }
  }

  private mutating func judgeFraming() {
    if peer == .client, !frame.isMasked { rules.add(.wsMasking) }
    if peer == .server, frame.isMasked { rules.add(.wsMasking) }
    if !frame.isShortest || frame.opcode == nil { rules.add(.wsFraming) }
    if frame.hasReservedBits, !hasOtherExtensions, isHandshakeKnown { rules.add(.wsFraming) }
    guard frame.isCompressed else { return }
    if isDeflateAgreed {
      if frame.isControl || frame.opcode == .continuation { rules.add(.wsCompressedBit) }
    } else if !hasOtherExtensions, isHandshakeKnown {
      rules.add(.wsFraming)
    }
  }

  private mutating func beginData() {
    if isClosed { rules.add(.wsClose) }
    switch frame.opcode {
    case .text, .binary:
      if messages.isOpen {
        rules.add(.wsFragmentation)
        messages.abandon()
      }
      isOrphaned = false
      let isReadable = !frame.hasReservedBits && (!frame.isCompressed || isDeflateAgreed)
      messages.open(
        frame.opcode == .text ? .text : .binary, isCompressed: frame.isCompressed, isReadable: isReadable,
        since: since)
    case .continuation:
      if !messages.isOpen, !isOrphaned { rules.add(.wsFragmentation) }
    case .close, .ping, .pong, nil: break
    }
    if isMessageFrame { messages.countFrame() }
  }

  /// Whether the present frame belongs to the open message.
  private var isMessageFrame: Bool {
    guard messages.isOpen else { return false }
    return frame.opcode == .text || frame.opcode == .binary || frame.opcode == .continuation
  }

  /// Takes what is there of the present frame's payload.
  mutating func payload(_ bytes: Span<UInt8>, _ offset: inout Int) {
    let count = min(rest, bytes.count &- offset)
    guard count > 0 else { return }
    let piece = bytes.extracting(offset..<(offset &+ count))
    let mask = frame.mask(from: position)
    if frame.isControl {
      let room = hasControlGap ? 0 : WebSocketDecoder.controlBytes &- payload.count
      if room > 0 { payload.append(piece.extracting(0..<min(room, count)), mask: mask) }
    } else if isMessageFrame {
      messages.add(piece, mask: mask)
    }
    offset &+= count
    position &+= count
    rest &-= count
  }

  /// Ends the present frame.
  mutating func endFrame() -> WebSocketEvent? {
    switch frame.opcode {
    case .ping: return .ping(bytes: frame.count)
    case .pong: return .pong(bytes: frame.count)
    case .close: return close()
    case .text, .binary, .continuation:
      guard isMessageFrame else {
        if frame.isFinal { isOrphaned = false }
        return nil
      }
      guard frame.isFinal else { return nil }
      let (message, rule) = messages.close()
      if let rule { rules.add(rule) }
      if message.content == .tooLong { owedLimit = .inflated }
      swap(&payload, &messages.kept)
      return .message(message)
    case nil: return nil
    }
  }

  private mutating func close() -> WebSocketEvent {
    isClosed = true
    if frame.count == 1 { rules.add(.wsClose) }
    guard payload.count >= 2 else { return .close(code: nil) }
    let code = Int(payload.span.be16(at: 0))
    if let rule = WebSocketDecoder.rule(ofCode: code) { rules.add(rule) }
    if payload.count == frame.count {
      var reason = UTF8Checker()
      reason.add(payload.span.extracting(2..<payload.count))
      if !reason.isWhole { rules.add(.wsUTF8) }
    }
    return .close(code: code)
  }

  /// The rule that a close code on the wire breaks (RFC 6455 section 7.4); 1012 to 1014 are registered since.
  static func rule(ofCode code: Int) -> ProtocolRule? {
    switch code {
    case 1004, 1005, 1006, 1015: .wsCloseCode
    case 1000...1014, 3000...4999: nil
    default: .wsCloseRange
    }
  }
}
