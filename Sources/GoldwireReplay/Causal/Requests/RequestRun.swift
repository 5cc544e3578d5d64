internal import GoldwireMachines
internal import GoldwireTrace

/// A client with other parameters, and its one logical request, in one world.
struct RequestRun {
  /// An action of it.
  struct Step {
    var action: Retry.Action
    var t: Int
    var grade: Grade
    var lines: [Int]
  }

  private let world: RequestWorld
  private let horizon: Int
  private let factor: Int
  private let knowsUnit: (Int) -> Bool
  private var machine: Retry
  private(set) var steps: [Step] = []
  /// An attempt met what the recording cannot tell.
  private(set) var isCensored = false
  private var grade: Grade
  private var isSame = true
  private var sends: [Int] = []
  private var coming: (at: Int, event: Retry.Event, line: Int)?
  private var lines: [Int] = []

  /// `factor` is the length of the trace's unit in microseconds.
  init(
    _ world: RequestWorld, _ parameters: Retry.Parameters, horizon: Int, factor: Int, best: Grade,
    knowsUnit: @escaping (Int) -> Bool
  ) {
    self.world = world
    self.horizon = horizon
    self.factor = factor
    self.knowsUnit = knowsUnit
    grade = best
    machine = Retry(parameters)
  }

  /// Runs it to its end.
  mutating func run() {
    guard let request = world.request.request else { return }
    var place = 0
    let happenings = world.request.happenings
    while place < happenings.count, happenings[place].t <= world.request.start,
      happenings[place].line < world.request.startLine ?? 0
    {
      take(happenings[place].event, at: happenings[place].t, happenings[place].line)
      place += 1
    }
    take(.start(request), at: world.request.start, world.request.startLine ?? 0)
    sent(1, at: world.request.start)
    // A machine that never stops by itself has no more than so many attempts.
    for _ in 0..<Self.stepLimit where machine.phase != .done {
      let happening = place < happenings.count ? happenings[place].t : Int.max
      let reply = coming?.at ?? Int.max
      let wake = wakeup ?? Int.max
      guard min(happening, reply, wake) <= horizon else { return }
      if reply <= happening, reply <= wake, let next = coming {
        coming = nil
        take(next.event, at: next.at, next.line)
      } else if happening <= wake {
        take(happenings[place].event, at: happening, happenings[place].line)
        place += 1
      } else {
        tick(at: wake)
      }
    }
  }

  /// One send, one answer and one wake-up for each of at most 1,001 sends, and the rest of what happens.
  private static let stepLimit = 100_000

  /// When the machine wakes: with the recorded client's lateness, as long as all is as recorded.
  private var wakeup: Int? {
    guard let due = machine.wakeup else { return nil }
    let next = sends.count
    guard isSame, next < world.request.attempts.count, world.request.attempts[next].due == due else {
      return due
    }
    return max(world.request.attempts[next].sent, coming?.at ?? Int.min)
  }

  private mutating func take(_ event: Retry.Event, at t: Int, _ line: Int) {
    lines = [line]
    var action: Retry.Action?
    machine.handle(event, at: t) { action = $0 }
    if let action { add(action, at: t) }
  }

  private mutating func tick(at t: Int) {
    var action: Retry.Action?
    machine.tick(at: max(t, machine.wakeup ?? t)) { action = $0 }
    guard let action else { return }
    add(action, at: t)
    if case .send(let attempt) = action { sent(attempt, at: t) }
  }

  private mutating func add(_ action: Retry.Action, at t: Int) {
    steps.append(Step(action: action, t: t, grade: grade, lines: lines))
  }

  /// Finds out what becomes of a send.
  private mutating func sent(_ attempt: Int, at t: Int) {
    let earlier = sends
    sends.append(t)
    let recorded = attempt <= world.request.attempts.count ? world.request.attempts[attempt - 1] : nil
    isSame = isSame && recorded?.sent == t
    if isSame, let recorded {
      guard let reply = recorded.reply else { return }
      let unit = world.unit(after: attempt, isKnown: knowsUnit(attempt))
      coming = (reply.at, reply.event.moved(to: attempt, unit: unit, by: 0, isAbsolute: false), reply.line)
      return
    }
    guard let fate = world.fate(of: attempt, at: t, after: earlier) else {
      isCensored = true
      return
    }
    grade = min(grade, fate.grade)
    let like = world.request.attempts[fate.like]
    let at = AnswerClock.sum(t, fate.reply.at - like.sent)
    let (later, overflow) = (at - fate.reply.at).multipliedReportingOverflow(by: factor)
    let event = fate.reply.event.moved(
      to: attempt, unit: world.unit(after: attempt, isKnown: knowsUnit(attempt)) ?? unit(of: attempt),
      by: overflow ? 0 : later, isAbsolute: world.isAbsolute)
    coming = (at, event, fate.reply.line)
  }

  /// The recorded random unit after the attempt of this number, whatever the answer is taken from.
  private func unit(of attempt: Int) -> Int? {
    guard attempt <= world.request.attempts.count else { return nil }
    switch world.request.attempts[attempt - 1].reply?.event {
    case .answered(_, let answer): return answer.unit
    case .failed(_, let failure): return failure.unit
    default: return nil
    }
  }
}
