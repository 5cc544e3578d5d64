import GoldwireTap

@testable import GoldwireLive

/// A clock that a test moves by hand; it starts at 0.
final class HandClock: DriverClock {
  private struct Sleeper {
    let number: Int
    let instant: TapInstant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = TapInstant(microseconds: 0)
    var watchers: [(instant: TapInstant, continuation: CheckedContinuation<Void, Never>)] = []
    var sleepers: [Sleeper] = []
    var sleeps = 0
    /// Whether timers are held back, as by a system that suspends the app.
    var isHeld = false
  }

  private let state = Guarded(State())

  var now: TapInstant { state.withLock { $0.now } }

  /// Whether timers are held back.
  var isHeld: Bool { state.withLock { $0.isHeld } }

  /// Moves on, and wakes whoever waited for an instant up to this one.
  func advance(to microseconds: Int) {
    state.withLock { $0.now = max($0.now, TapInstant(microseconds: microseconds)) }
    wake()
  }

  /// Moves on to an instant as soon as somebody waits for it.
  func advance(whenWaitedFor microseconds: Int) async {
    let instant = TapInstant(microseconds: microseconds)
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.sleepers.contains(where: { $0.instant == instant }) { return true }
        state.watchers.append((instant, continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
    advance(to: microseconds)
  }

  /// Holds all timers back, or lets them go.
  func hold(_ isHeld: Bool) {
    state.withLock { $0.isHeld = isHeld }
    wake()
  }

  private func wake() {
    let due = state.withLock { state -> [Sleeper] in
      if state.isHeld { return [] }
      let due = state.sleepers.filter { $0.instant <= state.now }
      state.sleepers.removeAll { $0.instant <= state.now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  func sleep(until instant: TapInstant) async throws {
    let number = state.withLock { state in
      state.sleeps += 1
      return state.sleeps
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isOver, watchers) = state.withLock { state in
          if Task.isCancelled || !state.isHeld && instant <= state.now {
            return (true, [CheckedContinuation<Void, Never>]())
          }
          state.sleepers.append(Sleeper(number: number, instant: instant, continuation: continuation))
          let watchers = state.watchers.filter { $0.instant == instant }.map(\.continuation)
          state.watchers.removeAll { $0.instant == instant }
          return (false, watchers)
        }
        for watcher in watchers { watcher.resume() }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
    try Task.checkCancellation()
  }
}
