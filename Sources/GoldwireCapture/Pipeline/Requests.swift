import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

// What the client sends over HTTP/1.
extension CaptureRecorder {
  /// Takes bytes of the client.
  mutating func feedRequests(_ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].http
    if https[slot].requests.isSwitched { return https[slot].early.append(bytes) }
    var offset = 0
    while connections[index].http == slot, let event = https[slot].nextRequest(bytes, &offset) {
      switch event {
      case .switched(let successor):
        switchRequests(to: successor, bytes.extracting(min(offset, bytes.count)..<bytes.count), of: index)
        return
      default: request(event, bytes, of: index)
      }
    }
  }

  /// Takes one event of the client's direction.
  @inline(never)
  mutating func request(_ event: HTTP1Event, _ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].http
    switch event {
    case .head: requestHead(bytes, of: index)
    case .body(let range):
      https[slot].sentHash.add(bytes.extracting(range))
      https[slot].sentBytes &+= range.count
    case .heldBody(let count):
      let held = https[slot].requests.held
      https[slot].sentHash.add(held.span.extracting(0..<count))
      https[slot].sentBytes &+= count
    case .end(let end): requestEnd(end, of: index)
    case .broken(let rule): note(rule, .out, of: index)
    case .limit: limit(index, .out)
    case .resumed, .switched: break
    }
  }

  private mutating func requestHead(_ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].http
    dropHiddenAnswer(of: index)
    let head = https[slot].requests.head
    let seed = settings.seed
    let digest: RequestDigest
    if let place = https[slot].requests.headPlace {
      digest = RequestDigest(bytes.extracting(clamped(place, bytes.count)), head, key: seed)
    } else {
      let held = https[slot].requests.held
      digest = RequestDigest(held.span, head, key: seed)
    }
    let identity = PastRequests.Identity(
      method: Method(head.method), target: digest.target, key: digest.key, length: head.contentLength ?? -1)
    var exchange: Exchange
    if head.asksForWebSocket {
      let (channel, generation) = claim(.ws, path: digest.path, by: index)
      exchange = Exchange(
        kind: .webSocket, channel: channel, generation: generation, identity: identity, base: digest.base)
      https[slot].offer = head.extensions
      show(.out, .wsConnect, channel, generation)
    } else if head.asksForEventStream {
      let (channel, generation) = claim(.sse, path: digest.path, by: index)
      exchange = Exchange(
        kind: .eventStream, channel: channel, generation: generation, identity: identity, base: digest.base)
      show(.out, .sseConnect(cursor: digest.cursor.map { pseudonym($0, in: channel) }), channel, generation)
    } else {
      exchange = send(identity, digest, head, by: index)
    }
    exchange.path = digest.path
    exchange.host = digest.host
    exchange.isSent = head.framing == .none
    if let ordinal = head.exchange {
      https[slot].wait(exchange, ordinal: ordinal)
      https[slot].sending = exchange.isSent ? nil : (ordinal, exchange)
    } else {
      https[slot].sending = nil
    }
    https[slot].sentBytes = 0
    https[slot].sentHash = KeyedHash(key: seed)
  }

  /// Writes an ordinary request, as a new one or as the next try or hop of an earlier one.
  private mutating func send(
    _ identity: PastRequests.Identity, _ digest: RequestDigest, _ head: HTTP1Head, by index: Int
  ) -> Exchange {
    claimHTTP(index)
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    var exchange = Exchange(
      kind: .http, channel: channel, generation: generation, identity: identity, base: digest.base)
    guard channel >= 0 else { return exchange }
    book.number(&exchange, at: now)
    let key = digest.key == 0 ? nil : pseudonyms.key(digest.key, in: channel)
    emit(
      .httpSend(
        HTTPSend(
          req: exchange.request, attempt: exchange.attempt, hop: exchange.hopKey, method: identity.method,
          key: key, bytes: head.contentLength)), channel, generation)
    noteForgotten(channel)
    return exchange
  }

  /// Gives a connection its place in an HTTP channel.
  mutating func claimHTTP(_ index: Int) {
    guard connections[index].channel < 0 else { return }
    let (channel, generation) = claim(.http, path: 0, by: index)
    connections[index].channel = channel
    connections[index].generation = generation
  }

  private mutating func requestEnd(_ end: HTTP1End, of index: Int) {
    let slot = connections[index].http
    guard let (ordinal, exchange) = https[slot].sending else { return }
    https[slot].sending = nil
    let isWhole = end.isComplete && end.lost == 0
    let body = isWhole ? https[slot].sentHash.value : nil
    if end.isComplete { https[slot].sent(ordinal, body: body) }
    guard exchange.kind == .http, exchange.channel >= 0 else { return }
    if end.isComplete { book[exchange.channel].past.sent(exchange.request, exchange.attempt, body: body) }
    guard end.bytes > 0 || !end.isComplete else { return }
    let differs = body.map { exchange.expected ?? $0 != $0 } ?? false
    emit(
      .httpBody(
        HTTPBody(
          req: exchange.request, attempt: exchange.attempt, dir: .out, bytes: end.bytes,
          done: end.isComplete, differs: differs ? .body : [])), exchange.channel, exchange.generation)
  }

  /// Writes that a rule was broken.
  mutating func note(_ rule: ProtocolRule, _ direction: Direction, of index: Int) {
    let (channel, generation) = claimedPlace(of: index, direction)
    emit(.recNote(.protocol, rule: RuleName(rule)), channel, generation)
  }
}

extension Method {
  /// The method as a trace names it.
  init(_ method: HTTPMethod) {
    switch method {
    case .get: self = .get
    case .head: self = .head
    case .post: self = .post
    case .put: self = .put
    case .delete: self = .delete
    case .connect: self = .connect
    case .options: self = .options
    case .trace: self = .trace
    case .patch: self = .patch
    case .other: self = .other
    }
  }
}

extension RuleName {
  /// The rule's name from the two numbers that its text holds.
  init(_ rule: ProtocolRule) {
    var numbers: [Int] = []
    var number: Int?
    for byte in rule.rawValue.utf8 {
      if byte >= 0x30, byte <= 0x39 {
        number = min((number ?? 0) &* 10 &+ Int(byte &- 0x30), 65_535)
      } else if let value = number {
        numbers.append(value)
        number = nil
      }
    }
    if let number { numbers.append(number) }
    func part(_ index: Int) -> UInt8 { index < numbers.count ? UInt8(clamping: numbers[index]) : 0 }
    self.init(rfc: UInt16(clamping: numbers.first ?? 0), part(1), part(2), part(3), part(4))
  }
}
