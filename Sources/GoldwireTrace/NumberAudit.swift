/// Whether the numbers of a trace are ones that a trace of its length can have, line after line.
///
/// Numbers that count from 1 in order of appearance come one after the other, see ``OrdinalOrder``. A `date` or
/// `retryAt` lies within 366 days of its receipt, which no absolute time does.
struct NumberAudit {
  /// What counts from 1.
  private enum Counter: Hashable {
    case channel(Channel.Family)
    case generation(Channel)
    case request(Channel)
    case attempt(Channel)
    case hop(Channel)
    case event(Channel)
    case revision(Channel)
    case ping(Channel, Direction)
    case session
  }

  /// The most tries, or hops, that a request begins with where those before are not in the file.
  private static let attempts = 64
  /// The most contents of one event id that are told apart, and one more.
  private static let revisions = 257
  /// How far a date may lie from its receipt, in seconds: 366 days, and one second for rounding.
  private static let farthest = 366 * 86_400 + 1

  private let wall: Int?
  private let perSecond: Int
  private var order: OrdinalOrder<Counter>
  private var wrong: String?

  /// Makes an audit of what follows a header.
  init(_ header: TraceHeader) {
    wall = header.wall
    perSecond = header.unit == .us ? 1_000_000 : 1_000
    order = OrdinalOrder(header.unit)
  }

  /// The key of the first number of a header that is out of its range.
  static func wrongKey(of header: TraceHeader) -> String? {
    if let grain = header.grain, !(1...1_000_000).contains(grain) { return "grain" }
    if let wall = header.wall, !(0..<86_400_000_000).contains(wall) { return "wall" }
    return nil
  }

  /// The key of the first number of a line that no trace has there.
  mutating func wrongKey(of line: TraceLine) -> String? {
    wrong = nil
    order.next(at: line.t)
    if let channel = line.channel {
      count(.channel(channel.family), channel.number, "ch")
      count(.generation(channel), line.generation, "gen")
      look(line.event, channel, line.t)
    } else if case .appSession(let session) = line.event {
      count(.session, session, "session")
    }
    return wrong
  }

  private mutating func look(_ event: TraceEvent, _ channel: Channel, _ t: Int) {
    switch event {
    case .wsPing(let dir, let id, _), .wsPong(let dir, let id, _):
      count(.ping(channel, dir), id, "id")
    case .wsPinged(let id, _, _): count(.ping(channel, .out), id, "id")
    case .wsMessage(let message): count(.ping(channel, message.dir), message.id, "id")
    case .httpSend(let send): request(channel, send.req, send.attempt, send.hop)
    case .httpResponse(let response):
      request(channel, response.req, response.attempt, response.hop)
      count(.channel(.sse), response.sse, "sse")
      date(response.retry, t)
    case .httpBody(let body): request(channel, body.req, body.attempt, nil)
    case .httpError(let req, let attempt, _, _), .httpWait(let req, let attempt, _, _):
      request(channel, req, attempt, nil)
    case .httpCancel(let req), .httpStop(let req, _): count(.request(channel), req, "req")
    case .wsRefused(_, _, let retry), .sseOpen(_, _, let retry): date(retry, t)
    case .sseEvent(let n, _, let rev, _):
      count(.event(channel), n, "n")
      count(.revision(channel), rev, "rev", atMost: NumberAudit.revisions)
    case .sseHandled(let n, _): count(.event(channel), n, "n")
    default: break
    }
  }

  private mutating func request(_ channel: Channel, _ req: Int, _ attempt: Int, _ hop: Int?) {
    count(.request(channel), req, "req")
    count(.attempt(channel), attempt, "try", atMost: NumberAudit.attempts)
    count(.hop(channel), hop, "hop", atMost: NumberAudit.attempts)
  }

  private mutating func count(_ counter: Counter, _ number: Int?, _ key: String, atMost limit: Int? = nil) {
    if let number, !order.accepts(counter, number, atMost: limit) { wrong = wrong ?? key }
  }

  /// Holds a response's dates against its receipt; where the clock is not known it may be any of the day.
  private mutating func date(_ retry: RetryFields, _ t: Int) {
    let receipt = t / perSecond + (wall ?? 0) / 1_000_000
    let least = receipt - NumberAudit.farthest
    let most = receipt + NumberAudit.farthest + (wall == nil ? 86_400 : 0)
    if case .at(let instant)? = retry.value, !(least...most).contains(instant) { wrong = wrong ?? "retryAt" }
    if let date = retry.date, !(least...most).contains(date) { wrong = wrong ?? "date" }
  }
}
