internal import GoldwireMachines
internal import GoldwireTrace

/// Reads all logical requests of a trace in one pass over its lines.
struct RequestReader {
  private struct Key: Hashable {
    var channel: Channel
    var req: Int
  }

  private let adapter: RetryAdapter
  private var requests: [RecordedRequest] = []
  private var memories: [RetryAdapter.Memory] = []
  private var indices: [Key: Int] = [:]
  private var wallStep = 0
  private var sessions: [RecordedRequest.Happening] = []

  /// The requests in the order of their first lines; `parameters` are those in force.
  static func requests(
    in trace: Trace, _ parameters: Retry.Parameters, replayed: Replayed
  ) -> [RecordedRequest] {
    var reader = RequestReader(adapter: RetryAdapter(parameters, trace))
    for index in 0..<TraceScan(trace.lines).count { reader.take(trace.lines[index], at: index) }
    for action in replayed.actions { reader.take(action) }
    var requests = reader.finish()
    let refusals = requests.refusals(parameters.statuses)
    for index in requests.indices { requests[index].refusals = refusals }
    return requests
  }

  private init(adapter: RetryAdapter) { self.adapter = adapter }

  private mutating func take(_ line: TraceLine, at index: Int) {
    switch line.event {
    case .appSession(let number):
      sessions.append(.init(t: line.t, event: .session(number), line: index))
      return
    case .recWall(let step): wallStep = AnswerClock.sum(wallStep, step)
    case .recGap: lose(line.channel)
    default: break
    }
    guard let channel = line.channel, channel.family == .http, let req = line.event.request else { return }
    let place = place(of: Key(channel: channel, req: req))
    memories[place].wallStep = wallStep
    switch adapter.read(line, at: index, memory: &memories[place]) {
    case .begin(.start(let request), _): begin(place, request, line.t, index)
    case .input(let event, _): take(event, line.t, index, &requests[place])
    case .act(let action, _, _):
      if action.action == .send { sent(action.attempt, line.t, index, &requests[place]) }
    case .begin, .note, .timer: break
    }
  }

  private mutating func place(of key: Key) -> Int {
    if let known = indices[key] { return known }
    indices[key] = requests.count
    requests.append(RecordedRequest(channel: key.channel, req: key.req))
    memories.append(adapter.makeMemory())
    return requests.count - 1
  }

  private mutating func lose(_ channel: Channel?) {
    for index in requests.indices where channel == nil || requests[index].channel == channel {
      // One that is over by then is whole.
      let isOver = requests[index].attempts.last?.reply.map {
        $0.event.answer.map { $0.status < 400 } ?? false
      }
      if isOver != true { requests[index].hasHole = true }
    }
  }

  private mutating func begin(_ place: Int, _ request: Retry.Request, _ t: Int, _ index: Int) {
    guard requests[place].request == nil else { return }
    requests[place].request = request
    requests[place].start = t
    requests[place].startLine = index
    requests[place].attempts = [.init(sent: t, due: t, line: index)]
  }

  private func sent(_ attempt: Int?, _ t: Int, _ index: Int, _ request: inout RecordedRequest) {
    guard request.request != nil, attempt == request.attempts.count + 1 else { return }
    request.attempts.append(.init(sent: t, due: t, line: index))
  }

  private func take(_ event: Retry.Event, _ t: Int, _ index: Int, _ request: inout RecordedRequest) {
    switch event {
    case .answered(let attempt, let answer):
      if !answer.isInterim { reply(attempt, event, t, index, &request) }
    case .failed(let attempt, _): reply(attempt, event, t, index, &request)
    case .cancel, .changed: request.happenings.append(.init(t: t, event: event, line: index))
    case .session, .start, .resume, .hop: break
    }
  }

  private func reply(
    _ attempt: Int, _ event: Retry.Event, _ t: Int, _ index: Int, _ request: inout RecordedRequest
  ) {
    guard attempt >= 1, attempt <= request.attempts.count, request.attempts[attempt - 1].reply == nil else {
      return
    }
    request.attempts[attempt - 1].reply = .init(at: t, event: event, line: index)
  }

  /// Sends are the machine's own where it has them, with the instant at which they were due.
  private mutating func take(_ action: ReplayedAction) {
    guard let channel = action.line.channel, let req = action.line.req,
      let place = indices[Key(channel: channel, req: req)]
    else { return }
    requests[place].actions.append(action)
    guard action.line.action == .send, let attempt = action.line.attempt, attempt >= 2 else { return }
    if attempt - 1 < requests[place].attempts.count {
      requests[place].attempts[attempt - 1].sent = action.line.t
      requests[place].attempts[attempt - 1].due = action.due
    }
  }

  private func finish() -> [RecordedRequest] {
    requests.filter { $0.request != nil || $0.hasHole }.map { request in
      var request = request
      request.happenings += sessions
      request.happenings.sort { ($0.t, $0.line) < ($1.t, $1.line) }
      return request
    }
  }
}
