internal import GoldwireBytes

/// The event's name, for which the key is written, and its keys, in the order of the format's tables.
///
/// The frequent events have functions of their own, small enough for the compiler to fold their keys.
extension OutputSpan where Element == UInt8 {
  @inline(__always)
  mutating func put(_ event: TraceEvent) {
    switch event {
    case .wsMessage(let message): put(message)
    case .sseEvent(let n, let id, let rev, let bytes): putEvent(n, id, rev, bytes)
    case .httpSend(let send): put(send)
    case .httpResponse(let response): put(response)
    case .httpBody(let body): put(body)
    case .sseComment: put(name: .sseComment)
    default: putOther(event)
    }
  }

  @inline(__always)
  private mutating func put(name kind: EventKind) {
    put(kind.text)
  }

  @inline(never)
  private mutating func putOther(_ event: TraceEvent) {
    put(name: event.kind)
    switch event {
    case .wsMessage, .sseEvent, .httpSend, .httpResponse, .httpBody: break
    case .wsConnect, .wsAttach, .sseComment, .sseCancel, .appBackground, .appForeground, .recTick: break
    case .wsOpen, .wsRefused, .wsPing, .wsPong, .wsPinged, .wsClose, .wsEnd: putWS(event)
    case .httpError, .httpWait, .httpCancel, .httpStop: putHTTP(event)
    case .sseConnect, .sseOpen, .sseID, .sseRetry, .sseHandled, .sseCommit, .sseCut: putSSE(event)
    case .appNetwork(let network): word(.to, network)
    case .appSession(let session): whole(.session, session, Bounds.ordinal)
    case .recPause, .recWall, .recLife, .recGap, .recOpaque, .recNote, .recDrop, .recEnd: putRec(event)
    }
  }

  @inline(never)
  private mutating func putWS(_ event: TraceEvent) {
    switch event {
    case .wsOpen(let status, let deflate):
      within(.status, status, Bounds.status)
      flag(.deflate, deflate)
    case .wsRefused(let cause, let status, let retry):
      word(.cause, cause)
      within(.status, status, Bounds.status)
      self.retry(retry)
    case .wsPing(let dir, let id, let bytes):
      word(.dir, dir)
      whole(.id, id, Bounds.ordinal)
      whole(.bytes, bytes)
    case .wsPong(let dir, let id, let bytes):
      word(.dir, dir)
      whole(.id, id)
      whole(.bytes, bytes)
    case .wsPinged(let id, let result, let cause):
      whole(.id, id)
      word(.result, result)
      word(.cause, cause)
    case .wsClose(let dir, let code, let by):
      word(.dir, dir)
      within(.code, code, Bounds.code)
      word(.by, by)
    case .wsEnd(let cause, let dir):
      word(.cause, cause)
      word(.dir, dir)
    default: break
    }
  }

  @inline(never)
  private mutating func putHTTP(_ event: TraceEvent) {
    switch event {
    case .httpError(let req, let attempt, let cause, let sent):
      whole(.req, req, Bounds.ordinal)
      whole(.attempt, attempt, Bounds.ordinal)
      word(.cause, cause)
      flag(.sent, sent)
    case .httpWait(let req, let attempt, let duration, let unit):
      whole(.req, req, Bounds.ordinal)
      whole(.attempt, attempt, Bounds.ordinal)
      whole(.duration, duration)
      whole(.unit, unit, Bounds.millionths)
    case .httpCancel(let req): whole(.req, req, Bounds.ordinal)
    case .httpStop(let req, let why):
      whole(.req, req, Bounds.ordinal)
      word(.why, why)
    default: break
    }
  }

  @inline(never)
  private mutating func put(_ message: WSMessage) {
    switch (message.dir, message.kind) {
    case (.out, .text): put("ws.message\",\"dir\":\"out\",\"kind\":\"text\",\"bytes\":")
    case (.in, .text): put("ws.message\",\"dir\":\"in\",\"kind\":\"text\",\"bytes\":")
    case (.out, .binary): put("ws.message\",\"dir\":\"out\",\"kind\":\"binary\",\"bytes\":")
    case (.in, .binary): put("ws.message\",\"dir\":\"in\",\"kind\":\"binary\",\"bytes\":")
    }
    put(min(max(message.bytes, 0), TraceLimits.number))
    whole(.since, message.since)
    word(.beat, message.beat)
    whole(.id, message.id)
  }

