public import GoldwireLive
public import GoldwireTap

/// A driver's clock that a test moves by hand, so that no test sleeps or waits for a timer.
///
/// Time stands still until ``advance(by:)`` or ``advance(to:)``. ``waits(_:)`` is the signal that somebody waits:
///
///     let clock = ManualClock()
///     async let answer = executor.send(request)
///     let due = await clock.waits()      // the executor waits until then
///     clock.advance(to: due)
public final class ManualClock: DriverClock {
  private struct Sleeper {
    let number: Int
    let until: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let number: Int
    let count: Int
    /// The instant for which one of them must wait; nil for any.
    let until: Int?
    let continuation: CheckedContinuation<TapInstant?, Never>

    func holds(_ sleepers: [Sleeper]) -> Bool {
      sleepers.count >= count && (until == nil || sleepers.contains { $0.until == until })
    }
  }

  private enum Entry {
    /// It waits; the earliest instant of all, and who asked for it.
    case waits(Int, [CheckedContinuation<TapInstant?, Never>])
    /// The instant has passed.
    case over
    /// The task was cancelled before.
    case cancelled
  }

  private struct State {
    var now: Int
    var numbered = 0
    /// Those who wait, by instant, then in the order in which they came.
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// Tasks that were cancelled before their wait was entered.
    var cancelled: Set<Int> = []
  }

  private let start: Int
  private let state: Guarded<State>

  /// Makes a clock that stands still.
  public init() {
    start = 1_000_000_000
    state = Guarded(State(now: start))
  }

  /// The instant at which the clock stands.
  public var now: TapInstant { TapInstant(microseconds: state.withLock { $0.now }) }

  /// The time since the clock was made.
  public var elapsed: Duration { .microseconds(state.withLock { $0.now } - start) }

  /// How many waits are under way; none is left behind by a driver that has ended.
  public var waiting: Int { state.withLock { $0.sleepers.count } }

  /// The instants until which somebody waits, the earliest first.
  public var due: [TapInstant] {
    state.withLock { $0.sleepers.map { TapInstant(microseconds: $0.until) } }
  }

  /// The instant that is so long after the clock was made.
  public func instant(after span: Duration) -> TapInstant {
    TapInstant(microseconds: start + Self.microseconds(span))
  }

  /// The time from the making of the clock to an instant of it.
  public func span(to instant: TapInstant) -> Duration { .microseconds(instant.microseconds - start) }
}

// MARK: - Moving

extension ManualClock {
  /// Moves the clock, never back; whoever waits until then or earlier goes on, the earliest first.
  public func advance(to instant: TapInstant) {
    let due = state.withLock { state in
      state.now = max(state.now, instant.microseconds)
      let count = state.sleepers.prefix { $0.until <= state.now }.count
      let due = state.sleepers.prefix(count).map(\.continuation)
      state.sleepers.removeFirst(count)
      return due
    }
    for continuation in due { continuation.resume() }
  }

  /// Moves the clock by a span; a part of a microsecond counts as none.
  public func advance(by span: Duration) {
    let now = state.withLock { $0.now }
    advance(to: TapInstant(microseconds: now + Self.microseconds(span)))
  }

  /// Moves the clock to the earliest instant that somebody waits for, once somebody does; returns that instant.
  ///
  /// Nil where the test was cancelled.
  @discardableResult
  public func advanceToNextWait() async -> TapInstant? {
    guard let due = await waits() else { return nil }
    advance(to: due)
    return due
  }

  private static func microseconds(_ span: Duration) -> Int {
    let (seconds, attoseconds) = span.components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}

// MARK: - Waiting

extension ManualClock {
  /// Waits until the test has moved the clock to `instant`; at once if it stands there already.
  ///
  /// Throws `CancellationError` when the task is cancelled.
  public func sleep(until instant: TapInstant) async throws {
    try Task.checkCancellation()
    let number = nextNumber()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(Sleeper(number: number, until: instant.microseconds, continuation: continuation))
      }
    } onCancel: {
      cancel(number)
    }
  }

  /// Returns once at least `count` waits are under way, with the earliest instant among them.
  ///
  /// Nil where the test was cancelled meanwhile.
  public func waits(_ count: Int = 1) async -> TapInstant? { await watch(count, until: nil) }

  /// Returns once somebody waits until exactly this instant, or the test was cancelled.
  public func waits(until instant: TapInstant) async { _ = await watch(1, until: instant.microseconds) }

  private func watch(_ count: Int, until instant: Int?) async -> TapInstant? {
    let number = nextNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        watch(Watcher(number: number, count: count, until: instant, continuation: continuation))
      }
    } onCancel: {
      unwatch(number)
    }
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.numbered += 1
      return state.numbered
    }
  }

  private func enter(_ sleeper: Sleeper) {
    let entry = state.withLock { state -> Entry in
      if state.cancelled.remove(sleeper.number) != nil { return .cancelled }
      if sleeper.until <= state.now { return .over }
      let place = state.sleepers.firstIndex { $0.until > sleeper.until } ?? state.sleepers.endIndex
      state.sleepers.insert(sleeper, at: place)
      let ready = state.watchers.filter { $0.holds(state.sleepers) }
      state.watchers.removeAll { $0.holds(state.sleepers) }
      return .waits(state.sleepers.first?.until ?? sleeper.until, ready.map(\.continuation))
    }
    switch entry {
    case .waits(let first, let watchers):
      for watcher in watchers { watcher.resume(returning: TapInstant(microseconds: first)) }
    case .over: sleeper.continuation.resume()
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  private func watch(_ watcher: Watcher) {
    let first = state.withLock { state -> TapInstant?? in
      if state.cancelled.remove(watcher.number) != nil { return .some(nil) }
      if watcher.holds(state.sleepers), let first = state.sleepers.first {
        return TapInstant(microseconds: first.until)
      }
      state.watchers.append(watcher)
      return nil
    }
    if let first { watcher.continuation.resume(returning: first) }
  }

  private func unwatch(_ number: Int) {
    let watcher = state.withLock { state -> Watcher? in
      guard let index = state.watchers.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      return state.watchers.remove(at: index)
    }
    watcher?.continuation.resume(returning: nil)
  }
}
