extension Retry: Machine {
  /// Takes one event; emits at most one action.
  public mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    if let action = take(event, now: now) { emit(action) }
  }

  /// Ends the wait at its instant: sends, unless the session has changed; early ticks do nothing.
  public mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard state == .waiting, let until, now >= until else { return }
    if isStale { return emit(stop(.stale)) }
    state = .sending
    self.until = nil
    emit(.send(current))
  }
}

// MARK: - Events

extension Retry {
  private mutating func take(_ event: Event, now: Int) -> Action? {
    switch event {
    case .session(let number):
      // Before the start the session is only learnt; after it, another number is another account.
      if state == .idle { session = number } else if session != number { isStale = true }
      return nil
    case .start(let request):
      guard state == .idle else { return nil }
      begin(request)
      return nil
    case .resume(let request, let attempt, let until):
      guard state == .idle, attempt >= 2 else { return nil }
      begin(request)
      current = attempt
      state = .waiting
      self.until = until
      return nil
    case .answered(let attempt, let answer):
      return answered(attempt, answer, now: now)
    case .hop:
      return nil
    case .changed(let attempt):
      return changed(attempt)
    case .failed(let attempt, let failure):
      return failed(attempt, failure, now: now)
    case .cancel:
      return state == .done ? nil : stop(.cancelled)
    }
  }

  private mutating func begin(_ request: Request) {
    mayReplay = request.isReplayable
    state = .sending
  }

  private mutating func answered(_ attempt: Int, _ answer: Answer, now: Int) -> Action? {
    guard state == .sending, attempt == current, !answer.isInterim else { return nil }
    reading = ServerDelay(answer, oldDates: parameters.oldDates)
    if isStale { return stop(.stale) }
    if answer.status < 400 { return stop(.delivered) }
    guard mayReplay else { return stop(.notReplayable) }
    guard parameters.statuses.contains(answer.status) else { return stop(.notRetryable) }
    guard current <= parameters.count else { return stop(.budget) }
    return resend(millionths: answer.unit, now: now) ?? stop(.deferred)
  }

  private mutating func failed(_ attempt: Int, _ failure: Failure, now: Int) -> Action? {
    guard state == .sending, attempt == current else { return nil }
    reading = .absent
    let mayResend = parameters.transport && !failure.bodyBegun && !isStale && mayReplay
    guard mayResend, current <= parameters.count else { return stop(.transport(failure.cause)) }
    return resend(millionths: failure.unit, now: now) ?? stop(.transport(failure.cause))
  }

  private mutating func changed(_ attempt: Int) -> Action? {
    guard state != .idle, state != .done, attempt == current else { return nil }
    mayReplay = false
    return state == .waiting ? stop(.notReplayable) : nil
  }

  /// The wait for the next attempt; nil where it would be longer than the cap.
  private mutating func resend(millionths: Int, now: Int) -> Action? {
    let index = current - 1
    guard let pause = parameters.pause(retryIndex: index, server: reading, millionths: millionths),
      let instant = later(now, pause)
    else {
      let delay = parameters.fullDelay(retryIndex: index, server: reading, millionths: millionths)
      earliest = delay.flatMap { later(now, $0) }
      return nil
    }
    until = instant
    current += 1
    state = .waiting
    return .wait(for: pause, attempt: current)
  }

  private func later(_ now: Int, _ span: Int) -> Int? {
    let (instant, overflow) = now.addingReportingOverflow(span)
    return overflow ? nil : instant
  }

  private mutating func stop(_ outcome: Outcome) -> Action {
    state = .done
    until = nil
    result = outcome
    return .stop(outcome)
  }
}
