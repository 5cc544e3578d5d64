import GoldwireBytes
import GoldwirePackets
import GoldwireProtocols
import GoldwireTrace

// What a connection speaks, told by its bytes and never by its port.
extension CaptureRecorder {
  /// Takes the next bytes of a side's stream.
  mutating func deliver(_ bytes: Span<UInt8>, of index: Int, from side: Side) {
    guard connections.indices.contains(index), !bytes.isEmpty else { return }
    switch connections[index].mode {
    case .opaque: break
    case .http:
      if !https[connections[index].http].pairing.isPaired, doubt(bytes, of: index, from: side) { return }
      if side == connections[index].client {
        feedRequests(bytes, of: index)
      } else {
        let wasInBody = https[connections[index].http].responses.isInBody
        feedResponses(bytes, of: index)
        // Within a body nothing is held or let go.
        if wasInBody, isInBody(index) { return }
      }
      abandonHTTP(index)
      weighHTTP(index)
    case .webSocket: feedSocket(bytes, of: index, direction(side, of: index))
    case .unknown: recognise(bytes, of: index, from: side)
    }
  }

  @inline(__always)
  private func isInBody(_ index: Int) -> Bool {
    let slot = connections[index].http
    return slot >= 0 && https[slot].responses.isInBody
  }

  private mutating func recognise(_ bytes: Span<UInt8>, of index: Int, from side: Side) {
    guard connections[index][prefix: side].isEmpty else {
      var held: [UInt8] = []
      swap(&held, &connections[index][prefix: side])
      held.append(bytes)
      if connections[index].isMidway, HTTP1Recognition.judge(held.span) == .neither,
        TLSRecord(held.span) == nil
      {
        // What was held ended something that began before the capture; a message may start here.
        connections[index].unrecognised &+= 1
        return judge(bytes, of: index, from: side)
      }
      return judge(held.span, of: index, from: side)
    }
    judge(bytes, of: index, from: side)
  }

  private mutating func judge(_ bytes: Span<UInt8>, of index: Int, from side: Side) {
    let client = connections[index].client
    switch HTTP1Recognition.judge(bytes) {
    case .undecided:
      var held: [UInt8] = []
      held.append(bytes)
      connections[index][prefix: side] = held
    case .request where client == nil || client == side: startHTTP(index, client: side, bytes, from: side)
    case .response where client == nil || client == side.other:
      startHTTP(index, client: side.other, bytes, from: side)
    case .http2 where client == nil || client == side:
      if client == nil { setClient(side, of: index) }
      makeOpaque(index, .tcp, .other)
    case .request, .response, .http2, .neither: other(bytes, of: index, from: side)
    }
  }

  /// Bytes that are no HTTP.
  private mutating func other(_ bytes: Span<UInt8>, of index: Int, from side: Side) {
    if TLSRecord.mayBegin(bytes) {
      var held: [UInt8] = []
      held.append(bytes)
      connections[index][prefix: side] = held
      return
    }
    if let record = TLSRecord(bytes) {
      if connections[index].client == nil, let sender = record.sender {
        setClient(sender == .client ? side : side.other, of: index)
      }
      return makeOpaque(index, .tls, .noKeys)
    }
    guard connections[index].isMidway else { return odd(bytes, of: index, from: side) }
    if let peer = frames(bytes, of: index, from: side) {
      setClient(peer == .client ? side : side.other, of: index)
      attachSocket(index, path: 0)
      return feedSocket(bytes, of: index, direction(side, of: index))
    }
    // The begin was not seen: a message may still start at a later segment.
    connections[index].unrecognised &+= 1
  }

  /// Bytes of a connection's begin that nothing is known to start with.
  ///
  /// A client's odd request is still HTTP if the server answers so; until then it is held.
  private mutating func odd(_ bytes: Span<UInt8>, of index: Int, from side: Side) {
    let answered = table.facts(of: index, side.other).deliveredBytes > 0
    guard side == connections[index].client, !answered, bytes.count <= HTTP1Recognition.limit else {
      return makeOpaque(index, .tcp, .other)
    }
    var held: [UInt8] = []
    held.append(bytes)
    connections[index][prefix: side] = held
    connections[index].unrecognised &+= 1
  }

