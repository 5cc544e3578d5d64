internal import GoldwireMachines
internal import GoldwireTrace

/// A machine that keeps a history of itself.
struct Watched<Subject: Machine>: Machine {
  typealias Action = Subject.Action

  /// An event, with the index of the line that it is from.
  struct Event: Sendable {
    var inner: Subject.Event
    var line: Int?
  }

  var inner: Subject
  var history = History<Subject>()
  /// Whether it is tried after each input what an early tick would do.
  let isProbed: Bool

  init(_ inner: Subject, isProbed: Bool) { (self.inner, self.isProbed) = (inner, isProbed) }

  var wakeup: Int? { inner.wakeup }

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    history.moments.append(.init(at: now, line: event.line, what: .event(event.inner)))
    var actions: [Action] = []
    inner.handle(event.inner, at: now) { actions.append($0) }
    finish(actions, now, emit)
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    history.moments.append(.init(at: now, line: nil, what: .tick))
    var actions: [Action] = []
    inner.tick(at: now) { actions.append($0) }
    finish(actions, now, emit)
  }

  private mutating func finish(_ actions: [Action], _ now: Int, _ emit: (Action) -> Void) {
    for action in actions {
      history.moments.append(.init(at: now, line: nil, what: .action(action)))
      emit(action)
    }
    guard let wish = inner.wakeup else { return }
    if history.wishes.last != wish { history.wishes.append(wish) }
    if isProbed, wish > now, history.earlyTick == nil { probe(at: wish - 1) }
  }

  /// Wakes a copy of the machine one unit before the instant that it asked for: nothing may come of it.
  private mutating func probe(at instant: Int) {
    var (copy, isIdle) = (inner, true)
    copy.tick(at: instant) { _ in isIdle = false }
    if !isIdle { history.earlyTick = history.moments.count - 1 }
  }
}

/// An adapter whose machines keep a history of themselves.
struct WatchingAdapter<Base: ReplayAdapter>: ReplayAdapter {
  typealias Subject = Watched<Base.Subject>
  typealias Memory = Base.Memory

  let base: Base
  let isProbed: Bool

  var family: Channel.Family { base.family }
  var isPerRequest: Bool { base.isPerRequest }

  func makeMachine() -> Subject { Watched(base.makeMachine(), isProbed: isProbed) }
  func makeMemory() -> Memory { base.makeMemory() }

  func read(_ line: TraceLine, at index: Int, memory: inout Memory) -> Reading<Subject.Event> {
    func marked(_ event: Base.Subject.Event) -> Subject.Event { .init(inner: event, line: index) }
    switch base.read(line, at: index, memory: &memory) {
    case .note: return .note
    case .input(let event, let then): return .input(marked(event), then: then.map(marked))
    case .begin(let event, let then): return .begin(marked(event), then: then.map(marked))
    case .act(let recorded, let other, let then):
      return .act(recorded, or: other.map(marked), then: then.map(marked))
    case .timer: return .timer
    }
  }

  func line(for action: Subject.Action, of machine: Subject, memory: Memory) -> GoldenLine {
    base.line(for: action, of: machine.inner, memory: memory)
  }

  func channel(of line: TraceLine) -> Channel? { base.channel(of: line) }

  func resume(at line: TraceLine, memory: Memory) -> Subject.Event? {
    base.resume(at: line, memory: memory).map { .init(inner: $0, line: nil) }
  }

  func isSeen(_ action: GoldenLine) -> Bool { base.isSeen(action) }
  func keepsTime(_ action: GoldenLine) -> Bool { base.keepsTime(action) }

  func makeMachine(after machine: Subject, memory: Memory) -> Subject {
    var next = Watched(base.makeMachine(after: machine.inner, memory: memory), isProbed: isProbed)
    next.history = machine.history
    next.history.moments.append(
      .init(at: machine.history.moments.last?.at ?? 0, line: nil, what: .renewed))
    return next
  }

  func standing(of action: GoldenLine, with machine: Subject) -> Standing {
    base.standing(of: action, with: machine.inner)
  }

  func generation(of machine: Subject) -> Int? { base.generation(of: machine.inner) }
  func isPrompt(_ line: TraceLine) -> Bool { base.isPrompt(line) }
  func isAsleep(_ machine: Subject) -> Bool { base.isAsleep(machine.inner) }
}