  @inline(never)
  private mutating func putEvent(_ n: Int, _ id: Int?, _ rev: Int, _ bytes: Int) {
    put("sse.event\",\"n\":")
    put(min(max(n, Bounds.ordinal.lowerBound), Bounds.ordinal.upperBound))
    pseudonym(.id, UInt8(ascii: "e"), id)
    if rev > 1 { whole(.rev, rev) }
    whole(.bytes, bytes)
  }

  @inline(never)
  private mutating func put(_ send: HTTPSend) {
    put(name: .httpSend)
    whole(.req, send.req, Bounds.ordinal)
    whole(.attempt, send.attempt, Bounds.ordinal)
    whole(.hop, send.hop, Bounds.ordinal)
    word(.method, send.method)
    flag(.replayable, send.replayable)
    pseudonym(.key, UInt8(ascii: "k"), send.key)
    whole(.bytes, send.bytes)
  }

  @inline(never)
  private mutating func put(_ response: HTTPResponse) {
    put(name: .httpResponse)
    whole(.req, response.req, Bounds.ordinal)
    whole(.attempt, response.attempt, Bounds.ordinal)
    whole(.hop, response.hop, Bounds.ordinal)
    within(.status, response.status, Bounds.status)
    retry(response.retry)
    word(.type, response.type)
    if let stream = response.sse {
      put(EventKey.sse.text)
      put(Channel(.sse, stream))
      append(0x22)
    }
  }

  @inline(never)
  private mutating func put(_ body: HTTPBody) {
    put(name: .httpBody)
    whole(.req, body.req, Bounds.ordinal)
    whole(.attempt, body.attempt, Bounds.ordinal)
    word(.dir, body.dir)
    whole(.bytes, body.bytes)
    flag(.done, body.done)
    guard !body.differs.isEmpty else { return }
    put(",\"differs\":[")
    if body.differs.contains(.key) { put("\"key\"") }
    if body.differs.isSuperset(of: [.key, .body]) { append(0x2C) }
    if body.differs.contains(.body) { put("\"body\"") }
    append(0x5D)
  }

  @inline(never)
  private mutating func putSSE(_ event: TraceEvent) {
    let letter = UInt8(ascii: "e")
    switch event {
    case .sseConnect(let cursor): pseudonym(.cursor, letter, cursor)
    case .sseOpen(let status, let type, let retry):
      within(.status, status, Bounds.status)
      word(.type, type)
      self.retry(retry)
    case .sseID(let id): pseudonym(.id, letter, id)
    case .sseRetry(let milliseconds): whole(.ms, milliseconds, Bounds.int31)
    case .sseHandled(let n, let ok):
      whole(.n, n, Bounds.ordinal)
      flag(.ok, ok)
    case .sseCommit(let cursor): pseudonym(.cursor, letter, cursor)
    case .sseCut(let cause, let dir, let partial):
      word(.cause, cause)
      word(.dir, dir)
      whole(.partial, partial)
    default: break
    }
  }

  @inline(never)
  private mutating func putRec(_ event: TraceEvent) {
    switch event {
    case .recPause(let duration, let slept):
      whole(.duration, duration)
      whole(.slept, slept)
    case .recWall(let step): signed(.step, step)
    case .recLife(let dir, let kind):
      word(.dir, dir)
      word(.kind, kind)
    case .recGap(let gap):
      word(.dir, gap.dir)
      whole(.bytes, gap.bytes)
      whole(.packets, gap.packets)
      whole(.events, gap.events)
      word(.why, gap.why)
    case .recOpaque(let opaque):
      word(.at, opaque.at)
      word(.why, opaque.why)
      word(.cause, opaque.cause)
      word(.dir, opaque.dir)
      whole(.sentBytes, opaque.out)
      whole(.received, opaque.in)
    case .recNote(let note, let rule):
      word(.note, note)
      if let rule { put(rule) }
    case .recDrop(let count): whole(.count, count)
    case .recEnd(let why, let counts):
      word(.why, why)
      if let counts { put(counts) }
    default: break
    }
  }

  private mutating func put(_ rule: RuleName) {
    put(",\"rule\":\"rfc")
    put(max(Int(rule.rfc), 1))
    append(UInt8(ascii: "-"))
    put(max(Int(rule.section.0), 1))
    for part in rule.parts.dropFirst() {
      append(UInt8(ascii: "."))
      put(max(Int(part), 1))
    }
    append(0x22)
  }

  private mutating func put(_ counts: Counts) {
    put(",\"counts\":{\"packets\":")
    put(min(max(counts.packets, 0), TraceLimits.number))
    for (key, value) in counts.others where value > 0 {
      append(0x2C)
      put(unquoted: key)
      put(min(value, TraceLimits.number))
    }
    append(0x7D)
  }
}
