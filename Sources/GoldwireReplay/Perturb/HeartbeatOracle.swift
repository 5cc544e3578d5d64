internal import GoldwireMachines

/// What must hold of a heartbeat, worked out from its history alone; none of the machine's own code is used.
struct HeartbeatOracle<Subject: Machine>
where Subject.Event == Heartbeat.Event, Subject.Action == Heartbeat.Action {
  typealias Breach = Invariant<Subject>.Breach

  private let parameters: Heartbeat.Parameters
  private let history: History<Subject>
  private var generation = 0
  private var phase = Heartbeat.Phase.idle
  private var isInBackground = false
  private var pings = 0
  private var isAwaiting = false
  private var isCompleted = false
  /// Of the pong or the handshake; nil for none, or beyond the clock's range.
  private var deadline: Int?
  private var nextPing: Int?
  /// Since when the timers have been as they are: they run from then on.
  private var timersSince = Int.min
  private var isStale = false
  private var wasStale = false
  /// Whether the machine is taken to run what is due before it hears what comes at the same instant.
  private var runsFirst = false

  private init(_ parameters: Heartbeat.Parameters, _ history: History<Subject>) {
    (self.parameters, self.history) = (parameters, history)
  }

  /// The rules of heartbeats.
  static func invariant(_ parameters: Heartbeat.Parameters) -> Invariant<Subject> {
    Invariant(HeartbeatRules.all) { history in
      var oracle = HeartbeatOracle(parameters, history)
      guard let found = oracle.run() else { return nil }
      // What is due at the instant of an event may come first throughout, and answers may then come at once.
      var other = HeartbeatOracle(parameters, history)
      other.runsFirst = true
      return other.run() == nil ? nil : found
    }
  }

  private mutating func run() -> Breach? {
    var found: Breach?
    history.forEachInput { index, actions in
      found = take(index, actions)
      wasStale = wasStale || isStale
      return found == nil
    }
    found?.isAfterStale = wasStale
    guard found == nil, history.isWhole, let rule = missed(before: AnswerClock.sum(history.horizon, 1)) else {
      return found
    }
    return Breach(rule: rule, moment: history.moments.count, isAfterStale: wasStale)
  }

  private mutating func take(_ index: Int, _ actions: ArraySlice<History<Subject>.Moment>) -> Breach? {
    let moment = history.moments[index]
    var wanted: Heartbeat.Action?
    var rest = actions
    let before = self
    switch moment.what {
    case .renewed:
      self = HeartbeatOracle(parameters, history)
      runsFirst = before.runsFirst
      return nil
    case .event(let event):
      if let rule = missed(before: moment.at) { return Breach(rule: rule, moment: index) }
      if let tied = tied(event, moment.at, actions) {
        self = tied
        return nil
      }
      wanted = hear(event, moment.at)
    case .tick:
      if let rule = missed(before: moment.at) { return Breach(rule: rule, moment: index) }
      wanted = tick(moment.at)
    case .action: return nil
    }
    if let wanted {
      guard let first = rest.popFirst() else {
        if case .ping = wanted, before.nextPing == moment.at, case .event = moment.what {
          // It is due at this very instant, at which a tick may still bring it.
          takeBack(before)
          return nil
        }
        return Breach(rule: before.rule(lacking: wanted, isTick: moment.line == nil), moment: index)
      }
      guard case .action(wanted) = first.what else {
        return Breach(rule: before.rule(against: first, isStale: isStale), moment: rest.startIndex - 1)
      }
    }
    guard let extra = rest.first else { return nil }
    let ends = wanted.map { if case .ping = $0 { false } else { true } } ?? false
    let rule = ends ? HeartbeatRules.oneEnd : before.rule(against: extra, isStale: isStale)
    return Breach(rule: rule, moment: rest.startIndex)
  }

  /// The state after an event, where the machine ran what is due at its instant with it, as event loops do.
  ///
  /// That may be before it was heard, or right behind; nil where neither explains the actions.
  private func tied(
    _ event: Heartbeat.Event, _ now: Int, _ actions: ArraySlice<History<Subject>.Moment>
  ) -> Self? {
    for isFirst in [runsFirst, !runsFirst] {
      var (oracle, wanted) = (self, [Heartbeat.Action?]())
      if isFirst { wanted.append(oracle.tick(now)) }
      wanted.append(oracle.hear(event, now))
      let isStale = oracle.isStale
      if !isFirst { wanted.append(oracle.tick(now)) }
      oracle.isStale = isStale
      let all = wanted.compactMap(\.self)
      let isSame =
        all.count == actions.count
        && zip(all, actions).allSatisfy { want, moment in
          if case .action(want) = moment.what { true } else { false }
        }
      if !all.isEmpty, isSame { return oracle }
    }
    return nil
  }

  /// What should have come by itself before an input at an instant.
  private func missed(before now: Int) -> PerturbRule? {
    guard !isInBackground else { return nil }
    if let deadline, phase == .connecting || isAwaiting, isOver(deadline, before: now) {
      return HeartbeatRules.deadline
    }
    if phase == .open, !isAwaiting, let nextPing, isOver(nextPing, before: now) {
      return HeartbeatRules.duePing
    }
    return nil
  }

  private func isOver(_ instant: Int, before now: Int) -> Bool {
    history.isOver(max(instant, timersSince), before: now)
  }
}

