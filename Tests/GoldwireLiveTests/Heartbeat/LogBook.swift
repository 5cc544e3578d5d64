@testable import GoldwireLive

/// Keeps a driver's log, and lets a test wait for what it will say.
final class LogBook: Sendable {
  private struct Waiter {
    let isMet: @Sendable ([HeartbeatLog]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var entries: [HeartbeatLog] = []
    var waiters: [Waiter] = []
  }

  private let state = Guarded(State())

  var entries: [HeartbeatLog] { state.withLock { $0.entries } }
  var ticks: Int { entries.count { $0.event == .tick } }

  func add(_ entry: HeartbeatLog) {
    let met = state.withLock { state -> [Waiter] in
      state.entries.append(entry)
      guard !state.waiters.isEmpty else { return [] }
      let entries = state.entries
      let met = state.waiters.filter { $0.isMet(entries) }
      state.waiters.removeAll { $0.isMet(entries) }
      return met
    }
    for waiter in met { waiter.continuation.resume() }
  }

  /// Waits until the entries meet a condition.
  func wait(until isMet: @escaping @Sendable ([HeartbeatLog]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if isMet(state.entries) { return true }
        state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Waits until more ticks than these have been noted.
  func tick(after ticks: Int) async {
    await wait { entries in entries.count { $0.event == .tick } > ticks }
  }

  /// Waits until so many entries have this event.
  func wait(for event: HeartbeatLog.Event, count: Int = 1) async {
    await wait { entries in entries.count { $0.event == event } >= count }
  }
}
