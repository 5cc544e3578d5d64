internal import GoldwireMachines
internal import GoldwireProtocols

/// What must hold of a logical request, worked out from its history alone; none of the machine's own code is used.
struct RetryOracle<Subject: Machine> where Subject.Event == Retry.Event, Subject.Action == Retry.Action {
  typealias Rules = RetryRules
  typealias Breach = Invariant<Subject>.Breach

  private let parameters: Retry.Parameters
  private let history: History<Subject>
  private var isStarted = false
  private var isReplayable = false
  private var session: Int?
  private var isStale = false
  private var outcome: Retry.Outcome?
  /// The number of the latest send, and how many there were.
  private var attempt = 1
  private var sends = 1
  /// The end of the wait, while there is one.
  private var until: Int?
  /// The actions that the latest input should have brought.
  private var wanted: Retry.Action?

  private init(_ parameters: Retry.Parameters, _ history: History<Subject>) {
    (self.parameters, self.history) = (parameters, history)
  }

  /// The rules of retries.
  static func invariant(_ parameters: Retry.Parameters) -> Invariant<Subject> {
    Invariant(Rules.all) { history in
      var oracle = RetryOracle(parameters, history)
      return oracle.run()
    }
  }

  private mutating func run() -> Breach? {
    var found: Breach?
    history.forEachInput { index, actions in
      found = take(index, actions)
      return found == nil
    }
    if found == nil, history.isWhole, isOverdue(before: AnswerClock.sum(history.horizon, 1)) {
      return Breach(rule: Rules.dueSend, moment: history.moments.count)
    }
    return found
  }

  private func isOverdue(before now: Int) -> Bool {
    outcome == nil && until.map { history.isOver($0, before: now) } ?? false
  }

  private mutating func take(_ index: Int, _ actions: ArraySlice<History<Subject>.Moment>) -> Breach? {
    let moment = history.moments[index]
    if case .renewed = moment.what {
      self = RetryOracle(parameters, history)
      return nil
    }
    if isOverdue(before: moment.at) { return Breach(rule: Rules.dueSend, moment: index) }
    let before = self
    wanted = nil
    switch moment.what {
    case .event(let event): hear(event, moment.at)
    case .tick: tick(moment.at)
    case .action, .renewed: break
    }
    var rest = actions
    if let wanted {
      guard let first = rest.popFirst() else {
        return Breach(rule: rule(lacking: wanted), moment: index)
      }
      guard case .action(wanted) = first.what else {
        return Breach(rule: before.rule(against: first, wanted), moment: rest.startIndex - 1)
      }
    }
    guard let extra = rest.first else { return nil }
    return Breach(rule: (wanted == nil ? before : self).rule(against: extra, nil), moment: rest.startIndex)
  }
}

// MARK: - What should be done

extension RetryOracle {
  private mutating func hear(_ event: Retry.Event, _ now: Int) {
    switch event {
    case .session(let number):
      guard outcome == nil else { return }
      if isStarted { isStale = isStale || number != session } else { session = number }
    case .start(let request):
      guard !isStarted, outcome == nil else { return }
      (isStarted, isReplayable) = (true, request.isReplayable)
    case .resume(let request, let number, let instant):
      guard !isStarted, outcome == nil, number >= 2 else { return }
      (isStarted, isReplayable, until) = (true, request.isReplayable, instant)
      (attempt, sends) = (number, number - 1)
    case .answered(let number, let answer):
      guard isSending(number), !(100..<200).contains(answer.status) || answer.status == 101 else { return }
      answered(answer, now)
    case .hop: return
    case .changed(let number):
      guard isStarted, outcome == nil, number == attempt else { return }
      isReplayable = false
      if until != nil { stop(.notReplayable) }
    case .failed(let number, let failure):
      guard isSending(number) else { return }
      guard parameters.transport, !failure.bodyBegun, !isStale, isReplayable, attempt <= parameters.count,
        wait(local(failure.unit), now)
      else { return stop(.transport(failure.cause)) }
    case .cancel: if outcome == nil { stop(.cancelled) }
    }
  }

  private mutating func tick(_ now: Int) {
    guard outcome == nil, let until, now >= until else { return }
    if isStale { return stop(.stale) }
    self.until = nil
    sends += 1
    wanted = .send(attempt)
  }

