import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

/// The entries of a HAR as they are read, and what the file says of itself.
struct HARLog {
  /// The entries, in the order of the file.
  private(set) var entries: [HAREntry] = []
  /// The entries that are no HTTP or WebSocket: `data:`, `blob:`, extensions.
  private(set) var ignored = 0
  /// The entries that were never on the wire: out of a cache, blocked, or redirected by the browser itself.
  private(set) var unsent = 0
  /// The messages and events of all entries.
  private(set) var items = 0
  /// The most digits that a second's fraction has in an entry's instant.
  private(set) var digits = 0
  /// Where its tool stands.
  private(set) var vantage = Vantage.unknown
  /// Whether its tool writes entries that are not over.
  private(set) var writesOpenEntries = false
  /// Whether its tool counts phases from the request's first byte, so that those before it came earlier.
  private(set) var startsAtRequest = false
  /// The control frames that are in it.
  private(set) var controls: Set<Blind> = []
  private let settings: RecordSettings
  private let limits: HARLimits

  /// Makes a log without entries.
  init(_ settings: RecordSettings, _ limits: HARLimits) {
    self.settings = settings
    self.limits = limits
  }

  /// Takes the name of the tool, or of its browser.
  mutating func note(creator: [UInt8]) {
    let name = creator.span
    func isName(_ text: StaticString) -> Bool {
      let size = text.utf8CodeUnitCount
      return name.count >= size && name.equals(folded: text, in: 0..<size)
    }
    if isName("webinspector") || isName("playwright") {
      writesOpenEntries = true
      vantage = .client
    } else if isName("firefox") || isName("webkit") || isName("chrom") || isName("safari") {
      vantage = .client
    } else if isName("mitmproxy") || isName("charles") || isName("proxyman") || isName("fiddler") {
      vantage = .middle
      startsAtRequest = isName("mitmproxy")
    }
  }

  /// Adds an entry; one without instant or target is an error at `place`.
  mutating func add(
    _ fields: HARFields, _ text: Span<UInt8>, _ place: TraceError
  ) throws(TraceError) {
    guard let started = fields.started, let url = fields.url else { throw place }
    guard !isUnsent(fields, text) else {
      unsent += 1
      return
    }
    guard let target = HARTarget(HARCursor.decoded(url, in: text), limit: limits.valueBytes),
      var entry = entry(fields, target, started.microseconds, text)
    else {
      ignored += 1
      return
    }
    digits = max(digits, started.digits)
    put(fields, into: &entry, text)
    respond(fields, into: &entry, text)
    items += entry.messages.count + entry.stream.items.count
    entries.append(entry)
  }

  // MARK: The request

  private func entry(
    _ fields: HARFields, _ target: HARTarget, _ start: Int, _ text: Span<UInt8>
  ) -> HAREntry? {
    let seed = settings.seed
    let method = fields.method.map { HARCursor.decoded($0, in: text) } ?? []
    var head = HARHead(request: method, target, limit: limits.valueBytes)
    head.add(fields.request.headers, in: text)
    head.finish()
    let resource = fields.resourceType
    let isSocket =
      target.isWebSocket || !fields.messages.isEmpty || resource?.isWord("websocket", in: text) == true
    let isStream = resource?.isWord("eventsource", in: text) == true
    let size = fields.request.bodySize.flatMap { $0 > 0 ? $0 : nil }
    let (sent, answered, ended) = HARLog.phases(fields)
    return HARHead.read(head.bytes, .requests) { bytes, head in
      let digest = RequestDigest(bytes, head, key: seed)
      var endpoint = KeyedHash(key: seed)
      endpoint.add(target.authority.span)
      endpoint.add(UInt64(target.isSecure ? 443 : 80))
      let announced = head.contentLength ?? size
      let kind: Exchange.Kind =
        isSocket || head.asksForWebSocket
        ? .webSocket : isStream || head.asksForEventStream ? .eventStream : .http
      var exchange = Exchange(
        kind: kind, channel: -1, generation: 0,
        identity: PastRequests.Identity(
          method: Method(head.method), target: digest.target, key: digest.key, length: announced ?? -1),
        base: digest.base)
      exchange.path = digest.path
      exchange.host = digest.host
      return HAREntry(
        start: start, lead: fields.timings?.lead ?? 0, sent: sent, answered: answered, ended: ended,
        exchange: exchange,
        endpoint: endpoint.value, isSecure: target.isSecure, cursor: digest.cursor, key: digest.key,
        announced: announced, status: max(fields.status ?? 0, 0), head: [])
    }
  }

  /// The ends of request, response head and response, from the start; where no phases are given, all is at the end.
  private static func phases(_ fields: HARFields) -> (sent: Int, answered: Int, ended: Int) {
    let whole = min(max(fields.time ?? 0, 0), HAREntry.longest)
    guard let timings = fields.timings else { return (0, whole, whole) }
    let answered = timings.sent &+ timings.wait
    return (timings.sent, answered, answered &+ timings.receive)
  }

  private func put(_ fields: HARFields, into entry: inout HAREntry, _ text: Span<UInt8>) {
    let size = fields.request.bodySize ?? 0
    entry.sentBytes = max(size, 0)
    defer {
      // A length that the body itself belies is no size: it could be any number.
      if entry.sentBytes > 0, entry.announced != entry.sentBytes { entry.announced = nil }
    }
    if let body = fields.request.text, !body.isEmpty {
      let bytes = HARCursor.decoded(body, in: text)
      entry.exchange.body = KeyedHash.of(bytes.span, key: settings.seed)
      if size <= 0 { entry.sentBytes = bytes.count }
    }
    if let name = fields.connection, !name.isEmpty {
      entry.connection = KeyedHash.of(text.extracting(name.range), key: settings.seed)
    }
  }

