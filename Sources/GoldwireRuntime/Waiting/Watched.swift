/// A state that tasks wait on without polling: each change wakes those whose condition holds now.
package final class Watched<State: Sendable>: Sendable {
  private struct Parked {
    let number: Int
    /// Gives what resumes the waiting task, once its condition holds.
    let attempt: (inout State) -> (() -> Void)?
    let cancel: () -> Void
  }

  private struct Content {
    var state: State
    var numbered = 0
    var parked: [Parked] = []
    /// Waits whose task was cancelled before they were entered.
    var cancelled: Set<Int> = []
  }

  private enum Entry<Value> {
    case ready(Value)
    case cancelled
    case parked
  }

  private let content: Guarded<Content>

  /// Makes it.
  package init(_ state: State) { content = Guarded(Content(state: state)) }

  /// The state as it is now.
  package var value: State { content.withLock { $0.state } }

  /// Looks at the state while nobody changes it.
  package func look<Result>(_ body: (State) -> Result) -> Result { content.withLock { body($0.state) } }

  /// How many tasks wait.
  package var waiting: Int { content.withLock { $0.parked.count } }

  /// Changes the state, and wakes those whose condition holds now, in the order in which they came.
  @discardableResult
  package func update<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, awoken) = content.withLock { content in
      let result = change(&content.state)
      var awoken: [() -> Void] = []
      var parked: [Parked] = []
      for waiter in content.parked {
        if let resume = waiter.attempt(&content.state) {
          awoken.append(resume)
        } else {
          parked.append(waiter)
        }
      }
      content.parked = parked
      return (result, awoken)
    }
    for resume in awoken { resume() }
    return result
  }

  /// Waits until `ready` gives a value, which may change the state.
  ///
  /// Throws `CancellationError` when the task is cancelled before.
  package func wait<Value: Sendable>(
    until ready: @escaping @Sendable (inout State) -> Value?
  ) async throws -> Value {
    let number = content.withLock { content in
      content.numbered += 1
      return content.numbered
    }
    defer { content.withLock { _ = $0.cancelled.remove(number) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        switch enter(number, continuation, ready) {
        case .ready(let value): continuation.resume(returning: value)
        case .cancelled: continuation.resume(throwing: CancellationError())
        case .parked: break
        }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func enter<Value: Sendable>(
    _ number: Int, _ continuation: CheckedContinuation<Value, any Error>,
    _ ready: @escaping @Sendable (inout State) -> Value?
  ) -> Entry<Value> {
    content.withLock { content in
      if content.cancelled.contains(number) { return .cancelled }
      if let value = ready(&content.state) { return .ready(value) }
      content.parked.append(
        Parked(
          number: number,
          attempt: { state in
            guard let value = ready(&state) else { return nil }
            return { continuation.resume(returning: value) }
          },
          cancel: { continuation.resume(throwing: CancellationError()) }))
      return .parked
    }
  }

  private func cancel(_ number: Int) {
    let parked = content.withLock { content -> Parked? in
      guard let index = content.parked.firstIndex(where: { $0.number == number }) else {
        content.cancelled.insert(number)
        return nil
      }
      return content.parked.remove(at: index)
    }
    parked?.cancel()
  }
}
