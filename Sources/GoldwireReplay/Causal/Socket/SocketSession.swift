internal import GoldwireMachines

/// An open connection of a predicted client.
struct SocketSession {
  let number: Int
  /// The recorded connection that it is, as long as nothing has moved it.
  let recorded: RecordedConnection?
  let opened: Double
  /// When something came in last.
  var heard: Double
  /// The machine's clock.
  var now: Double
  /// How many pings were sent, and when the last was.
  var pings = 0
  var lastPing: Double?
  /// The answer to the ping that is out.
  var answer: Answer?
  /// An end that is on its way.
  var coming: Ending?
  /// What an unanswered ping rests on.
  var silence: (proof: Grade, origin: SocketWorld.Origin) = (.observed, .other(0))
  /// How far from the deadline the answer comes, where that is less than round trips differ by.
  var margin: Double?

  /// An answer that will come.
  struct Answer {
    var at: Double
    var proof: Grade
    var line: Int?
    /// What delayed it.
    var origin: SocketWorld.Origin?
  }

  /// An end that will come.
  struct Ending {
    var at: Double
    var cause: Heartbeat.Cause
    var code: Int?
    var proof: Grade
    var origin: SocketWorld.Origin
    var line: Int?
  }

  init(_ number: Int, _ recorded: RecordedConnection?, opened: Double) {
    self.number = number
    self.recorded = recorded
    self.opened = opened
    heard = opened
    now = opened
    silence.origin = .end(number)
  }
}

extension SocketRun {
  /// Follows an open connection to its end; nil where the recording ends first.
  mutating func follow(_ session: inout SocketSession) -> PredictedStep? {
    while nextDead < world.dead.count, world.dead[nextDead].since <= session.opened { nextDead += 1 }
    while true {
      let wakeup = wakeup(session)
      let happening =
        nextHappening < socket.happenings.count ? Double(socket.happenings[nextHappening].t) : .infinity
      let ending = nextEnding(session)
      let answer = session.answer?.at ?? .infinity
      let arrival = nextArrival(session)
      let next = min(wakeup.at, happening, ending?.at ?? .infinity, answer, arrival)
      guard next <= socket.horizon, !isFull else { return nil }
      // What is recorded comes in the order of its lines, a timer after what is heard at the same instant.
      let answerLine = answer == next ? session.answer?.line ?? -1 : .max
      let endingLine = ending?.at == next ? ending?.line ?? -1 : .max
      let happeningLine = happening == next ? socket.happenings[nextHappening].line : .max
      let wakeLine = wakeup.at == next ? wakeup.line ?? .max : .max
      if wakeLine < min(answerLine, endingLine, happeningLine) {
        if let step = wake(&session, at: next) { return step }
      } else if happening == next, happeningLine < min(answerLine, endingLine) {
        if let step = happen(&session) { return step }
      } else if answer == next, answerLine <= endingLine {
        take(&session)
      } else if let ending, ending.at == next {
        return end(
          session.number, at: ending.at, ending.cause, code: ending.code, grade: ending.proof,
          origin: ending.origin, line: ending.line)
      } else if arrival == next {
        machine.inbound(session.number, now: arrival.whole)
        session.now = arrival
      } else if let step = wake(&session, at: next) {
        return step
      }
    }
  }

  /// When the machine wakes: as late as the recorded one did, as long as everything was as recorded.
  private func wakeup(_ session: SocketSession) -> (at: Double, line: Int?) {
    guard let due = machine.wakeup else { return (.infinity, nil) }
    let instant = socket.afterPause(Double(due))
    if isBeyondRecorded(session, due: instant) { return (.infinity, nil) }
    if machine.isAwaitingPong {
      guard isSame, let recorded = session.recorded, recorded.endDue == due, let end = recorded.end else {
        return (instant, nil)
      }
      return (max(instant, end), nil)
    }
    guard let recorded = recordedPing(session, due: due) else { return (instant, nil) }
    return (max(recorded.sent, session.now), recorded.isOwnLine ? recorded.line : nil)
  }