  // MARK: The response

  private mutating func respond(_ fields: HARFields, into entry: inout HAREntry, _ text: Span<UInt8>) {
    var head = HARHead(response: entry.status, limit: limits.valueBytes)
    head.add(fields.response.headers, in: text)
    let names = fields.response.headers.map(\.name)
    if !names.contains(.location), let redirect = fields.redirect, !redirect.isEmpty {
      head.add(.location, HARCursor.decoded(redirect, in: text))
    }
    if !names.contains(.contentType), let type = fields.mimeType, text.extracting(type.range).isEventStream {
      head.add(.contentType, HARCursor.decoded(type, in: text))
    }
    head.finish()
    entry.head = head.bytes
    entry.isEventStream = HARHead.read(head.bytes, .responses) { $1.facts.contains(.eventStream) } ?? false
    entry.failure = failure(fields, entry.status, text)
    entry.receivedBytes = size(fields, entry, text)
    entry.isUnexplained =
      entry.status == 0 && entry.failure == .failed(.other) && fields.failures.isEmpty && fields.state == nil
    entry.messages = fields.messages.compactMap { message($0, text) }
    if entry.exchange.kind == .webSocket, !entry.isAnswered,
      let error = fields.messages.last(where: { $0.type?.isWord("error", in: text) == true })
    {
      entry.isUnexplained = false
      entry.failure =
        error.data.flatMap { HARFailure(HARCursor.decoded($0, in: text)) } ?? .failed(.other)
    }
    if entry.isEventStream {
      if let body = fields.response.text, !body.isEmpty {
        let bytes = HARCursor.decoded(body, in: text)
        let plain = fields.isBase64 ? Base64.decode(bytes.span) ?? bytes : bytes
        entry.stream = HARStream(plain, key: settings.seed)
      }
      entry.stream.take(fields.events, in: text, key: settings.seed)
    }
  }

  /// Whether an entry is of a request that never left the browser.
  private func isUnsent(_ fields: HARFields, _ text: Span<UInt8>) -> Bool {
    if fields.isCached || fields.isInternal && (300..<400).contains(fields.status ?? 0) { return true }
    return fields.status ?? 0 <= 0
      && fields.failures.contains { HARFailure.isBlock(HARCursor.decoded($0, in: text)) }
  }

  /// How an entry failed: as its tool says, or somehow if it has no status.
  private func failure(_ fields: HARFields, _ status: Int, _ text: Span<UInt8>) -> HARFailure? {
    for words in fields.failures {
      let bytes = HARCursor.decoded(words, in: text)
      if bytes == Array("net::OK".utf8) { continue }
      let found = HARFailure(bytes) ?? .failed(.other)
      // A download, or a page that was left once all had come, is no failure of the exchange.
      if found == .cancelled, status == 204 || status == 205 { continue }
      return found
    }
    if let state = fields.state, !state.isWord("complete", in: text),
      let found = HARFailure(HARCursor.decoded(state, in: text))
    {
      return found
    }
    return status == 0 ? .failed(.other) : nil
  }

  /// The bytes of a response's body as they came; of the decoded body where only those are told.
  private func size(_ fields: HARFields, _ entry: HAREntry, _ text: Span<UInt8>) -> Int {
    if let size = fields.response.bodySize, size >= 0 { return size }
    if entry.exchange.identity.method == .head || entry.status == 204 || entry.status == 304 { return 0 }
    if let size = fields.contentSize, size >= 0 { return size }
    return fields.response.text.map { HARCursor.decoded($0, in: text).count } ?? 0
  }

  // MARK: Messages

  private mutating func message(_ fields: HARFields.Message, _ text: Span<UInt8>) -> HAREntry.Message? {
    guard let type = fields.type else { return nil }
    func isType(_ word: StaticString) -> Bool { type.isWord(word, in: text) }
    if isType("error") { return HAREntry.Message(time: fields.time, direction: .in, kind: .failure) }
    let isOut = isType("send") || isType("sent") || isType("request") || isType("out")
    let isIn =
      isType("receive") || isType("received") || isType("response") || isType("in")
    guard isOut || isIn else { return nil }
    var message = HAREntry.Message(time: fields.time, direction: isOut ? .out : .in, kind: .text)
    let data = fields.data.map { HARCursor.decoded($0, in: text) } ?? []
    switch fields.opcode ?? 1 {
    case 2: message.kind = .binary
    case 8: message.kind = .close
    case 9: message.kind = .ping
    case 10: message.kind = .pong
    default: message.kind = .text
    }
    let payload = message.kind == .text ? data : Base64.decode(data.span) ?? data
    message.bytes = payload.count
    switch message.kind {
    case .ping, .pong:
      controls.formUnion([.wsPing, .wsPong])
      message.content = KeyedHash.of(payload.span, key: settings.seed)
    case .close:
      controls.insert(.wsClose)
      message.code = fields.code
      if message.code == nil, payload.count >= 2, payload != data {
        message.code = Int(payload[0]) << 8 | Int(payload[1])
      }
    case .text, .binary:
      guard let preset = settings.beats, payload.count <= settings.limits.beatBytes else { break }
      message.beat = BeatMark(preset, message.direction, isText: message.kind == .text, payload)
    case .failure: break
    }
    return message
  }
}

extension Span where Element == UInt8 {
  /// Whether a media type begins here that is an event stream's.
  fileprivate var isEventStream: Bool {
    let name: StaticString = "text/event-stream"
    return count >= name.utf8CodeUnitCount && equals(folded: name, in: 0..<name.utf8CodeUnitCount)
  }
}
