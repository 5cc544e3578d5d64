internal import GoldwireMachines

/// What must hold of an event stream, worked out from its history alone; none of the machine's own code is used.
struct StreamOracle<Subject: Machine>
where Subject.Event == EventStream.Event, Subject.Action == EventStream.Action {
  typealias Rules = StreamRules
  typealias Breach = Invariant<Subject>.Breach

  /// What counts as one event.
  struct Key: Hashable {
    var id: Int
    /// 0 where the id alone decides.
    var rev: Int
  }

  enum State { case running, held, done, failed }

  struct Entry {
    var generation: Int
    var n: Int
    var key: Key?
    /// The cursor once all up to here is done.
    var cursor: Int
    var state: State
  }

  /// What an input should bring.
  struct Wanted {
    /// Deliveries and skips, in order.
    var effects: [EventStream.Action] = []
    var commits: [Int] = []
    /// A connection or a stop.
    var last: EventStream.Action?
  }

  let parameters: EventStream.Parameters
  let history: History<Subject>
  var phase = EventStream.Phase.idle
  var generation = 0
  var cursor = 0
  var carried = 0
  /// The events of this connection, from the first that is not committed.
  var entries: [Entry] = []
  /// Those of older ones whose handlers run.
  var older: [Entry] = []
  var effects: Set<Key> = []
  var lastNumber = 0
  var due: Int?
  /// nil where a hole in the recording may have hidden it.
  var delay: Int?
  var refusals = 0
  var failures = 0
  var failedID: Int?
  var hasCommitted = false
  var wanted = Wanted()
  private var wasStale = false
  /// Whether a machine that is made anew after a hole knows the cursor and the effects of the one before.
  private let keepsEffects: Bool
  /// Whether nothing more can be said.
  private var isLost = false

  private init(
    _ parameters: EventStream.Parameters, _ history: History<Subject>, keepsEffects: Bool
  ) {
    (self.parameters, self.history, self.keepsEffects) = (parameters, history, keepsEffects)
    delay = parameters.delay
  }

  /// The rules of event streams.
  static func invariant(
    _ parameters: EventStream.Parameters, keepsEffects: Bool
  ) -> Invariant<Subject> {
    Invariant(Rules.all) { history in
      var oracle = StreamOracle(parameters, history, keepsEffects: keepsEffects)
      return oracle.run()
    }
  }

  private mutating func run() -> Breach? {
    var found: Breach?
    history.forEachInput { index, actions in
      found = take(index, actions)
      return found == nil
    }
    if found == nil, history.isWhole, !isLost, isOverdue(before: AnswerClock.sum(history.horizon, 1)) {
      found = Breach(rule: Rules.connects, moment: history.moments.count)
    }
    found?.isAfterStale = wasStale
    return found
  }

  /// Whether a connection should have been made; a silence that is over ends the one that there is.
  private mutating func isOverdue(before now: Int) -> Bool {
    if phase == .open, !isHandling, let silent = due, history.isOver(silent, before: now) {
      wait(delay, history.run(of: silent))
    }
    return phase == .waiting && due.map { history.isOver($0, before: now) } ?? false
  }

  private mutating func take(_ index: Int, _ actions: ArraySlice<History<Subject>.Moment>) -> Breach? {
    let moment = history.moments[index]
    // With so many ids a window forgets some.
    if effects.count >= parameters.window { isLost = true }
    if isLost { return nil }
    if case .renewed = moment.what {
      renew()
      return nil
    }
    if isOverdue(before: moment.at) { return Breach(rule: Rules.connects, moment: index) }
    let before = self
    wanted = Wanted()
    switch moment.what {
    case .event(let event):
      wasStale = wasStale || isStale(event)
      hear(event, moment.at)
    case .tick:
      // A delay that is not known is over when the machine says so.
      if phase == .waiting, due == nil, delay == nil, !actions.isEmpty { due = moment.at }
      tick(moment.at)
    case .action, .renewed: break
    }
    return judge(actions, index, before)
  }

  private func isStale(_ event: EventStream.Event) -> Bool {
    switch event {
    case .answered(let number, _, _), .event(let number, _), .id(let number, _), .comment(let number),
      .retry(let number, _), .cut(let number):
      number < generation
    case .connect, .handled, .cancel: false
    }
  }

  /// After a hole the cursor and the effects stay known; what was asked for of the delay may not be.
  private mutating func renew() {
    guard generation > 0 else { return }
    isLost = !keepsEffects
    let (old, oldEffects, wasLost) = (cursor, effects, isLost)
    self = StreamOracle(parameters, history, keepsEffects: keepsEffects)
    isLost = wasLost
    (cursor, effects, delay) = (old, oldEffects, nil)
  }
}

