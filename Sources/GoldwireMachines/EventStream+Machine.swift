extension EventStream: Machine {
  /// Takes one event; emits what follows from it, in order.
  public mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    guard state != .stopped else { return }
    switch event {
    case .connect(let generation, let cursor):
      guard generation > connection else { return }
      if let cursor { self.cursor = cursor }
      begin(generation)
    case .answered(let generation, let answer, let isEventStream):
      guard generation == connection, state == .connecting, !answer.isInterim else { return }
      answered(answer, isEventStream: isEventStream, now: now, emit: emit)
    case .event(let generation, let block):
      guard isReading(generation), block.n > queue.lastNumber else { return }
      live(now)
      dispatch(block, now: now, emit: emit)
    case .id(let generation, let id):
      guard isReading(generation) else { return }
      live(now)
      carried = id
      queue.append(.init(n: queue.lastNumber, effect: nil, cursor: id, state: .done))
      commit(emit)
    case .comment(let generation):
      if isReading(generation) { live(now) }
    case .retry(let generation, let milliseconds):
      guard isReading(generation) else { return }
      live(now)
      delay = parameters.delay(retryMilliseconds: milliseconds)
    case .handled(let generation, let n, let succeeded):
      handled(generation, n, succeeded, now: now, emit: emit)
    case .cut(let generation):
      guard generation == connection, state == .connecting || state == .open else { return }
      wait(delay, now: now)
    case .cancel:
      stop(.cancelled, emit)
    }
  }

  /// Connects after the delay, or gives up an open connection that has been silent too long.
  public mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard let due = wakeup, now >= due else { return }
    if state == .open { return wait(delay, now: now) }
    guard state == .waiting, connection < .max else { return }
    begin(connection + 1)
    emit(.connect(cursor: cursor))
  }
}

// MARK: - Connections

extension EventStream {
  private func isReading(_ generation: Int) -> Bool { generation == connection && state == .open }

  private mutating func begin(_ generation: Int) {
    for entry in queue.restart() {
      older.append(.init(generation: connection, n: entry.n, effect: entry.effect))
    }
    connection = generation
    handling = 0
    carried = cursor
    due = nil
    state = .connecting
  }

  private mutating func answered(
    _ answer: Answer, isEventStream: Bool, now: Int, emit: (Action) -> Void
  ) {
    switch answer.status {
    case 200 where isEventStream:
      state = .open
      refusals = 0
      live(now)
    case 200: stop(.type, emit)
    case 204: stop(.noContent, emit)
    case 429 where parameters.retryStatuses, 503 where parameters.retryStatuses:
      guard let pause = retryPause(answer) else { return stop(.status, emit) }
      refusals += 1
      wait(max(pause, delay), now: now)
    default: stop(.status, emit)
    }
  }

  /// How long the rules of ``Retry`` wait after a refusal; nil where they would not send again.
  private func retryPause(_ answer: Answer) -> Int? {
    Retry.Parameters.standard(parameters.unit).pause(
      retryIndex: refusals, server: ServerDelay(answer), millionths: answer.unit)
  }

  mutating func wait(_ span: Int, now: Int) {
    state = .waiting
    due = later(now, span)
  }

  /// Something came in, or could have been read again: the silence begins anew.
  mutating func live(_ now: Int) {
    due = parameters.idle.flatMap { later(now, $0) }
  }

  private func later(_ now: Int, _ span: Int) -> Int? {
    let (instant, overflow) = now.addingReportingOverflow(span)
    return overflow ? nil : instant
  }

  mutating func stop(_ why: Stop, _ emit: (Action) -> Void) {
    state = .stopped
    due = nil
    reason = why
    emit(.stop(why))
  }
}
