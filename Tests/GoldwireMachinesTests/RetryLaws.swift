import GoldwireMachines
import GoldwireProtocols
import GoldwireTestSupport

/// What must hold of retries for every input; collects the laws that a run breaks.
struct RetryLaws<M: RetryLike> {
  private(set) var broken: Set<String> = []
  private(set) var actions: [Done<Retry.Action>] = []

  private var machine: M
  private var random: SeededGenerator
  private var now = 0
  private var sends = 1
  private var isCancelled = false
  private var isStale = false
  private var outcome: Retry.Outcome?

  init(_ machine: M, seed: UInt64) {
    self.machine = machine
    random = SeededGenerator(seed: seed)
    let replayable = Int.random(in: 0..<5, using: &random) > 0
    let request = Retry.Request(method: replayable ? "GET" : "POST")
    tell(.start(request))
    var rounds = 0
    while outcome == nil, rounds < 8 {
      rounds += 1
      round(replayable)
    }
    if outcome == nil { broken.insert("there is an outcome") }
    afterwards()
  }

  private mutating func round(_ replayable: Bool) {
    now += Int.random(in: 0...50, using: &random)
    if Int.random(in: 0..<12, using: &random) == 0 { cancel() }
    if Int.random(in: 0..<12, using: &random) == 0 { changeSession() }
    if outcome != nil { return }
    let seconds = UInt64.random(in: 0...45, using: &random)
    let asked = Int.random(in: 0..<12, using: &random)
    let answer = Answer(
      status: [503, 503, 503, 429, 429, 404, 200].randomElement(using: &random) ?? 503,
      retryAfter: asked == 0 ? .invalid(.over) : asked < 6 ? .seconds(seconds) : .absent,
      unit: Int.random(in: 0...1_000_000, using: &random))
    guard case .wait(let wait, let attempt)? = tell(.answered(sends, answer)).first else { return }
    let millionths = (1_000 << (sends - 1)) * (1_000_000 + answer.unit)
    let local = (millionths + 1_999_999) / 2_000_000
    let server = if case .seconds(let seconds) = answer.retryAfter { Int(seconds) * 1_000 } else { 0 }
    if wait < max(local, server) { broken.insert("no wait is shorter than asked") }
    if wait > 30_000 || answer.retryAfter == .invalid(.over) { broken.insert("long waits are put off") }
    if !replayable { broken.insert("what is not replayable is sent once") }
    if attempt != sends + 1 || attempt > 4 { broken.insert("four sends at most") }
    sitOut(until: now + max(local, server, wait))
  }

  private mutating func sitOut(until end: Int) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      now = Int.random(in: now...(end - 1), using: &random)
      cancel()
    case 1:
      now = end
      cancel()
    case 2: changeSession()
    default: break
    }
    now = max(now, end - 1)
    if now < end, tick().contains(where: { if case .send = $0 { true } else { false } }) {
      broken.insert("no send before its instant")
    }
    now = end
    if outcome == nil || isCancelled { tick() }
  }

  private mutating func cancel() {
    isCancelled = true
    if tell(.cancel) != [.stop(.cancelled)] { broken.insert("a cancellation is told at once, as one") }
  }

  private mutating func changeSession() {
    isStale = true
    tell(.session(9))
  }

  private mutating func afterwards() {
    let count = actions.count
    for event in [
      Retry.Event.answered(sends, Answer(status: 503)), .cancel, .answered(sends, Answer(status: 200)),
    ] {
      now += 50_000
      tell(event)
      tick()
    }
    if actions.count != count { broken.insert("nothing follows the outcome") }
  }

  @discardableResult
  private mutating func tell(_ event: Retry.Event) -> [Retry.Action] {
    var given: [Retry.Action] = []
    machine.handle(event, at: now) { given.append($0) }
    note(given)
    return given
  }

  @discardableResult
  private mutating func tick() -> [Retry.Action] {
    var given: [Retry.Action] = []
    machine.tick(at: now) { given.append($0) }
    note(given)
    return given
  }

  private mutating func note(_ given: [Retry.Action]) {
    for action in given {
      actions.append(Done(now, action))
      switch action {
      case .send(let attempt):
        if isCancelled || isStale || outcome != nil { broken.insert("nothing is sent that is not wanted") }
        sends = attempt
      case .stop(let why):
        if outcome != nil { broken.insert("there is one outcome") }
        if isStale, !isCancelled, why == .delivered { broken.insert("what is stale is dropped") }
        outcome = why
      case .wait: break
      }
    }
  }
}
