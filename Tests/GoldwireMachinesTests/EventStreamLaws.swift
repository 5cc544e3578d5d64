import GoldwireMachines
import GoldwireTestSupport

/// What must hold of an event stream for every input: a server of some events, cut at random, whose
/// handlers end in any order and sometimes fail; collects the laws that a run breaks.
struct EventStreamLaws<M: EventStreamLike> {
  private(set) var broken: Set<String> = []
  private(set) var actions: [Done<EventStream.Action>] = []

  private struct Running {
    let generation: Int
    let n: Int
    let id: Int
  }

  private let events = 6
  private var machine: M
  private var random: SeededGenerator
  private var now = 0
  private var generation = 1
  private var sent: [Int] = []
  private var upcoming: [Int] = []
  private var isCut = false
  private var running: [Running] = []
  private var effects: [Int: Int] = [:]
  private var isCalm = false

  init(_ machine: M, seed: UInt64) {
    self.machine = machine
    random = SeededGenerator(seed: seed)
    tell(.connect(1, cursor: 0))
    serve(from: 0)
    for _ in 0..<60 { step() }
    // From now on nothing fails and nothing is cut.
    isCalm = true
    for _ in 0..<200 { step() }
    if (1...events).contains(where: { effects[$0] == nil }) { broken.insert("every event is handled") }
  }

  private mutating func step() {
    now += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      if !isCut, !upcoming.isEmpty { send(upcoming.removeFirst()) }
    case 4..<7:
      if let index = running.indices.randomElement(using: &random) { finish(running.remove(at: index)) }
    case 7:
      if !isCalm { cut() } else if upcoming.isEmpty { cut() }
    case 8:
      if generation > 1 { tell(.event(generation - 1, .init(n: 40 + now, id: 50))) }
    default:
      guard let wakeup = machine.wakeup else { return }
      now = max(now, wakeup)
      var given: [EventStream.Action] = []
      machine.tick(at: now) { given.append($0) }
      note(given)
    }
  }

  private mutating func serve(from cursor: Int) {
    isCut = false
    sent = []
    let ignoresCursor = Int.random(in: 0..<4, using: &random) == 0
    upcoming = Array(stride(from: (ignoresCursor ? 0 : cursor) + 1, through: events, by: 1))
    tell(.answered(generation, Answer(status: 200), isEventStream: true))
  }

  private mutating func send(_ id: Int) {
    sent.append(id)
    tell(.event(generation, .init(n: sent.count, id: id)))
  }

  private mutating func cut() {
    isCut = true
    tell(.cut(generation))
  }

  private mutating func finish(_ event: Running) {
    let succeeded = isCalm || Int.random(in: 0..<4, using: &random) > 0
    if succeeded {
      effects[event.id, default: 0] += 1
      if effects[event.id, default: 0] > 1 { broken.insert("an id has one effect at most") }
    }
    tell(.handled(event.generation, n: event.n, succeeded: succeeded))
  }

  private mutating func tell(_ event: EventStream.Event) {
    var given: [EventStream.Action] = []
    machine.handle(event, at: now) { given.append($0) }
    note(given)
  }

  private mutating func note(_ given: [EventStream.Action]) {
    for action in given {
      actions.append(Done(now, action))
      switch action {
      case .deliver(let n):
        if n > sent.count { broken.insert("an old connection changes nothing") }
        guard n <= sent.count else { break }
        running.append(Running(generation: generation, n: n, id: sent[n - 1]))
      case .commit(let cursor), .connect(let cursor):
        // Ids rise along the stream, so a cursor names all up to it.
        if cursor > 0, (1...cursor).contains(where: { effects[$0] == nil }) {
          broken.insert("the cursor names nothing whose handler has not succeeded")
        }
        if case .connect = action {
          generation += 1
          serve(from: cursor)
        }
      case .skip, .stop, .note: break
      }
    }
  }
}
