internal import GoldwireMachines
internal import GoldwireTrace

/// What the HTTP channels of a trace show of a client's retries.
struct RetryObservations {
  /// A wait between an answer and the next send.
  struct Wait {
    /// Which retry it came before, from 0.
    var index: Int
    var length: Int
    /// What the server asked for, in the trace's unit; nil for nothing.
    var server: Int?
    /// The index of the send's line.
    var line: Int
  }

  /// A logical request that was given up after an answer that could have been retried.
  struct GivenUp {
    var retries: Int
    var status: Int?
    var server: Int?
    /// For how long the recording goes on.
    var patience: Int
    var line: Int
  }

  private struct Key: Hashable {
    var channel: Channel
    var req: Int
  }

  private struct Request {
    var attempt = 0
    var mayReplay = false
    var answered: Int?
    var status: Int?
    var server: Int?
    var isFailed = false
    var isOver = false
    var line = 0
  }

  private(set) var waits: [Wait] = []
  private(set) var givenUp: [GivenUp] = []
  /// The statuses after which the client sent again, with the lines of those sends.
  private(set) var retried: [Int: [Int]] = [:]
  /// How many transport errors were followed by another send, and how many by none.
  private(set) var failures = (retried: [Int](), final: [Int]())
  private(set) var mostRetries = (count: 0, line: 0)
  private(set) var requests = 0
  private var open: [Key: Request] = [:]
  private let clock: AnswerClock
  private let unitMicroseconds: Int
  private var wallStep = 0

  init(_ trace: Trace) {
    clock = AnswerClock(trace.header)
    unitMicroseconds = trace.header.unitMicroseconds
    let scan = TraceScan(trace.lines)
    for index in 0..<scan.count { take(trace.lines[index], index) }
    for key in open.keys.sorted(by: { ($0.channel, $0.req) < ($1.channel, $1.req) }) {
      close(open[key] ?? Request(), scan.horizon)
    }
  }

  private mutating func take(_ line: TraceLine, _ index: Int) {
    if case .recWall(let step) = line.event { wallStep = AnswerClock.sum(wallStep, step) }
    if case .recGap = line.event, line.channel == nil || line.channel?.family == .http {
      for key in open.keys where line.channel == nil || line.channel == key.channel {
        open[key]?.isOver = true
      }
    }
    guard let channel = line.channel, channel.family == .http, let req = line.event.request else { return }
    let key = Key(channel: channel, req: req)
    switch line.event {
    case .httpSend(let send): if send.hop == nil { sent(key, send, line.t, index) }
    case .httpResponse(let response):
      guard response.status.map({ !(100..<200).contains($0) }) ?? true else { return }
      answered(key, response, line.t, index)
    case .httpError(_, _, _, _):
      open[key]?.answered = line.t
      open[key]?.isFailed = true
      open[key]?.server = nil
      open[key]?.line = index
    case .httpCancel, .httpStop(_, .cancelled), .httpStop(_, .stale), .httpStop(_, .notReplayable):
      open[key]?.isOver = true
    default: break
    }
  }

  private mutating func sent(_ key: Key, _ send: HTTPSend, _ t: Int, _ index: Int) {
    if var request = open[key], !request.isOver, send.attempt == request.attempt + 1,
      let from = request.answered
    {
      waits.append(
        Wait(index: request.attempt - 1, length: t - from, server: request.server, line: index))
      if request.isFailed {
        failures.retried.append(index)
      } else if let status = request.status {
        retried[status, default: []].append(index)
      }
      if request.attempt > mostRetries.count { mostRetries = (request.attempt, index) }
      (request.attempt, request.answered, request.isFailed, request.line) = (send.attempt, nil, false, index)
      open[key] = request
      return
    }
    guard send.attempt <= 1 else {
      open[key]?.isOver = true
      return
    }
    requests += 1
    let isReplayable = Retry.Request(
      method: send.method.rawValue, replayable: send.replayable, hasKey: send.key != nil
    ).isReplayable
    open[key] = Request(attempt: 1, mayReplay: isReplayable, line: index)
  }

  private mutating func answered(_ key: Key, _ response: HTTPResponse, _ t: Int, _ index: Int) {
    guard var request = open[key] else { return }
    (request.answered, request.status, request.isFailed, request.line) = (t, response.status, false, index)
    let answer = clock.answer(response.status, response.retry, t, wallStep, unit: 0)
    request.server = nil
    if case .delay(let microseconds) = ServerDelay(answer) {
      request.server = microseconds / unitMicroseconds
    }
    open[key] = request
  }

  private mutating func close(_ request: Request, _ horizon: Int) {
    guard !request.isOver, request.mayReplay, let from = request.answered else { return }
    if request.isFailed { return failures.final.append(request.line) }
    guard request.status ?? 600 >= 400 else { return }
    givenUp.append(
      GivenUp(
        retries: request.attempt - 1, status: request.status, server: request.server,
        patience: horizon - from, line: request.line))
  }
}