  /// In the order in which an answer is judged.
  private mutating func answered(_ answer: Answer, _ now: Int) {
    if isStale { return stop(.stale) }
    if answer.status < 400 { return stop(.delivered) }
    if !isReplayable { return stop(.notReplayable) }
    if !parameters.statuses.contains(answer.status) { return stop(.notRetryable) }
    if attempt > parameters.count { return stop(.budget) }
    guard let server = server(answer), wait(max(server, local(answer.unit)), now) else {
      return stop(.deferred)
    }
  }

  private mutating func stop(_ outcome: Retry.Outcome) {
    (self.outcome, until) = (outcome, nil)
    wanted = .stop(outcome)
  }

  /// A wait, rounded up; false where it is longer than the cap, or ends beyond the clock's range.
  private mutating func wait(_ exact: Double, _ now: Int) -> Bool {
    guard exact <= Double(parameters.cap) else { return false }
    let span = Int(exact.rounded(.up))
    let (end, overflow) = now.addingReportingOverflow(span)
    if overflow { return false }
    attempt += 1
    until = end
    wanted = .wait(for: span, attempt: attempt)
    return true
  }

  private func isSending(_ number: Int) -> Bool {
    isStarted && outcome == nil && until == nil && number == attempt
  }

  private func local(_ millionths: Int) -> Double {
    var delay = Double(parameters.base)
    for _ in 1..<max(1, attempt) { delay *= parameters.factor }
    let cap = Double(parameters.cap)
    if parameters.jitter == .afterCap { delay = min(delay, cap) }
    let random = delay * Double(1_000_000 + min(max(millionths, 0), 1_000_000)) / 2_000_000
    return parameters.jitter == .beforeCap ? min(random, cap) : random
  }

  /// What the server asked for, in the machine's unit; nil where it is more than can be told.
  private func server(_ answer: Answer) -> Double? {
    let second = Double(parameters.unit.perSecond)
    switch answer.retryAfter {
    case .absent: return 0
    case .invalid(let reason): return reason == .over ? nil : 0
    case .seconds(let seconds): return Double(seconds) * second
    case .date(let instant, let form):
      guard form == .imf || parameters.oldDates else { return 0 }
      if let date = answer.date, answer.age == nil {
        return max(0, (Double(instant) - Double(date)) * second)
      }
      guard let wall = answer.wall else { return 0 }
      let microseconds = max(0, Double(instant) * 1_000_000 - Double(wall))
      return (microseconds * second / 1_000_000).rounded(.up)
    }
  }
}

// MARK: - Which rule it is

extension RetryOracle {
  private func rule(lacking wanted: Retry.Action) -> PerturbRule {
    switch wanted {
    case .send: Rules.dueSend
    case .wait: Rules.answered
    case .stop(let outcome): outcome == .cancelled ? Rules.cancelled : Rules.oneOutcome
    }
  }

  /// The rule that an action breaks; `self` is the state before, `wanted` what should have been in its place.
  private func rule(
    against moment: History<Subject>.Moment, _ wanted: Retry.Action?
  ) -> PerturbRule {
    guard case .action(let action) = moment.what else { return Rules.oneOutcome }
    if wanted == .stop(.cancelled) { return Rules.cancelled }
    switch action {
    case .send:
      if outcome == .cancelled { return Rules.cancelled }
      if outcome != nil { return Rules.oneOutcome }
      if wanted == .stop(.stale) { return Rules.stale }
      if sends > parameters.count { return Rules.budget }
      return isStarted && !isReplayable ? Rules.replayable : Rules.early
    case .wait(let span, let number):
      if outcome != nil { return Rules.oneOutcome }
      if wanted == .stop(.notReplayable) { return Rules.replayable }
      if wanted == .stop(.stale) { return Rules.stale }
      if wanted == .stop(.budget) || number > parameters.count + 1 { return Rules.budget }
      if wanted == .stop(.deferred) { return Rules.cap }
      if case .wait(let right, _)? = wanted { return span < right ? Rules.early : Rules.cap }
      return Rules.answered
    case .stop(let given):
      if outcome != nil { return Rules.oneOutcome }
      if wanted == .stop(.stale) { return Rules.stale }
      return given == .cancelled ? Rules.cancelled : wanted == nil ? Rules.reason : Rules.order
    }
  }
}
