internal import GoldwireRuntime

/// Pieces on their way from one task to another: one taker, a bound on their weight, and an end.
final class PieceQueue<Element: Sendable>: Sendable {
  private struct State {
    var items: [(element: Element, weight: Int)] = []
    var first = 0
    var weight = 0
    var isEnded = false
    var taker: Once<Void>?
    var waiters: [Once<Void>] = []

    mutating func pop() -> Element? {
      guard first < items.count else { return nil }
      let item = items[first]
      first += 1
      weight -= item.weight
      if first == items.count {
        items.removeAll(keepingCapacity: true)
        first = 0
      } else if first >= 64, first * 2 >= items.count {
        items.removeFirst(first)
        first = 0
      }
      return item.element
    }
  }

  private let state = Guarded(State())
  private let limit: Int

  /// A queue in which there is room while its weight is below `limit`.
  init(limit: Int) { self.limit = limit }

  /// Adds a piece; nothing where the queue has ended.
  func push(_ element: Element, weight: Int = 1) {
    let taker = state.withLock { state -> Once<Void>? in
      guard !state.isEnded else { return nil }
      state.items.append((element, weight))
      state.weight += weight
      defer { state.taker = nil }
      return state.taker
    }
    taker?.end(())
  }

  /// Takes no more pieces; those that are there may still be taken, unless they are dropped.
  func end(dropping: Bool = false) {
    let (taker, waiters) = state.withLock { state in
      state.isEnded = true
      if dropping {
        state.items = []
        state.first = 0
        state.weight = 0
      }
      defer {
        state.taker = nil
        state.waiters = []
      }
      return (state.taker, state.waiters)
    }
    taker?.end(())
    for waiter in waiters { waiter.end(()) }
  }

  /// The next piece; nil once the queue has ended and is empty, or the task was cancelled.
  func next() async -> Element? {
    while true {
      if Task.isCancelled { return nil }
      let once = Once<Void>()
      let (element, isOver, waiters) = state.withLock { state -> (Element?, Bool, [Once<Void>]) in
        let element = state.pop()
        if element == nil, !state.isEnded { state.taker = once }
        guard state.weight < limit else { return (element, state.isEnded, []) }
        defer { state.waiters = [] }
        return (element, state.isEnded, state.waiters)
      }
      for waiter in waiters { waiter.end(()) }
      if let element { return element }
      if isOver { return nil }
      await once.wait()
    }
  }

  /// Returns once there is room, the queue has ended, or the task was cancelled.
  func room() async {
    while !Task.isCancelled {
      let once = Once<Void>()
      let isFull = state.withLock { state in
        guard state.weight >= limit, !state.isEnded else { return false }
        state.waiters.append(once)
        return true
      }
      guard isFull else { return }
      await once.wait()
    }
  }
}

extension Once where Value == Void {
  /// Waits for the answer, or for the end of the task.
  func wait() async {
    _ = await withTaskCancellationHandler {
      await withCheckedContinuation { begin($0) }
    } onCancel: {
      end(nil)
    }
  }
}
