internal import GoldwireProtocols

/// The requests of one connection, one after the other.
struct RequestReader: Sendable {
  /// What came next.
  enum Step: Sendable {
    /// Nothing whole: more bytes are needed.
    case more
    case request(Request)
    /// So many bytes of a body.
    case body(Int)
    case end
    /// What came is no request; the connection ends with this status.
    case bad(Int)
  }

  private var decoder: HTTP1Decoder
  private var exchanges = HTTP1Exchanges()
  private var pending: [UInt8] = []
  private var offset = 0

  init() {
    var limits = HTTP1Limits()
    limits.headBytes = ServerLimits.head
    limits.trailerBytes = 16_384
    decoder = HTTP1Decoder(.requests, limits: limits)
  }

  /// Takes bytes; all that came before must have been read to `more`.
  mutating func take(_ bytes: [UInt8]) {
    if offset >= pending.count {
      pending = bytes
      offset = 0
    } else {
      pending.append(contentsOf: bytes)
    }
  }

  /// The bytes that belong to no request: what follows the head of a request for another protocol.
  mutating func takeRest() -> [UInt8] {
    defer {
      pending = []
      offset = 0
    }
    return Array(pending[min(offset, pending.count)...])
  }

  /// Says that a request was answered.
  mutating func answered() { exchanges.settle() }

  mutating func next() -> Step {
    let bytes = pending
    while let event = decoder.next(bytes.span, &offset, exchanges: &exchanges) {
      switch event {
      case .head:
        let head = decoder.head
        return .request(decoder.withHead(bytes.span) { Request(head, $0) })
      case .body(let range): return .body(range.count)
      case .heldBody(let count): return .body(count)
      case .end(let end): return end.isBroken ? .bad(400) : .end
      case .limit: return .bad(431)
      case .broken(let rule): if Self.isFatal(rule) { return .bad(400) }
      case .switched, .resumed: return .bad(400)
      }
    }
    return decoder.isStopped || decoder.isSwitched ? .bad(400) : .more
  }

  /// Whether a rule leaves no way to tell where the request ends.
  private static func isFatal(_ rule: ProtocolRule) -> Bool {
    switch rule {
    case .httpLength, .httpContentLength, .httpTransferCoding, .httpMessage, .httpRequestLine: true
    default: false
    }
  }
}