  /// Who sends the bytes, if they are WebSocket frames beyond doubt.
  private mutating func frames(_ bytes: Span<UInt8>, of index: Int, from side: Side) -> WebSocketPeer? {
    // A close alone is no session to attach to: nothing of it is left.
    if let first = bytes.isEmpty ? nil : bytes[0], first & 0x0F == 8 { return nil }
    if let peer = WebSocketRecognition.judge(bytes) { return peer }
    let hint = WebSocketRecognition.structure(bytes)
    let mine = connections[index][hint: side]
    let theirs = connections[index][hint: side.other]
    connections[index][hint: side] = hint
    guard let hint else { return nil }
    // One short frame can be chance; frames that agree, both ways or masked twice, are not.
    if let theirs, theirs != hint { return hint }
    return hint == .client && mine == .client ? hint : nil
  }

  /// Makes a connection an HTTP/1 one, and hands on what is held of the other side.
  private mutating func startHTTP(_ index: Int, client: Side, _ bytes: Span<UInt8>, from side: Side) {
    if connections[index].client == nil { setClient(client, of: index) }
    if let slot = freeHTTP.popLast() {
      https[slot] = HTTPState(key: settings.seed)
      connections[index].http = slot
    } else {
      connections[index].http = https.count
      https.append(HTTPState(key: settings.seed))
    }
    connections[index].mode = .http
    let (hasLost, slot) = (connections[index].hasLost, connections[index].http)
    if hasLost.first { _ = https[slot].lost(nil, direction(.first, of: index)) }
    if hasLost.second { _ = https[slot].lost(nil, direction(.second, of: index)) }
    var held: [UInt8] = []
    swap(&held, &connections[index][prefix: side.other])
    // The request comes before its answer, whichever told the protocol.
    if side == client { deliver(bytes, of: index, from: side) }
    if !held.isEmpty { deliver(held.span, of: index, from: side.other) }
    if side != client { deliver(bytes, of: index, from: side) }
  }

  /// Stops reading a connection on which something came after a rule had closed it.
  ///
  /// What waits there for a response may get one or not: nobody can tell any more.
  private mutating func abandonHTTP(_ index: Int) {
    let slot = connections[index].http
    guard slot >= 0, connections[index].mode == .http, https[slot].pairing.hasSwallowed else { return }
    stopHTTP(index)
  }

  /// Counts what an HTTP connection holds; the one that makes it too much in all is read no further.
  private mutating func weighHTTP(_ index: Int) {
    let slot = connections[index].http
    guard slot >= 0 else { return }
    let weight = https[slot].weight
    guard weight != https[slot].counted else { return }
    httpBytes &+= weight &- https[slot].counted
    https[slot].counted = weight
    guard httpBytes > settings.limits.httpBytesInAll else { return }
    let (channel, generation) = place(of: index, nil)
    emit(Gap(why: .limit), channel, generation)
    stopHTTP(index)
  }

  private mutating func stopHTTP(_ index: Int) {
    let slot = connections[index].http
    cutStream(.error, .in, of: index)
    dropHiddenAnswer(of: index)
    for exchange in https[slot].takeAll() where exchange.kind != .http {
      release(exchange.channel, exchange.generation)
    }
    dropHTTP(index)
    if connections[index].channel < 0 { return makeOpaque(index, .tcp, .other) }
    connections[index].mode = .opaque
    connections[index].why = .other
    counts.opaque &+= 1
    emit(
      .recOpaque(Opaque(at: .open, why: .other)), connections[index].channel, connections[index].generation)
  }