// MARK: - What should be done

extension HeartbeatOracle {
  private mutating func hear(_ event: Heartbeat.Event, _ now: Int) -> Heartbeat.Action? {
    isStale = false
    switch event {
    case .connect(let number):
      isStale = number <= generation
      guard number > generation else { return nil }
      let old = phase == .idle ? nil : Heartbeat.Action.ended(generation)
      (generation, phase, pings, isAwaiting, nextPing) = (number, .connecting, 0, false, nil)
      deadline = parameters.connectTimeout.flatMap { later(now, $0) }
      return old
    case .resume(let number, let id):
      guard number >= generation else { return nil }
      (generation, phase, isInBackground) = (number, .open, false)
      (isAwaiting, isCompleted, deadline, nextPing) = (false, false, nil, now)
      pings = max(1, id ?? 1) - 1
    case .opened(let number):
      guard isCurrent(number), phase == .connecting else { return nil }
      (phase, deadline, nextPing) = (.open, nil, later(now, parameters.interval))
    case .pong(let number, let id):
      if isCurrent(number) { answer(id, now) }
    case .pinged(let number, let id, let result):
      guard isCurrent(number), isAwaiting, !isCompleted, id == nil || id == pings else { return nil }
      isCompleted = true
      if result != .ok { return end(.ended(number)) }
      answer(id, now)
    case .inbound(let number):
      guard isCurrent(number), parameters.policy == .anyInboundIsLife, isAwaiting else { return nil }
      deadline = later(now, parameters.timeout)
    case .ended(let number, _, _): return isCurrent(number) && phase != .idle ? end(.ended(number)) : nil
    case .userClose(let number): return isCurrent(number) && phase != .idle ? end(.close(number)) : nil
    case .background: isInBackground = true
    case .foreground:
      if isInBackground { timersSince = now }
      isInBackground = false
      guard phase == .open else { return nil }
      if isAwaiting { return isLate(now) ? end(.close(generation)) : nil }
      if let nextPing, now >= nextPing { return ping(now) }
    case .network(let available):
      if available, phase == .open, !isAwaiting, !isInBackground { return ping(now) }
    }
    return nil
  }

  private mutating func tick(_ now: Int) -> Heartbeat.Action? {
    isStale = false
    if phase == .connecting || isAwaiting { return isLate(now) ? end(.close(generation)) : nil }
    guard phase == .open, !isInBackground, let nextPing, now >= nextPing else { return nil }
    return ping(now)
  }

  private mutating func answer(_ id: Int?, _ now: Int) {
    guard phase == .open, isAwaiting, !isLate(now) else { return }
    guard id == nil || id == pings else {
      if parameters.policy == .anyInboundIsLife { deadline = later(now, parameters.timeout) }
      return
    }
    (isAwaiting, deadline, timersSince) = (false, nil, now)
    if parameters.cadence == .afterPong { nextPing = later(now, parameters.interval) }
  }

  private mutating func ping(_ now: Int) -> Heartbeat.Action {
    isAwaiting = true
    isCompleted = false
    deadline = later(now, parameters.timeout)
    if parameters.cadence == .fixed { nextPing = later(now, parameters.interval) }
    if pings < .max { pings += 1 }
    return .ping(generation)
  }

  /// Makes a ping undone: it is due as it was.
  private mutating func takeBack(_ before: Self) {
    (isAwaiting, isCompleted, deadline) = (before.isAwaiting, before.isCompleted, before.deadline)
    (nextPing, pings) = (before.nextPing, before.pings)
  }

  private mutating func end(_ action: Heartbeat.Action) -> Heartbeat.Action {
    (phase, isAwaiting, deadline, nextPing) = (.idle, false, nil, nil)
    return action
  }

  private mutating func isCurrent(_ number: Int) -> Bool {
    isStale = number != generation
    return !isStale
  }

  /// At the deadline or after it.
  private func isLate(_ now: Int) -> Bool { deadline.map { now >= $0 } ?? false }

  private func later(_ now: Int, _ span: Int) -> Int? {
    let (sum, overflow) = now.addingReportingOverflow(span)
    return overflow ? nil : sum
  }
}

// MARK: - Which rule it is

extension HeartbeatOracle {
  /// The rule that a lacking action breaks; `self` is the state before.
  private func rule(lacking wanted: Heartbeat.Action, isTick: Bool) -> PerturbRule {
    typealias Rules = HeartbeatRules
    switch wanted {
    case .ping: return Rules.duePing
    case .close: return isTick ? Rules.deadline : Rules.oneEnd
    case .ended: return Rules.oneEnd
    }
  }

  /// The rule that an action breaks which should not have been; `self` is the state before.
  private func rule(against moment: History<Subject>.Moment, isStale: Bool) -> PerturbRule {
    typealias Rules = HeartbeatRules
    guard case .action(let action) = moment.what else { return Rules.oneEnd }
    if isStale { return Rules.oldGeneration }
    switch action {
    case .ping(let number):
      if number != generation || phase != .open { return Rules.openOnly }
      return isAwaiting ? Rules.onePing : Rules.earlyPing
    case .close(let number), .ended(let number):
      if number != generation || phase == .idle { return Rules.oneEnd }
      return Rules.earlyClose
    }
  }
}
