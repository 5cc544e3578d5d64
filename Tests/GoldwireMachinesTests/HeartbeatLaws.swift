import GoldwireMachines
import GoldwireTestSupport

/// What must hold of a heartbeat for every input; collects the laws that a run breaks.
struct HeartbeatLaws<M: HeartbeatLike> {
  private(set) var broken: Set<String> = []
  private(set) var actions: [Done<Heartbeat.Action>] = []

  private var machine: M
  private let interval: Int
  private let timeout: Int
  private var random: SeededGenerator
  private var now = 0
  private var current = 0
  private var isConnecting = false
  private var isOver = true
  private var start = 0
  private var pingedAt: Int?

  init(_ machine: M, interval: Int, timeout: Int, seed: UInt64) {
    self.machine = machine
    self.interval = interval
    self.timeout = timeout
    random = SeededGenerator(seed: seed)
    for _ in 0..<80 { step() }
  }

  private mutating func step() {
    now += Int.random(in: 0...5, using: &random)
    let old = max(0, current - Int.random(in: 0...2, using: &random))
    let id = Bool.random(using: &random) ? current : old
    let event: Heartbeat.Event =
      switch Int.random(in: 0..<20, using: &random) {
      case 0, 1: .connect(isOver ? current + 1 : id)
      case 2: .connect(current + 1)
      case 3...8: .opened(id)
      case 9...15: .pong(id, id: nil)
      case 16: .ended(id, .reset, code: nil)
      case 17: .userClose(id)
      default: .opened(current)
      }
    if id < current { probe(event) }
    apply(event)
    if Int.random(in: 0..<4, using: &random) > 0 { tick() }
  }

  /// An event of an old generation, told to a copy.
  private mutating func probe(_ event: Heartbeat.Event) {
    if case .connect(let id) = event, id > current { return }
    if case .opened(current) = event { return }
    var copy = machine
    var count = 0
    copy.handle(event, at: now) { _ in count += 1 }
    if count > 0 || copy != machine { broken.insert("an old generation changes nothing") }
  }

  private mutating func apply(_ event: Heartbeat.Event) {
    let before = actions.count
    let instant = now
    var given: [Heartbeat.Action] = []
    machine.handle(event, at: instant) { given.append($0) }
    actions += given.map { Done(instant, $0) }
    for action in given { judge(action, byTick: false) }
    switch event {
    case .connect(let id) where id > current:
      if !isOver, given != [.ended(current)] { broken.insert("a newer generation ends an older one") }
      current = id
      isConnecting = true
      isOver = false
      pingedAt = nil
    case .opened(current) where isConnecting:
      isConnecting = false
      start = now
    case .pong(current, _):
      guard let pinged = pingedAt, now < pinged + timeout else { break }
      pingedAt = nil
      start = now
    case .ended(current, _, _) where !isOver, .userClose(current) where !isOver:
      broken.insert("an end is told")
    default:
      if before != actions.count, given.contains(where: { if case .ping = $0 { true } else { false } }) {
        broken.insert("an event sends no ping")
      }
    }
  }

  private mutating func tick() {
    let instant = now
    var given: [Heartbeat.Action] = []
    machine.tick(at: instant) { given.append($0) }
    actions += given.map { Done(instant, $0) }
    if given.count > 1 { broken.insert("a tick gives one action at most") }
    let isDue = pingedAt.map { now >= $0 + timeout } ?? false
    for action in given { judge(action, byTick: true) }
    if isDue, !isOver { broken.insert("the deadline closes") }
  }

  private mutating func judge(_ action: Heartbeat.Action, byTick: Bool) {
    switch action {
    case .ping(let id):
      if id != current || isOver || isConnecting { broken.insert("only an open generation is pinged") }
      if pingedAt != nil { broken.insert("no second ping while one is unanswered") }
      if now < start + interval { broken.insert("no ping before the interval") }
      pingedAt = now
      probeDeadline(from: now)
    case .close(let id):
      if id != current || isOver { broken.insert("a generation ends once") }
      if byTick, pingedAt.map({ now < $0 + timeout }) ?? true { broken.insert("no close without a miss") }
      isOver = true
      isConnecting = false
      pingedAt = nil
    case .ended(let id):
      if id != current || isOver { broken.insert("a generation ends once") }
      isOver = true
      isConnecting = false
      pingedAt = nil
    }
  }

  /// A pong at the deadline is late in either order; one before it is not.
  private mutating func probeDeadline(from ping: Int) {
    for (instant, closes) in [(ping + timeout, true), (ping + timeout - 1, false)] {
      var copy = machine
      var closed = false
      copy.handle(.pong(current, id: nil), at: instant) { _ in }
      copy.tick(at: ping + timeout) { if $0 == .close(current) { closed = true } }
      if closed != closes { broken.insert("a pong at the deadline is late, one before it is not") }
    }
  }
}