  private mutating func take(_ session: inout SocketSession) {
    guard let answer = session.answer else { return }
    session.answer = nil
    session.now = answer.at
    machine.pong(session.number, id: nil, now: answer.at.whole)
    // The process may have stood still until the deadline was over.
    guard !machine.isAwaitingPong else { return }
    lower(
      to: answer.proof,
      evidence.premises.isElsewhere
        ? .elsewhere : isMoved ? .moved : session.margin.map { .margin($0) } ?? .after)
    session.heard = answer.at
    add(
      PredictedStep(
        kind: .answer, generation: session.number, ordinal: session.pings, t: answer.at, grade: grade,
        proof: answer.proof, origin: answer.origin, line: answer.line))
    // That it comes in time is proved, not when: what the client does next may be later than in any world.
    if answer.proof < .observed { lower(to: .interpolated, .after) }
  }

  private mutating func happen(_ session: inout SocketSession) -> PredictedStep? {
    let happening = socket.happenings[nextHappening]
    nextHappening += 1
    // A user's close is of the connection that lived then, whatever its number is now.
    var event = happening.event
    if case .userClose = event { event = .userClose(session.number) }
    var action: Heartbeat.Action?
    machine.handle(event, at: happening.t) { action = $0 }
    let t = Double(happening.t)
    session.now = max(session.now, t)
    switch action {
    case .ping: return ping(&session, at: t, line: happening.line)
    case .close, .ended:
      guard let cause = machine.cause else { return nil }
      var proof: Grade = isSame ? .observed : isMoved ? .assumed : .interpolated
      var origin = SocketWorld.Origin.end(session.number)
      if cause == .staleOnResume { (proof, origin) = session.silence }
      return end(
        session.number, at: t, cause, grade: proof, origin: origin, line: happening.line, isTold: true)
    case nil: return nil
    }
  }

  private mutating func wake(_ session: inout SocketSession, at instant: Double) -> PredictedStep? {
    let due = machine.wakeup ?? instant.whole
    if machine.isAwaitingPong {
      return end(
        session.number, at: instant, .pongTimeout, grade: session.silence.proof,
        origin: session.silence.origin, doubt: session.margin.map { .margin($0) })
    }
    let recorded = recordedPing(session, due: due)
    if recorded == nil, let ending = silentEnding(session, before: instant) {
      return end(session.number, at: ending.at, ending.cause, grade: ending.proof, origin: ending.origin)
    }
    _ = machine.tick(now: max(instant.whole, due))
    guard machine.isAwaitingPong else { return nil }
    return ping(&session, at: instant, line: recorded?.line)
  }

  /// The recorded ping that is the coming one, as long as everything was as recorded.
  private func recordedPing(_ session: SocketSession, due: Int) -> RecordedConnection.Ping? {
    guard isSame, let recorded = session.recorded, session.pings < recorded.pings.count else { return nil }
    let ping = recorded.pings[session.pings]
    if ping.due == due { return ping }
    // A client with the same schedule that did not wake when it should have: something else made it send.
    let old = socket.parameters
    let hasSameSchedule = parameters.interval == old.interval && parameters.cadence == old.cadence
    return hasSameSchedule && ping.isOwnLine && ping.sent >= Double(due) ? ping : nil
  }

  /// Whether the recorded client, with the same schedule, sent no ping that was due by then.
  ///
  /// In a capture its packet may have waited behind others until the connection was over.
  private func isBeyondRecorded(_ session: SocketSession, due: Double) -> Bool {
    guard isSame, let recorded = session.recorded, session.pings >= recorded.pings.count,
      !machine.isAwaitingPong
    else { return false }
    let old = socket.parameters
    guard parameters.interval == old.interval, parameters.cadence == old.cadence else { return false }
    return due <= recorded.end ?? socket.horizon
  }

  // MARK: What ends a connection

