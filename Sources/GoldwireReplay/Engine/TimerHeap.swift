/// Timers of many machines, the earliest first; one that its machine has changed meanwhile is left in.
@usableFromInline
struct TimerHeap {
  private struct Timer {
    var due: Int
    var slot: Int
  }

  private var timers: [Timer] = []

  @usableFromInline
  init() {}

  /// Adds a timer.
  @usableFromInline
  mutating func push(_ due: Int, _ slot: Int) {
    timers.append(Timer(due: due, slot: slot))
    var child = timers.count - 1
    while child > 0, timers[child].due < timers[(child - 1) / 2].due {
      timers.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes the earliest timer, if it is due by an instant.
  @usableFromInline
  mutating func pop(by t: Int) -> (due: Int, slot: Int)? {
    guard let first = timers.first, first.due <= t else { return nil }
    let last = timers.removeLast()
    if !timers.isEmpty {
      timers[0] = last
      sink()
    }
    return (first.due, first.slot)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in 2 * parent + 1...2 * parent + 2
      where child < timers.count && timers[child].due < timers[least].due {
        least = child
      }
      if least == parent { return }
      timers.swapAt(parent, least)
      parent = least
    }
  }
}
