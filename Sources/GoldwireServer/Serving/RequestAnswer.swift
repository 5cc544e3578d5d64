internal import GoldwireRuntime
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// The answer to a request that is neither a WebSocket's nor an event stream's.
struct RequestAnswer {
  private let connection: ServerConnection
  private let request: Request
  private let behaviour: AnswerBehaviour
  private let ticket: RequestBook.Ticket
  private let place = ServerLog.Place(channel: Channel(.http, 1), generation: 1)

  private var wire: Wire { connection.wire }
  private var log: ServerLog { connection.core.log }

  /// Begins with the request's head, which is logged now.
  init(_ connection: ServerConnection, _ request: Request, _ behaviour: AnswerBehaviour) {
    self.connection = connection
    self.request = request
    self.behaviour = behaviour
    ticket = connection.core.log.openRequest(request, at: connection.wire.clock.now)
  }

  /// Reads the body and answers; whether another request may follow.
  func run(_ reader: inout RequestReader) async -> Bool {
    connection.set(behaviour.network)
    guard await readBody(&reader) else { return false }
    var random = connection.random
    guard await connection.wait(behaviour.delay, &random) else { return false }
    switch behaviour.deed {
    case .answer: return await answer()
    case .silent:
      _ = await connection.gone()
      log.add(.httpCancel(req: ticket.req), place, at: wire.clock.now)
    case .reset:
      wire.reset { [self] in fail(.reset, at: $0) }
      _ = await connection.gone()
    case .close:
      wire.fin { [self] in fail(.fin, at: $0) }
      await connection.linger()
    }
    return false
  }

  private func readBody(_ reader: inout RequestReader) async -> Bool {
    guard request.hasBody else { return true }
    if request.isExpecting { wire.send(HTTPHead(100).finished) }
    var bytes = 0
    while true {
      switch reader.next() {
      case .body(let count):
        bytes += count
        guard bytes <= ServerLimits.body else { return await reject(413) }
      case .end:
        log.add(.httpBody(body(.out, bytes, isWhole: true)), place, at: wire.clock.now)
        return true
      case .bad(let status): return await reject(status)
      case .request: return false
      case .more:
        guard case .bytes(let more) = await wire.read() else {
          log.add(.httpBody(body(.out, bytes, isWhole: false)), place, at: wire.clock.now)
          return false
        }
        reader.take(more)
      }
    }
  }

  private func reject(_ status: Int) async -> Bool {
    var head = HTTPHead(status)
    head.add("Content-Length", "0")
    head.add("Connection", "close")
    let response = HTTPResponse(req: ticket.req, attempt: ticket.attempt, hop: ticket.hop, status: status)
    wire.send(head.finished) { [log, place] in log.add(.httpResponse(response), place, at: $0) }
    wire.fin()
    await connection.linger()
    return false
  }

  private func answer() async -> Bool {
    let isBodiless = request.method == .head || behaviour.status == 204 || behaviour.status == 304
    var head = AnswerHead(behaviour, connection.core)
    if behaviour.body > 0 { head.add("Content-Type", behaviour.type) }
    let hasLength = behaviour.end != .chunked && behaviour.end != .close
    if behaviour.status != 204, hasLength { head.add("Content-Length", String(behaviour.body)) }
    if behaviour.end == .chunked, behaviour.status != 204 { head.add("Transfer-Encoding", "chunked") }
    let isCut = behaviour.cut != nil && !isBodiless
    let ends = isCut || request.closes || behaviour.end == .close || behaviour.end == .reset
    if ends { head.add("Connection", "close") }
    let response = HTTPResponse(
      req: ticket.req, attempt: ticket.attempt, hop: ticket.hop, status: behaviour.status, retry: head.retry)
    let wait = head.wait
    wire.send(head.head.finished) { [log, place, ticket, behaviour] in
      log.add(.httpResponse(response), place, at: $0)
      log.answer(ticket, status: behaviour.status, wait: wait, location: behaviour.location, at: $0)
    }
    if isBodiless { return !ends }
    let count = min(behaviour.cut ?? behaviour.body / (behaviour.end == .open ? 2 : 1), behaviour.body)
    await sendBody(count)
    let isWhole = !isCut && behaviour.end != .reset && behaviour.end != .open
    return await end(count, isWhole: isWhole, ends: ends)
  }

  private func sendBody(_ count: Int) async {
    var rest = count
    while rest > 0 {
      let size = min(rest, 16_384)
      let bytes = [UInt8](repeating: 0x78, count: size)
      wire.send(behaviour.end == .chunked ? HTTPHead.chunk(bytes) : bytes)
      rest -= size
      await wire.room()
    }
  }

  private func end(_ count: Int, isWhole: Bool, ends: Bool) async -> Bool {
    let told = TraceEvent.httpBody(body(.in, count, isWhole: isWhole))
    if isWhole {
      wire.send(behaviour.end == .chunked ? HTTPHead.lastChunk : []) { [log, place] in
        log.add(told, place, at: $0)
      }
      if ends {
        wire.fin()
        await connection.linger()
      }
      return !ends
    }
    switch behaviour.end {
    case .reset:
      wire.reset { [self] in
        log.add(told, place, at: $0)
        fail(.reset, at: $0)
      }
      _ = await connection.gone()
    case .open:
      _ = await connection.gone()
      log.add(told, place, at: wire.clock.now)
      log.add(.httpCancel(req: ticket.req), place, at: wire.clock.now)
    case .length, .chunked, .close:
      wire.fin { [self] in
        log.add(told, place, at: $0)
        if behaviour.end != .close { fail(.fin, at: $0) }
      }
      await connection.linger()
    }
    return false
  }

  private func body(_ dir: Direction, _ bytes: Int, isWhole: Bool) -> HTTPBody {
    HTTPBody(req: ticket.req, attempt: ticket.attempt, dir: dir, bytes: bytes, done: isWhole)
  }

  private func fail(_ cause: Cause, at now: TapInstant) {
    log.add(.httpError(req: ticket.req, try: ticket.attempt, cause: cause, sent: true), place, at: now)
    log.answer(ticket, status: nil, wait: 0, location: nil, at: now)
  }
}

extension HTTPHead {
  /// Bytes as one chunk.
  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + [0x0D, 0x0A]
  }

  /// The end of a body in chunks.
  static var lastChunk: [UInt8] { Array("0\r\n\r\n".utf8) }
}