  /// Gives a connection's HTTP state back to the pool.
  mutating func dropHTTP(_ index: Int) {
    let slot = connections[index].http
    guard slot >= 0 else { return }
    dropStream(index)
    dropHiddenAnswer(of: index)
    httpBytes &-= https[slot].counted
    https[slot] = HTTPState(key: settings.seed)
    freeHTTP.append(slot)
    connections[index].http = -1
  }

  /// A connection ends, or the recording does, and its protocol was never told.
  mutating func giveUpRecognition(_ index: Int) {
    guard connections[index].mode == .unknown, connections[index].isAlive else { return }
    let isHeld = !connections[index].prefixes.first.isEmpty || !connections[index].prefixes.second.isEmpty
    guard isHeld || connections[index].unrecognised > 0 else { return }
    let sides = [Side.first, .second].filter { table.facts(of: index, $0).lastSegment != nil }
    makeOpaque(index, .tcp, sides.count == 1 ? .side : .other)
  }

  // MARK: Switching

  /// The client's direction speaks another protocol from `rest` on.
  mutating func switchRequests(to successor: HTTP1Successor, _ rest: Span<UInt8>, of index: Int) {
    guard connections[index].http >= 0, let client = connections[index].client else { return }
    let held = https[connections[index].http].requests.held
    if connections[index].mode == .http {
      // The preface of HTTP/2 where a request was expected; a switch by a response comes the other way.
      if successor == .http2 { return leaveHTTP(index, to: .http2) }
      https[connections[index].http].early.append(rest)
      return
    }
    deliver(held.span, of: index, from: client)
    deliver(rest, of: index, from: client)
  }

  /// The server's direction speaks another protocol from `rest` on, and so does the client's.
  mutating func switchResponses(to successor: HTTP1Successor, _ rest: Span<UInt8>, of index: Int) {
    guard let client = connections[index].client else { return }
    let slot = connections[index].http
    let held = https[slot].responses.held
    leaveHTTP(index, to: successor)
    let nothing: [UInt8] = []
    var offset = 0
    var early: [UInt8] = []
    _ = https[slot].nextRequest(nothing.span, &offset)
    if https[slot].requests.isSwitched { early = https[slot].requests.held + https[slot].early }
    dropHTTP(index)
    // A client must wait for the answer before it sends frames.
    if !early.isEmpty, connections[index].mode == .webSocket { note(.wsHandshake, .out, of: index) }
    deliver(early.span, of: index, from: client)
    deliver(held.span, of: index, from: client.other)
    deliver(rest, of: index, from: client.other)
  }

  private mutating func leaveHTTP(_ index: Int, to successor: HTTP1Successor) {
    switch successor {
    case .webSocket: openSocket(index)
    case .http2, .other:
      release(connections[index].channel, connections[index].generation)
      connections[index].channel = -1
      makeOpaque(index, .tcp, .other)
    case .tunnel:
      release(connections[index].channel, connections[index].generation)
      connections[index].channel = -1
      connections[index].mode = .unknown
    }
  }

  /// Tells a direction's decoder of missing bytes.
  mutating func lostHTTP(_ index: Int, _ direction: Direction, _ bytes: Int?) {
    let slot = connections[index].http
    if direction == .in { loseStream(index) }
    if let client = connections[index].client {
      connections[index][prefix: direction == .out ? client : client.other] = []
    }
    _ = https[slot].lost(bytes, direction)
    if direction == .in {
      https[slot].hideAnswer()
      if https[slot].hiddenAnswer != nil, let client = connections[index].client {
        connections[index][prefix: client] = https[slot].takeEarly()
      }
      prove(index)
      guard connections[index].http == slot else { return }
    }
    let nothing: [UInt8] = []
    if direction == .out {
      feedRequests(nothing.span, of: index)
    } else {
      https[slot].isInHole = true
      feedResponses(nothing.span, of: index)
      https[slot].isInHole = false
    }
    if connections[index].http == slot { https[slot].lastDoubt = (now, https[slot].pairing.doubts) }
  }
}
