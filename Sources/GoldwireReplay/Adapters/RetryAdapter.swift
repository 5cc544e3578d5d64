public import GoldwireMachines
public import GoldwireTrace

/// Replays the HTTP channels of a trace into retries, one machine for each logical request.
public struct RetryAdapter: ReplayAdapter {
  /// What is remembered of a logical request.
  public struct Memory: Equatable, Sendable {
    /// What decides whether it may be sent again, once its first send was seen.
    var request: Retry.Request?
    /// The latest attempt of which body bytes had come.
    var bodyBegun = 0
    /// How far the wall clock was set, in µs, since the recording began.
    var wallStep = 0
  }

  /// HTTP channels.
  public let family: Channel.Family = .http
  /// Each logical request has its own machine.
  public let isPerRequest = true
  private let parameters: Retry.Parameters
  private let plan: RetryPlan
  private let clock: AnswerClock
  private let seesWaits: Bool
  private let seesStops: Bool

  /// Makes an adapter for one trace: what came later in it tells the random units and the redirects.
  public init(_ parameters: Retry.Parameters, _ trace: Trace) {
    self.parameters = parameters
    plan = RetryPlan(trace, parameters)
    clock = AnswerClock(trace.header)
    seesWaits = plan.hasWaits && !trace.header.blind.contains(.unit)
    seesStops = plan.hasStops
  }

  /// Whether the unit of that wait is a guess: the source is blind to it, or no wait was recorded.
  func isUnitAssumed(_ line: GoldenLine) -> Bool {
    guard line.action == .wait, let channel = line.channel, let req = line.req, let attempt = line.attempt
    else { return false }
    return !plan.knowsUnit(channel, req, attempt)
  }

  /// Makes a machine that has seen nothing.
  public func makeMachine() -> Retry { Retry(parameters) }

  /// Makes a memory of nothing.
  public func makeMemory() -> Memory { Memory() }

  /// Says what a line means.
  public func read(_ line: TraceLine, at index: Int, memory: inout Memory) -> Reading<Retry.Event> {
    switch line.event {
    case .httpSend(let send): return self.send(send, &memory)
    case .httpResponse(let response):
      if plan.isFollowed(line.channel, response) { return .input(.hop(response.attempt)) }
      let unit = plan.unit(line.channel, response.req, response.attempt, answered: line.t)
      let answer = clock.answer(response.status, response.retry, line.t, memory.wallStep, unit: unit)
      return .input(.answered(response.attempt, answer))
    case .httpBody(let body):
      if body.dir == .in {
        if body.bytes > 0 { memory.bodyBegun = max(memory.bodyBegun, body.attempt) }
        return .note
      }
      return body.differs.isEmpty ? .note : .input(.changed(body.attempt))
    case .httpError(let req, let attempt, let cause, _):
      let failure = Retry.Failure(
        Retry.TransportCause(cause), bodyBegun: memory.bodyBegun >= attempt,
        unit: plan.unit(line.channel, req, attempt, answered: line.t))
      return .input(.failed(attempt, failure))
    case .httpWait(_, let attempt, let wait, _):
      return .act(GoldenLine(.wait, attempt: attempt, wait: wait))
    case .httpCancel: return .input(.cancel)
    case .httpStop(_, let why): return .act(GoldenLine(.stop, why: ActionWord(why.rawValue)))
    case .appSession(let number): return .input(.session(number))
    case .recWall(let step):
      memory.wallStep = AnswerClock.sum(memory.wallStep, step)
      return .note
    default: return .note
    }
  }

  private func send(_ send: HTTPSend, _ memory: inout Memory) -> Reading<Retry.Event> {
    guard send.hop == nil else { return .note }
    guard send.attempt <= 1 else { return .act(GoldenLine(.send, attempt: send.attempt)) }
    let request = Retry.Request(
      method: send.method.rawValue, replayable: send.replayable, hasKey: send.key != nil)
    memory.request = request
    return .begin(.start(request))
  }

  /// Translates an action.
  public func line(for action: Retry.Action, of machine: Retry, memory: Memory) -> GoldenLine {
    switch action {
    case .send(let attempt): GoldenLine(.send, attempt: attempt)
    case .wait(let span, let attempt): GoldenLine(.wait, attempt: attempt, wait: span)
    case .stop(let outcome): GoldenLine(.stop, why: ActionWord(outcome.word))
    }
  }

  /// A wait that a flight recorder pinned brings the machine in step, if the request's first send is known.
  public func resume(at line: TraceLine, memory: Memory) -> Retry.Event? {
    guard case .httpWait(_, let attempt, let wait, _) = line.event, let request = memory.request,
      attempt >= 2
    else { return nil }
    return .resume(request, attempt: attempt, until: AnswerClock.sum(line.t, wait))
  }

  /// The session and the wall clock are asked for only when the request acts or is answered.
  public func isPrompt(_ line: TraceLine) -> Bool { false }

  /// Sends are seen by every source; waits and stops only where the recording has any.
  public func isSeen(_ action: GoldenLine) -> Bool {
    switch action.action {
    case .send: true
    case .wait: seesWaits
    case .stop: seesStops
    default: false
    }
  }
}

extension Retry.TransportCause {
  init(_ cause: Cause) {
    switch cause {
    case .refused: self = .refused
    case .unreach: self = .unreach
    case .timeout: self = .timeout
    case .reset: self = .reset
    case .fin: self = .fin
    case .dns: self = .dns
    case .tls: self = .tls
    case .status: self = .status
    case .proxy: self = .proxy
    case .protocol: self = .protocol
    case .other: self = .other
    }
  }
}
