/// A turn that one task has at a time, given on in the order of asking; at most one place for each task.
final class TurnQueue: Sendable {
  private struct State {
    var isTaken = false
    var waiters: [(name: Int, waiter: CheckedContinuation<Bool, Never>)] = []
    var last = 0
  }

  private let state = Guarded(State())

  /// Waits for the turn; false if the task was cancelled before it came, and then the turn is not taken.
  func take() async -> Bool {
    let name = state.withLock { state in
      state.last &+= 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.isTaken {
            state.waiters.append((name, continuation))
            return nil
          }
          state.isTaken = true
          return true
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.name == name }.map { state.waiters.remove(at: $0).waiter }
      }
      waiter?.resume(returning: false)
    }
  }

  /// Gives the turn to the next, if there is one.
  func give() {
    let next = state.withLock { state in
      state.isTaken = !state.waiters.isEmpty
      return state.waiters.isEmpty ? nil : state.waiters.removeFirst().waiter
    }
    next?.resume(returning: true)
  }
}