// MARK: - What should be done

extension StreamOracle {
  private mutating func hear(_ event: EventStream.Event, _ now: Int) {
    guard phase != .stopped else { return }
    switch event {
    case .connect(let number, let cursor):
      guard number > generation else { return }
      if let cursor { self.cursor = cursor }
      begin(number)
    case .answered(let number, let answer, let isEventStream):
      guard number == generation, phase == .connecting, !answer.isInterim else { return }
      answered(answer, isEventStream, now)
    case .event(let number, let block):
      guard number == generation, phase == .open, block.n > lastNumber else { return }
      live(now)
      dispatch(block)
    case .id(let number, let id):
      guard number == generation, phase == .open else { return }
      live(now)
      carried = id
      entries.append(Entry(generation: number, n: lastNumber, cursor: id, state: .done))
      commit()
    case .comment(let number): if number == generation, phase == .open { live(now) }
    case .retry(let number, let milliseconds):
      guard number == generation, phase == .open else { return }
      live(now)
      let (asked, overflow) = milliseconds.multipliedReportingOverflow(by: parameters.unit.rawValue / 1_000)
      delay = min(max(overflow ? .max : asked, parameters.least), parameters.most)
    case .handled(let number, let n, let succeeded): handled(number, n, succeeded, now)
    case .cut(let number):
      guard number == generation, phase == .connecting || phase == .open else { return }
      wait(delay, now)
    case .cancel: stop(.cancelled)
    }
  }

  private mutating func tick(_ now: Int) {
    guard let due, now >= due else { return }
    if phase == .open, !isHandling { wait(delay, now) } else if phase == .waiting { reconnect() }
  }

  private mutating func reconnect() {
    guard generation < .max else { return }
    wanted.last = .connect(cursor: cursor)
    begin(generation + 1)
  }

  private mutating func begin(_ number: Int) {
    older += entries.filter { $0.state == .running }
    (entries, lastNumber, carried, due) = ([], 0, cursor, nil)
    (generation, phase) = (number, .connecting)
  }

  private mutating func answered(_ answer: Answer, _ isEventStream: Bool, _ now: Int) {
    switch answer.status {
    case 200 where isEventStream:
      (phase, refusals) = (.open, 0)
      live(now)
    case 200: stop(.type)
    case 204: stop(.noContent)
    case 429 where parameters.retryStatuses, 503 where parameters.retryStatuses:
      let retries = Retry.Parameters.standard(parameters.unit)
      guard
        let pause = retries.pause(retryIndex: refusals, server: ServerDelay(answer), millionths: answer.unit)
      else { return stop(.status) }
      refusals += 1
      wait(delay.map { max(pause, $0) }, now)
    default: stop(.status)
    }
  }

  mutating func wait(_ span: Int?, _ now: Int) {
    phase = .waiting
    due = span.flatMap { later(now, $0) }
  }

  mutating func stop(_ why: EventStream.Stop) {
    (phase, due) = (.stopped, nil)
    wanted.last = .stop(why)
  }

  /// Whether a handler of this connection runs: nothing is read meanwhile, so that silence is not the server's.
  var isHandling: Bool { entries.contains { $0.state == .running } }

  mutating func live(_ now: Int) { due = parameters.idle.flatMap { later(now, $0) } }

  private func later(_ now: Int, _ span: Int) -> Int? {
    let (sum, overflow) = now.addingReportingOverflow(span)
    return overflow ? nil : sum
  }
}
