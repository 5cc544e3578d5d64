import GoldwireTrace

@testable import GoldwireLive

/// Keeps what a transport tells, and lets a test take it in order.
final class InboxBook: Sendable {
  private struct State {
    var events: [WebSocketTransportEvent] = []
    var waiter: CheckedContinuation<WebSocketTransportEvent, Never>?
  }

  private let state = Guarded(State())

  var inbox: WebSocketInbox { WebSocketInbox(deliver: put) }

  private func put(_ event: WebSocketTransportEvent) {
    let waiter = state.withLock { state -> CheckedContinuation<WebSocketTransportEvent, Never>? in
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      state.events.append(event)
      return nil
    }
    waiter?.resume(returning: event)
  }

  /// Waits for the next event.
  func next() async -> WebSocketTransportEvent {
    await withCheckedContinuation { continuation in
      let event = state.withLock { state -> WebSocketTransportEvent? in
        if state.events.isEmpty {
          state.waiter = continuation
          return nil
        }
        return state.events.removeFirst()
      }
      if let event { continuation.resume(returning: event) }
    }
  }

  /// Waits for events up to the end of the connection.
  func rest() async -> [WebSocketTransportEvent] {
    var events: [WebSocketTransportEvent] = []
    while true {
      let event = await next()
      events.append(event)
      switch event {
      case .ended, .refused: return events
      default: break
      }
    }
  }
}
