/// The events of one connection in stream order, from the first whose cursor is not committed yet.
struct EventQueue: Sendable {
  /// A dispatched event, or a block with an id alone.
  struct Entry: Sendable {
    /// The number of the event, or of the one before a block without data.
    let n: Int
    /// What identifies its effect; nil without an id of its own.
    let effect: EffectWindow.Effect?
    /// The cursor once everything up to here has succeeded.
    let cursor: Int
    var state: State
  }

  enum State: Sendable {
    /// Its handler runs.
    case delivered
    /// Its id is that of an event whose handler runs.
    case held
    /// Its effect is there, or it has none.
    case done
    /// Its handler failed; nothing behind it is committed.
    case failed
  }

  private var entries: [Entry] = []
  private var head = 0
  private(set) var heldCount = 0
  private(set) var lastNumber = 0

  var count: Int { entries.count - head }

  mutating func append(_ entry: Entry) {
    if entry.state == .held { heldCount += 1 }
    lastNumber = max(lastNumber, entry.n)
    entries.append(entry)
  }

  /// Takes the first entry out, if it is done.
  mutating func popDone() -> Entry? {
    guard head < entries.count, entries[head].state == .done else { return nil }
    let entry = entries[head]
    head += 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1_024, head * 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return entry
  }

  /// The entry of the event with this number, if its handler runs.
  func delivered(_ n: Int) -> Entry? {
    index(of: n).map { entries[$0] }
  }

  /// Marks the end of the handler of the event with this number.
  mutating func finish(_ n: Int, as state: State) {
    if let index = index(of: n) { entries[index].state = state }
  }

  /// Changes the first entry that is held for this effect, and returns it.
  mutating func release(_ effect: EffectWindow.Effect, by dedup: EventStream.Deduplication, as state: State)
    -> Entry?
  {
    guard heldCount > 0 else { return nil }
    for index in head..<entries.count where entries[index].state == .held {
      guard let held = entries[index].effect, held.id == effect.id else { continue }
      if dedup == .idAndContent, held.revision != effect.revision { continue }
      heldCount -= 1
      entries[index].state = state
      return entries[index]
    }
    return nil
  }

  /// Empties the queue for a new connection; returns the entries whose handlers still run.
  mutating func restart() -> [Entry] {
    let running = entries[head...].filter { $0.state == .delivered }
    entries.removeAll(keepingCapacity: true)
    head = 0
    heldCount = 0
    lastNumber = 0
    return running
  }

  /// Numbers rise along the queue; of those that are equal, the first is the event.
  private func index(of n: Int) -> Int? {
    var low = head
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].n < n { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].n == n, entries[low].state == .delivered else { return nil }
    return low
  }
}
