internal import Foundation
internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTap

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One logical request on its way: the machine, and what it is told.
///
/// Every input is a step of the gate: the instant is read once, the machine decides, and the decision is recorded before
/// the session can change.
struct RetryRun {
  private enum Arrival {
    case reply(HTTPReply)
    case failure(TransportFailure)
    case cancelled
  }

  private let executor: RetryExecutor
  private let request: LogicalRequest
  private var machine: Retry
  private var reply: HTTPReply?
  private let session: Int
  private var sends = 0
  /// The random unit of the latest answer or failure.
  private var unit = 1_000_000
  private let recorder: RetryRecorder?

  init(_ executor: RetryExecutor, _ request: LogicalRequest) {
    self.executor = executor
    self.request = request
    machine = Retry(executor.parameters)
    session = executor.gate.session
    recorder = executor.origin.map { RetryRecorder($0, executor.tap, request) }
  }

  mutating func result() async throws -> RetryResult {
    try Task.checkCancellation()
    var attempt = try await request.attempt(1)
    try Task.checkCancellation()
    guard begin() else { return try ended(.stale) }
    while true {
      let action = settle(await arrival(of: attempt))
      switch action {
      case .stop(let outcome): return try ended(outcome)
      case .wait(let span, _):
        reply?.body.cancel()
        if let outcome = try await wait(span) { return try ended(outcome) }
        attempt = try await header()
        if let outcome = resend() { return try ended(outcome) }
      case .send, nil: preconditionFailure("a machine that was told of an arrival waits or stops")
      }
    }
  }
}

// MARK: - Steps

extension RetryRun {
  /// The first send; false if the session has changed before.
  private mutating func begin() -> Bool {
    executor.gate.step { session, now in
      guard session == self.session else { return false }
      feed(.session(session), now)
      feed(.start(request.facts), now)
      recorder?.sent(at: now)
      sends = 1
      return true
    }
  }

  /// Sends the attempt, and says what came of it; cancellation has precedence over all else.
  private func arrival(of attempt: URLRequest) async -> Arrival {
    do {
      let reply = try await LogicalRequest.$current.withValue(request) {
        let onHop = hop
        return try await executor.transport.send(attempt, onHop: onHop)
      }
      guard !Task.isCancelled else {
        reply.body.cancel()
        return .cancelled
      }
      return .reply(reply)
    } catch let failure as TransportFailure {
      return Task.isCancelled ? .cancelled : .failure(failure)
    } catch is CancellationError {
      return .cancelled
    } catch {
      return Task.isCancelled ? .cancelled : .failure(TransportFailure(.other))
    }
  }

  /// A reply that the transport follows by itself costs nothing, and moves no machine.
  private var hop: @Sendable (ReplyHead) -> Void {
    guard let recorder else { return { _ in } }
    return { [executor] head in
      executor.gate.step { _, now in
        let answer = head.answer(wall: executor.wall(at: now), unit: 0)
        recorder.followed(answer, isEventStream: head.isEventStream, at: now)
      }
    }
  }

  private mutating func settle(_ arrival: Arrival) -> Retry.Action? {
    executor.gate.step { session, now in
      switch arrival {
      case .cancelled: return cancel(now)
      case .reply(let reply):
        self.reply = reply
        feed(.session(session), now)
        unit = executor.unit()
        let answer = reply.head.answer(wall: executor.wall(at: now), unit: unit)
        recorder?.answered(answer, isEventStream: reply.head.isEventStream, at: now)
        return feed(.answered(sends, answer), now)
      case .failure(let failure):
        reply = nil
        feed(.session(session), now)
        unit = executor.unit()
        recorder?.failed(failure.cause, at: now)
        return feed(.failed(sends, Retry.Failure(failure.cause, unit: unit)), now)
      }
    }
  }

  /// Waits until the next attempt is due; an outcome if it is not to be sent.
  private mutating func wait(_ span: Int) async throws -> Retry.Outcome? {
    log(plannedDelay: span)
    guard let until = machine.wakeup else { return nil }
    do {
      let end = TapInstant(microseconds: until)
      repeat {
        try await executor.clock.sleep(until: end)
        try Task.checkCancellation()
      } while executor.clock.now < end
    } catch {
      return executor.gate.step { _, now in
        cancel(now)
        return .cancelled
      }
    }
    return nil
  }

  /// The next attempt with its header, which takes its time; cancellation is looked at afterwards.
  private mutating func header() async throws -> URLRequest {
    do {
      return try await request.attempt(sends + 1)
    } catch {
      executor.gate.step { _, now in _ = cancel(now) }
      log(stop: .cancelled)
      throw error
    }
  }

  /// The wait is over: the machine sends, or stops.
  private mutating func resend() -> Retry.Outcome? {
    executor.gate.step { session, now in
      if Task.isCancelled {
        cancel(now)
        return .cancelled
      }
      feed(.session(session), now)
      var action: Retry.Action?
      machine.tick(at: now.microseconds) { action = $0 }
      if let action { recorder?.decided(action, unit: unit, at: now) }
      if case .stop(let outcome) = action { return outcome }
      sends += 1
      return nil
    }
  }

  @discardableResult
  private mutating func cancel(_ now: TapInstant) -> Retry.Action? {
    recorder?.cancelled(at: now)
    return feed(.cancel, now)
  }

  @discardableResult
  private mutating func feed(_ event: Retry.Event, _ now: TapInstant) -> Retry.Action? {
    var action: Retry.Action?
    machine.handle(event, at: now.microseconds) { action = $0 }
    if let action { recorder?.decided(action, unit: unit, at: now) }
    return action
  }
}

extension RetryExecutor {
  /// The local wall clock, as the trace tells it where there is one: a replay then turns a date into the same span.
  func wall(at now: TapInstant) -> Int { tap?.wall(at: now) ?? wall.now() }
}

// MARK: - The outcome

extension RetryRun {
  private func ended(_ outcome: Retry.Outcome) throws -> RetryResult {
    log(stop: outcome)
    switch outcome {
    case .cancelled:
      reply?.body.cancel()
      throw CancellationError()
    case .stale:
      reply?.body.cancel()
      return RetryResult(.stale, sends: sends)
    case .delivered, .notRetryable, .notReplayable, .budget, .deferred, .transport:
      let delivered = reply.map { reply in
        HTTPReply(head: reply.head, body: SessionBody(reply.body, executor.gate, session, recorder))
      }
      let notBefore = machine.notBefore.map { TapInstant(microseconds: $0) }
      return RetryResult(outcome, reply: delivered, sends: sends, notBefore: notBefore)
    }
  }

  private func log(plannedDelay: Int? = nil, stop: Retry.Outcome? = nil) {
    guard let log = executor.log else { return }
    var fault: RetryAfter.Reason?
    if case .invalid(let reason) = machine.serverDelay { fault = reason }
    log(
      RetryRecord(
        request: request.number, status: reply?.head.status, retryIndex: max(0, sends - 1),
        plannedDelay: plannedDelay.map { .microseconds($0) }, stop: stop, retryAfterFault: fault))
  }
}
