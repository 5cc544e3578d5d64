/// One answer for one waiter: whoever gives it first wins, and nil stands for a waiter that was cancelled.
package final class Once<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value?, Never>)
    case ended
  }

  private let state = Guarded(State.empty)

  /// An answer that is still to come.
  package init() {}

  /// Who waits; resumed at once, with nil, if the answer was given before.
  package func begin(_ continuation: CheckedContinuation<Value?, Never>) {
    let isOver = state.withLock { state in
      if case .ended = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isOver { continuation.resume(returning: nil) }
  }

  /// Gives the answer; later ones are nothing.
  package func end(_ value: Value?) {
    let waiter: CheckedContinuation<Value?, Never>? = state.withLock { state in
      defer { state = .ended }
      guard case .waiting(let continuation) = state else { return nil }
      return continuation
    }
    waiter?.resume(returning: value)
  }
}
