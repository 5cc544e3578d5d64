import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

// What the server sends over HTTP/1.
extension CaptureRecorder {
  /// Takes bytes of the server.
  mutating func feedResponses(_ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].http
    if https[slot].isGivenUp { return }
    var offset = 0
    while connections[index].http == slot, let event = https[slot].nextResponse(bytes, &offset) {
      switch event {
      case .body(let range):
        https[slot].receivedBytes &+= range.count
        if connections[index].stream >= 0 { feedStream(bytes.extracting(range), of: index) }
      case .switched(let successor):
        switchResponses(to: successor, bytes.extracting(min(offset, bytes.count)..<bytes.count), of: index)
        return
      default: response(event, bytes, of: index)
      }
    }
  }

  /// Takes one event of the server's direction.
  @inline(never)
  mutating func response(_ event: HTTP1Event, _ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].http
    switch event {
    case .head: responseHead(bytes, of: index)
    case .body(let range):
      https[slot].receivedBytes &+= range.count
      if connections[index].stream >= 0 { feedStream(bytes.extracting(range), of: index) }
    case .end(let end): responseEnd(end, of: index)
    case .broken(let rule): note(rule, .in, of: index)
    case .limit: limit(index, .in)
    case .resumed, .switched, .heldBody: break
    }
  }

  private mutating func responseHead(_ bytes: Span<UInt8>, of index: Int) {
    guard let clock else { return }
    let slot = connections[index].http
    dropHiddenAnswer(of: index)
    let head = https[slot].responses.head
    if let ordinal = head.exchange, https[slot].firstOrdinal < ordinal { skip(before: ordinal, of: index) }
    let found = head.exchange.flatMap { head.isInterim ? https[slot].peek($0) : https[slot].take($0) }
    let exchange = found ?? orphan(head, of: index)
    let (seed, now) = (settings.seed, now)
    let epoch = base.addingReportingOverflow(now).partialValue
    let digest: ResponseDigest
    if let place = https[slot].responses.headPlace {
      digest = ResponseDigest(
        bytes.extracting(clamped(place, bytes.count)), head, clock, epoch: epoch, at: now, exchange,
        key: seed, &latestDate)
    } else {
      let held = https[slot].responses.held
      digest = ResponseDigest(
        held.span, head, clock, epoch: epoch, at: now, exchange, key: seed, &latestDate)
    }
    let status = head.status.flatMap { (100...599).contains($0) ? $0 : nil }
    if !head.isInterim {
      // Of a response whose length cannot be told no end is awaited.
      let hasEnd =
        head.framing != .none && (head.framing != .broken || found != nil) || head.status == 101
      https[slot].receiving = hasEnd ? exchange : nil
      https[slot].receivedBytes = 0
      cutStream(.eof, .in, of: index)
    }
    switch exchange.kind {
    case .http: answer(exchange, status, head, digest, of: index)
    case .webSocket: shake(exchange, status, head, digest)
    case .eventStream: openStream(exchange, status, head, digest, of: index)
    }
    if status == nil { emit(.recNote(.statusOut, rule: nil), exchange.channel, exchange.generation) }
  }

  /// The request of a response whose request was not seen: a new number, and nothing known.
  private mutating func orphan(_ head: HTTP1Head, of index: Int) -> Exchange {
    claimHTTP(index)
    let channel = connections[index].channel
    var exchange = Exchange(
      kind: .http, channel: channel, generation: connections[index].generation,
      identity: PastRequests.Identity(method: .other, target: 0, key: 0, length: -1),
      base: KeyedHash(key: settings.seed))
    exchange.isSent = true
    if channel >= 0 {
      book[channel].requests &+= 1
      exchange.request = book[channel].requests
    }
    return exchange
  }

  /// Writes the response to an ordinary request.
  private mutating func answer(
    _ exchange: Exchange, _ status: Int?, _ head: HTTP1Head, _ digest: ResponseDigest, of index: Int
  ) {
    let isStream = head.facts.contains(.eventStream) && (200..<300).contains(status ?? 0)
    var number: Int?
    if isStream, !head.isInterim, head.framing != .none {
      let (channel, generation) = claim(.sse, path: exchange.path, by: index)
      if channel >= 0 { number = book[channel].channel.number }
      beginStream(channel, generation, head, of: index)
    }
    emit(
      .httpResponse(
        HTTPResponse(
          req: exchange.request, attempt: exchange.attempt, hop: exchange.hopKey, status: status,
          retry: digest.retry, type: MediaType(head), sse: number)), exchange.channel, exchange.generation)
    guard let status, exchange.channel >= 0, let clock, !head.isInterim else { return }
    book.answer(exchange, status, digest, clock, at: now, limit: settings.limits.failures)
  }

  private mutating func responseEnd(_ end: HTTP1End, of index: Int) {
    let slot = connections[index].http
    if https[slot].isInHole, !end.isComplete {
      // Nobody saw where the body ends; the end of a stream shows later, by the next head or the connection's end.
      if connections[index].stream < 0 { https[slot].receiving = nil }
      return
    }
    // A message that ends before its last chunk or its length is broken, not at its end (RFC 9112 section 8).
    if connections[index].stream >= 0 { cutStream(end.isComplete ? .eof : .error, .in, of: index) }
    guard let exchange = https[slot].receiving else { return }
    https[slot].receiving = nil
    guard exchange.kind == .http else { return }
    if end.bytes > 0 || !end.isComplete {
      emit(
        .httpBody(
          HTTPBody(
            req: exchange.request, attempt: exchange.attempt, dir: .in, bytes: end.bytes,
            done: end.isComplete)), exchange.channel, exchange.generation)
    }
    if !end.isComplete { writeError(exchange, end.isBroken ? .protocol : .fin, .in, of: index) }
  }

  /// Writes that a request failed on its way, or that the client gave it up: its own end of the connection is no failure.
  mutating func writeError(_ exchange: Exchange, _ cause: Cause, _ direction: Direction, of index: Int) {
    guard exchange.request > 0 else { return }
    if cause != .protocol, isLocal(direction, of: index) {
      return emit(.httpCancel(req: exchange.request), exchange.channel, exchange.generation)
    }
    emit(
      .httpError(req: exchange.request, try: exchange.attempt, cause: cause, sent: exchange.isSent),
      exchange.channel, exchange.generation)
    book.fail(exchange, wait: 0, at: now, limit: settings.limits.failures)
  }
}

extension MediaType {
  fileprivate init?(_ head: HTTP1Head) {
    guard head.contentType.isPresent else { return nil }
    self = head.facts.contains(.eventStream) ? .eventStream : .other
  }
}
