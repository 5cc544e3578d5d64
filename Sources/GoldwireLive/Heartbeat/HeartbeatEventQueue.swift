/// The events that wait for the app: bounded, and nothing is dropped without a word in its place.
final class HeartbeatEventQueue: Sendable {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<HeartbeatEvent?, Never>
  }

  private struct State {
    var events: [HeartbeatEvent] = []
    /// The index of the first event that was not taken.
    var first = 0
    var bytes = 0
    var waiters: [Waiter] = []
    var waits = 0
    var isFinished = false

    var count: Int { events.count - first }
  }

  private let limits: HeartbeatLimits
  private let state = Guarded(State())

  init(_ limits: HeartbeatLimits) { self.limits = limits }

  /// Takes an event; false if it was dropped, and `missed` stands in its place.
  func put(_ event: HeartbeatEvent) -> Bool {
    let (waiter, isKept) = state.withLock { state -> (Waiter?, Bool) in
      if state.isFinished { return (nil, true) }
      if !state.waiters.isEmpty { return (state.waiters.removeFirst(), true) }
      let size = event.byteCount
      if case .message = event, !hasRoom(state, size) {
        miss(&state, event)
        return (nil, false)
      }
      if state.count >= limits.waitingEvents &* 2 { condense(&state) }
      state.events.append(event)
      state.bytes += size
      return (nil, true)
    }
    waiter?.continuation.resume(returning: event)
    return isKept
  }

  /// Ends the sequence after what waits.
  func finish() {
    let waiters = state.withLock { state -> [Waiter] in
      state.isFinished = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  /// Waits for the next event.
  func next() async -> HeartbeatEvent? {
    let number = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (event, isOver) = state.withLock { state -> (HeartbeatEvent?, Bool) in
          if Task.isCancelled { return (nil, true) }
          if let event = take(&state) { return (event, true) }
          if state.isFinished { return (nil, true) }
          state.waiters.append(Waiter(number: number, continuation: continuation))
          return (nil, false)
        }
        if isOver { continuation.resume(returning: event) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let place = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
        return state.waiters.remove(at: place)
      }
      waiter?.continuation.resume(returning: nil)
    }
  }

  // MARK: Under the lock

  private func hasRoom(_ state: State, _ size: Int) -> Bool {
    guard state.count < limits.waitingEvents else { return false }
    return state.bytes == 0 || size <= limits.waitingBytes - state.bytes
  }

  private func miss(_ state: inout State, _ event: HeartbeatEvent) {
    if state.count > 0, case .missed(event.generation, let events)? = state.events.last {
      state.events[state.events.count - 1] = .missed(generation: event.generation, events: events + 1)
    } else {
      state.events.append(.missed(generation: event.generation, events: 1))
    }
  }

  /// Leaves of the older half one event that tells how many there were.
  private func condense(_ state: inout State) {
    let end = state.first + state.count / 2
    var events = 0
    for event in state.events[state.first..<end] {
      if case .missed(_, let earlier) = event { events += earlier } else { events += 1 }
      state.bytes -= event.byteCount
    }
    let generation = state.events[end - 1].generation
    state.events.replaceSubrange(..<end, with: [.missed(generation: generation, events: events)])
    state.first = 0
  }

  private func take(_ state: inout State) -> HeartbeatEvent? {
    guard state.count > 0 else { return nil }
    let event = state.events[state.first]
    state.events[state.first] = .missed(generation: 0, events: 0)
    state.first += 1
    state.bytes -= event.byteCount
    if state.first == state.events.count || state.first >= 1_024 {
      state.events.removeSubrange(..<state.first)
      state.first = 0
    }
    return event
  }
}
