/// Connection attempts whose SYN has no answer yet.
///
/// Each has a slot, which its connection keeps; adding, finding and removing one takes constant time, and the
/// earliest deadline is at the top of a heap.
struct AttemptList {
  /// One attempt.
  struct Attempt {
    /// Its connection.
    let connection: Int
    /// The place that was kept for it among the lines at its first SYN.
    let ticket: LineQueue.Ticket
    /// When its first SYN was sent.
    let first: Int
    /// When its latest SYN was sent.
    var latest: Int
    /// The longest time between two SYNs.
    var pause: Int
    /// The number of SYNs.
    var count: Int
    fileprivate var older = -1
    fileprivate var newer = -1
    fileprivate var serial: UInt32 = 0

    /// When the attempt is over if no further SYN comes: a whole second after the next one was due.
    var deadline: Int { latest &+ 2 &* pause &+ 1_000_000 }
  }

  /// A deadline that an attempt had; it may have a later one by now, or be gone.
  private struct Due {
    var time: Int
    var slot: Int
    var serial: UInt32

    static func < (left: Due, right: Due) -> Bool {
      left.time != right.time ? left.time < right.time : left.serial < right.serial
    }
  }

  private var slots: [Attempt?] = []
  private var free: [Int] = []
  private var oldest = -1
  private var newest = -1
  private var serial: UInt32 = 0
  private var heap: [Due] = []

  /// The number of attempts.
  var count: Int { slots.count &- free.count }

  /// Adds an attempt and gives its slot; the oldest makes room and is given back.
  mutating func add(
    _ connection: Int, ticket: LineQueue.Ticket, at now: Int, limit: Int
  ) -> (slot: Int, displaced: Attempt?) {
    let displaced = count >= max(1, limit) ? remove(oldest) : nil
    serial &+= 1
    var attempt = Attempt(
      connection: connection, ticket: ticket, first: now, latest: now, pause: 1_000_000, count: 1)
    attempt.serial = serial
    attempt.older = newest
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(attempt) } else { slots[slot] = attempt }
    if newest >= 0 { slots[newest]?.newer = slot } else { oldest = slot }
    newest = slot
    push(Due(time: attempt.deadline, slot: slot, serial: serial))
    return (slot, displaced)
  }

  /// Notes another SYN of an attempt.
  mutating func again(_ slot: Int, at now: Int) {
    guard let attempt = self[slot] else { return }
    slots[slot]?.pause = max(attempt.pause, now &- attempt.latest)
    slots[slot]?.latest = now
    slots[slot]?.count &+= 1
  }

  /// Takes out an attempt.
  mutating func remove(_ slot: Int) -> Attempt? {
    guard let attempt = self[slot] else { return nil }
    if attempt.older >= 0 { slots[attempt.older]?.newer = attempt.newer } else { oldest = attempt.newer }
    if attempt.newer >= 0 { slots[attempt.newer]?.older = attempt.older } else { newest = attempt.older }
    slots[slot] = nil
    free.append(slot)
    return attempt
  }

  /// Whether an attempt may be over at `now`.
  func mayBeDue(at now: Int) -> Bool { heap.first.map { $0.time <= now } ?? false }

  /// Takes out the attempt that is over first, if it is over at `now`.
  mutating func removeDue(at now: Int) -> Attempt? {
    while let top = heap.first, top.time <= now {
      guard let attempt = self[top.slot], attempt.serial == top.serial else {
        pop()
        continue
      }
      pop()
      if attempt.deadline == top.time { return remove(top.slot) }
      // A further SYN put it off; a deadline never comes nearer.
      push(Due(time: attempt.deadline, slot: top.slot, serial: top.serial))
    }
    return nil
  }

  /// Takes out the oldest attempt.
  mutating func removeOldest() -> Attempt? { remove(oldest) }

  private subscript(slot: Int) -> Attempt? { slots.indices.contains(slot) ? slots[slot] : nil }

  // MARK: Heap

  private mutating func push(_ due: Due) {
    if heap.count >= 64, heap.count > count &* 4 { sweep() }
    heap.append(due)
    var child = heap.count &- 1
    while child > 0, heap[child] < heap[(child &- 1) / 2] {
      heap.swapAt(child, (child &- 1) / 2)
      child = (child &- 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count &- 1)
    heap.removeLast()
    sink(0)
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 &* parent &+ 1, 2 &* parent &+ 2] where child < heap.count && heap[child] < heap[least]
      {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  /// Drops the deadlines of attempts that are gone.
  private mutating func sweep() {
    heap = heap.filter { due in self[due.slot]?.serial == due.serial }
    for parent in heap.indices.prefix(heap.count / 2).reversed() { sink(parent) }
  }
}
