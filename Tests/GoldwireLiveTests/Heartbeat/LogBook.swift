@testable import GoldwireLive

/// Keeps a driver's log, and lets a test wait for the next tick.
final class LogBook: Sendable {
  private struct State {
    var entries: [HeartbeatLog] = []
    var ticks = 0
    var waiters: [(after: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  var entries: [HeartbeatLog] { state.withLock { $0.entries } }
  var ticks: Int { state.withLock { $0.ticks } }

  func add(_ entry: HeartbeatLog) {
    let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.entries.append(entry)
      if entry.event == .tick { state.ticks += 1 }
      let woken = state.waiters.filter { $0.after < state.ticks }.map(\.continuation)
      state.waiters.removeAll { $0.after < state.ticks }
      return woken
    }
    for waiter in woken { waiter.resume() }
  }

  /// Waits until more ticks than these have been noted.
  func tick(after ticks: Int) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.ticks > ticks { return true }
        state.waiters.append((ticks, continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
