import GoldwireMachines

/// What the laws of event streams are asked of: the machine, and copies of it with a flaw.
protocol EventStreamLike: Machine where Event == EventStream.Event, Action == EventStream.Action {}

extension EventStream: EventStreamLike {}

/// A plain copy of the core of event streams, in milliseconds, with one flaw, which the laws must find.
struct CopiedEventStream: EventStreamLike {
  enum Flaw: CaseIterable, Sendable {
    case commitsBeforeHandler, commitsOutOfOrder, noDeduplication, windowBeforeHandler, deliversTwice
    case skipsFailure, cursorFromRead, noGenerationCheck
  }

  private struct Entry {
    let generation: Int
    let n: Int
    let id: Int
    var state: State
  }

  private enum State { case delivered, held, done, failed }

  let flaw: Flaw?
  private var generation = 0
  private var isOpen = false
  private var due: Int?
  private var cursor = 0
  private var entries: [Entry] = []
  private var effects: Set<Int> = []

  init(_ flaw: Flaw?) { self.flaw = flaw }

  var wakeup: Int? { due }

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    switch event {
    case .connect(let number, _): generation = number
    case .answered(generation, _, _): isOpen = true
    case .event(let number, let block):
      guard isOpen, number == generation || flaw == .noGenerationCheck else { return }
      dispatch(block.n, block.id ?? 0, emit)
    case .handled(let number, let n, let succeeded):
      let index = entries.firstIndex { $0.generation == number && $0.n == n && $0.state == .delivered }
      if let index { handled(index, succeeded, now, emit) }
    case .cut(generation) where due == nil: wait(now)
    case .answered, .id, .comment, .retry, .cut, .cancel: break
    }
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard let due, now >= due else { return }
    self.due = nil
    generation += 1
    entries.removeAll { $0.state != .delivered }
    emit(.connect(cursor: cursor))
  }

  private mutating func wait(_ now: Int) {
    isOpen = false
    due = now + 3_000
  }

  private mutating func dispatch(_ n: Int, _ id: Int, _ emit: (Action) -> Void) {
    let runs = entries.contains { $0.id == id && $0.state == .delivered }
    let isKnown = effects.contains(id) && flaw != .noDeduplication
    let isHeld = runs && flaw != .deliversTwice && flaw != .noDeduplication
    let state: State = isKnown ? .done : isHeld ? .held : .delivered
    entries.append(Entry(generation: generation, n: n, id: id, state: state))
    if state == .delivered { emit(.deliver(n)) }
    if state == .done { emit(.skip(n)) }
    if flaw == .windowBeforeHandler { effects.insert(id) }
    if flaw == .commitsBeforeHandler { move(to: id, emit) }
    if flaw == .cursorFromRead { cursor = id }
    commit(emit)
  }

  private mutating func handled(_ index: Int, _ succeeded: Bool, _ now: Int, _ emit: (Action) -> Void) {
    let entry = entries[index]
    let isCurrent = entry.generation == generation
    entries[index].state = succeeded || flaw == .skipsFailure ? .done : .failed
    if succeeded {
      effects.insert(entry.id)
      if flaw == .commitsOutOfOrder { move(to: entry.id, emit) }
      for held in entries.indices where entries[held].id == entry.id && entries[held].state == .held {
        entries[held].state = .done
        emit(.skip(entries[held].n))
      }
    } else if isCurrent {
      if isOpen { wait(now) }
    } else if let held = entries.firstIndex(where: { $0.id == entry.id && $0.state == .held }) {
      entries[held].state = .delivered
      emit(.deliver(entries[held].n))
    }
    entries.removeAll { $0.generation < generation && $0.state != .delivered }
    commit(emit)
  }

  private mutating func commit(_ emit: (Action) -> Void) {
    while let index = entries.firstIndex(where: { $0.generation == generation }),
      entries[index].state == .done
    {
      let entry = entries.remove(at: index)
      move(to: entry.id, emit)
    }
  }

  private mutating func move(to id: Int, _ emit: (Action) -> Void) {
    if id == cursor { return }
    cursor = id
    emit(.commit(cursor: id))
  }
}