  /// The next end that comes by itself.
  private mutating func nextEnding(_ session: SocketSession) -> SocketSession.Ending? {
    var next = session.coming
    if isSame, let recorded = session.recorded, session.pings >= recorded.pings.count {
      if let end = recorded.end, let cause = recorded.cause, cause.isFromOutside, end >= session.opened {
        let own = SocketSession.Ending(
          at: end, cause: cause, code: recorded.code, proof: .observed, origin: .end(recorded.number),
          line: recorded.endLine)
        if next.map({ own.at < $0.at }) ?? true { next = own }
      }
      return next
    }
    let since = max(session.opened, session.now)
    while nextKill < world.kills.count, world.kills[nextKill].at <= since { nextKill += 1 }
    if nextKill < world.kills.count {
      let kill = world.kills[nextKill]
      let proof: Grade =
        kill.mayBeIdle || isMoved ? .assumed : kill.unanswered != nil ? .interpolated : .bounded
      let line = socket.connection(kill.connection)?.endLine
      let own = SocketSession.Ending(
        at: kill.at, cause: kill.cause, code: kill.code, proof: proof, origin: .end(kill.connection),
        line: line)
      if next.map({ own.at < $0.at }) ?? true { next = own }
    }
    return next
  }

  /// An end that comes before a ping: of a connection that is dead, or was silent for too long.
  private func silentEnding(_ session: SocketSession, before ping: Double) -> SocketSession.Ending? {
    var found: SocketSession.Ending?
    if let dead = deadConnection(session, until: ping), dead.at < ping {
      found = .init(
        at: dead.at, cause: dead.kill.cause, code: dead.kill.code, proof: .assumed,
        origin: .end(dead.kill.connection))
    }
    if let idle = world.choice.idle {
      let silence = silence(after: session.heard, until: ping)
      if silence.length > idle.limit {
        var at = Double.infinity
        if idle.kind == .active { at = silence.start + idle.limit + world.trip(at: ping) / 2 }
        if idle.kind == .reset, silence.end < ping { at = silence.end + world.trip(at: ping) }
        if at < (found?.at ?? ping) {
          let proof = evidence.idle.map { $0.isCertain ? $0.grade : .assumed } ?? .assumed
          found = .init(at: max(at, session.now), cause: .reset, proof: proof, origin: .idle(session.number))
        }
      }
    }
    return found
  }

  /// The connection that died before `until`, with the instant at which the client hears of it.
  func deadConnection(
    _ session: SocketSession, until ping: Double
  ) -> (at: Double, since: Double, kill: SocketEvidence.Kill)? {
    let reach = ping + Double(parameters.timeout)
    guard nextDead < world.dead.count, world.dead[nextDead].since < reach else { return nil }
    let dead = world.dead[nextDead]
    let from = max(dead.since, session.heard)
    let first = min(evidence.sends.first(from: from) ?? ping, ping)
    return (first >= dead.since ? world.reset(of: dead, to: first) : .infinity, dead.since, dead.kill)
  }

  /// The next thing that comes in, where that counts as life.
  private func nextArrival(_ session: SocketSession) -> Double {
    guard parameters.policy == .anyInboundIsLife, machine.isAwaitingPong else { return .infinity }
    var place = evidence.arrivals.place(after: session.now)
    while !isSame, place < evidence.arrivals.count, world.holds(evidence.arrivals[place]) { place += 1 }
    return place < evidence.arrivals.count ? evidence.arrivals[place] : .infinity
  }

  /// The longest silence between two instants, as the recorded traffic breaks it.
  func silence(after start: Double, until end: Double) -> (length: Double, start: Double, end: Double) {
    var (out, come) = (evidence.sends.place(after: start), evidence.arrivals.place(after: start))
    var longest = (length: -Double.infinity, start: start, end: end)
    var before = start
    while before < end {
      let nextOut = out < evidence.sends.count ? evidence.sends[out] : .infinity
      let nextIn = come < evidence.arrivals.count ? evidence.arrivals[come] : .infinity
      let sign = min(nextOut, nextIn, end)
      if sign == nextOut { out += 1 } else if sign == nextIn { come += 1 }
      if sign - before > longest.length { longest = (sign - before, before, sign) }
      before = sign
    }
    return longest.length < 0 ? (end - start, start, end) : longest
  }
}

extension Heartbeat.Cause {
  /// Whether the peer or the path ended the connection.
  var isFromOutside: Bool {
    switch self {
    case .refused, .reset, .fin, .error, .timeout, .peerClosed, .sendFailed, .superseded: true
    case .pongTimeout, .connectTimeout, .staleOnResume, .userClosed: false
    }
  }
}
