internal import GoldwireProtocols
internal import GoldwireTrace

/// Which logical request, try and hop a request is, by the same rule as in a capture.
struct RequestBook {
  /// The numbers of a request.
  struct Ticket: Sendable {
    let req: Int
    let attempt: Int
    let hop: Int?
    fileprivate let key: Key

    /// The fields of its line.
    func send(_ request: Request) -> HTTPSend {
      HTTPSend(
        req: req, attempt: attempt, hop: hop, method: Method(rawValue: request.method.rawValue) ?? .other,
        bytes: request.length)
    }
  }

  fileprivate struct Key: Hashable, Sendable {
    let method: HTTPMethod
    let target: String
    let idempotencyKey: [UInt8]?
    let length: Int?
  }

  private struct Waiting {
    let req: Int
    let attempt: Int
    let hop: Int
    let isHop: Bool
    let until: Int
  }

  private var count = 0
  private var waiting: [Key: Waiting] = [:]

  mutating func open(_ request: Request, t: Int) -> Ticket {
    let key = Key(
      method: request.method, target: request.target, idempotencyKey: request.idempotencyKey,
      length: request.length)
    if let found = waiting.removeValue(forKey: key), t <= found.until {
      return Ticket(
        req: found.req, attempt: found.isHop ? found.attempt : found.attempt + 1,
        hop: found.isHop ? found.hop + 1 : nil, key: key)
    }
    count += 1
    return Ticket(req: count, attempt: 1, hop: nil, key: key)
  }

  /// Remembers a request that may be tried again; `wait` is what the server asked for, in µs.
  mutating func answered(_ ticket: Ticket, status: Int?, wait: Int, location: String?, t: Int) {
    if waiting.count >= ServerLimits.paths { waiting = waiting.filter { $0.value.until >= t } }
    guard waiting.count < ServerLimits.paths else { return }
    let until = t + max(30_000_000, wait) + 5_000_000
    var key = ticket.key
    var isHop = false
    switch status {
    case nil, 429, 503: break
    case 401: isHop = true
    case 301, 302, 303, 307, 308:
      guard let location, location.hasPrefix("/") else { return }
      isHop = true
      let isGet = status == 303 || status != 307 && status != 308 && ticket.key.method == .post
      key = Key(
        method: isGet ? .get : key.method, target: location, idempotencyKey: key.idempotencyKey,
        length: isGet ? nil : key.length)
    default: return
    }
    waiting[key] = Waiting(
      req: ticket.req, attempt: ticket.attempt, hop: ticket.hop ?? 0, isHop: isHop, until: until)
  }
}
