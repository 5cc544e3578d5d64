internal import GoldwireMachines

/// What becomes of a ping.
extension SocketRun {
  /// Notes a ping that the machine has sent, and finds out what it meets.
  mutating func ping(_ session: inout SocketSession, at sent: Double, line: Int?) -> PredictedStep? {
    let silence = silence(after: session.heard, until: sent)
    let recorded = session.recorded.flatMap { $0.pings.count > session.pings ? $0.pings[session.pings] : nil }
    if isSame { isSame = recorded.map { $0.sent == sent } ?? false }
    if !isSame {
      let borne = evidence.grade(ofSilence: silence.length, under: world.choice.idle?.limit)
      lower(to: borne, .silence(silence.length))
    }
    session.pings += 1
    session.now = sent
    add(
      PredictedStep(
        kind: .ping, generation: session.number, ordinal: session.pings, t: sent, grade: grade,
        line: line))
    let before = session.lastPing
    session.lastPing = sent
    if let before, !isSame, sent - before < evidence.shortestGap - 0.05 * second {
      lower(to: evidence.premises.isPingRateUnknown ? .assumed : .interpolated, .rate(sent - before))
    }
    (session.answer, session.margin) = (nil, nil)
    if isSame, let recorded, asRecorded(&session, recorded, sent) { return nil }
    isSame = false
    meet(&session, sent, silence, before)
    return nil
  }

  /// Takes what was recorded for the very same ping; false where that does not say what a longer wait would meet.
  private func asRecorded(
    _ session: inout SocketSession, _ ping: RecordedConnection.Ping, _ sent: Double
  ) -> Bool {
    let deadline = sent + Double(parameters.timeout)
    if let answered = ping.answered, answered < deadline || parameters.policy == .anyInboundIsLife {
      // Elsewhere than at the client a recorded answer shows no more than that the old timeout was not over.
      let isUnseen = evidence.premises.isElsewhere && parameters.timeout < socket.parameters.timeout
      session.answer = .init(at: answered, proof: isUnseen ? .assumed : .observed, line: ping.answerLine)
      session.silence = (.observed, .other(session.number))
      return true
    }
    guard let recorded = session.recorded else { return false }
    let known = recorded.givenUp ?? socket.horizon
    // What ended the recorded connection ends this one too, before the wait is over.
    let isKept = recorded.cause.map { $0.isFromOutside || $0 == .userClosed } ?? false
    if isKept, ping.answered == nil, known <= deadline { return true }
    if ping.answered != nil || known >= deadline {
      // The same event in each world, whatever explains it there.
      let late = evidence.late.firstIndex { $0.sent == sent }
      let origin = ping.answered == nil ? .end(recorded.number) : late.map { SocketWorld.Origin.late($0) }
      session.silence = (.observed, origin ?? .other(recorded.number))
      return true
    }
    return known >= socket.horizon
  }

  /// Whether nothing can answer a ping in this world: it is punished, or its connection is dead already.
  private func meetsItsEnd(
    _ session: inout SocketSession, _ sent: Double, _ silence: (length: Double, start: Double, end: Double),
    _ before: Double?, _ trip: Double
  ) -> Bool {
    if let rate = world.choice.rate, let before, sent - before < rate {
      session.coming = .init(
        at: sent + trip, cause: .peerClosed, proof: .assumed, origin: .rate(session.number))
      return true
    }
    if let idle = world.choice.idle, silence.length > idle.limit {
      let proof = evidence.idle.map { $0.isCertain ? $0.grade : .assumed } ?? .assumed
      session.silence = (proof, .idle(session.number))
      if idle.kind == .reset {
        session.coming = .init(
          at: max(sent, silence.end + trip), cause: .reset, proof: proof, origin: .idle(session.number))
      }
      return true
    }
    if let dead = deadConnection(session, until: sent), sent >= dead.since {
      session.silence = (.assumed, .end(dead.kill.connection))
      if dead.at < sent + Double(parameters.timeout) {
        session.coming = .init(
          at: max(sent, dead.at), cause: dead.kill.cause, code: dead.kill.code, proof: .assumed,
          origin: .end(dead.kill.connection))
      }
      return true
    }
    if let lost = world.forgotten(session.opened, by: sent) {
      session.silence = (.assumed, lost.origin)
      if lost.after == .reset, trip < Double(parameters.timeout) {
        session.coming = .init(at: sent + trip, cause: .reset, proof: .assumed, origin: lost.origin)
      }
      return true
    }
    return false
  }

  /// Finds out what a ping meets in this world.
  private func meet(
    _ session: inout SocketSession, _ sent: Double, _ silence: (length: Double, start: Double, end: Double),
    _ before: Double?
  ) {
    let deadline = sent + Double(parameters.timeout)
    let near = evidence.trips.near(sent)
    let trip = near.length(world.choice.trip)
    if meetsItsEnd(&session, sent, silence, before, trip) { return }
    let next = evidence.sends.first(after: session.heard) ?? sent
    let oldest = min(next, sent)
    let isHeld = world.isInOutage(sent, behind: oldest)
    var reply = world.reply(to: sent, oldest: isHeld ? oldest : sent, trip: trip)
    let wasHeld = reply.at > sent + trip + 1e-6 * second
    reply.at = socket.afterPause(reply.at)
    // Where all that comes in counts as life, the machine alone knows when it gives up.
    let reach = parameters.policy == .anyInboundIsLife ? Double.infinity : deadline
    let silent = evidence.premises.isElsewhere ? .assumed : proofOfSilence(session, sent, deadline, near)
    session.margin = margin(reply, to: sent, wasHeld)
    let isClose = session.margin != nil
    session.silence = (
      isClose && silent < .bounded ? .assumed : silent, reply.origin ?? .other(session.number)
    )
    if reply.at < reach, reply.after == .reset, wasHeld {
      session.coming = .init(
        at: reply.at, cause: .reset, proof: .assumed, origin: reply.origin ?? .other(session.number))
      return
    }
    if reply.at < reach, !(reply.after == .never && wasHeld) {
      var proof = proofOfAnswer(session, sent, near)
      if let recorded = session.recorded, sent > recorded.end ?? socket.horizon { proof = .assumed }
      if evidence.premises.isElsewhere { proof = .assumed }
      if isClose, proof < .bounded, parameters.policy == .pongOnly { proof = .assumed }
      session.answer = .init(at: reply.at, proof: proof, origin: reply.origin)
    }
  }
}

// MARK: - Proofs

extension SocketRun {
  /// How far from the deadline a reply comes, where that is less than round trips differ by: nobody knows if it is in time.
  private func margin(_ reply: SocketWorld.Reply, to sent: Double, _ wasHeld: Bool) -> Double? {
    let timeout = Double(parameters.timeout)
    var length: Double?
    if wasHeld {
      guard case .late? = reply.origin else { return nil }
      length = reply.at - sent
    } else if timeout > evidence.trips.limit {
      return nil
    }
    let range = evidence.trips.range(at: sent, around: length)
    return range.lowerBound < timeout && range.upperBound >= timeout ? abs(reply.at - sent - timeout) : nil
  }

  /// Bounded where nothing that the trace allows could make this pong late.
  private func proofOfAnswer(_ session: SocketSession, _ sent: Double, _ near: RoundTrips.Near) -> Grade {
    guard !isMoved, let index = socket.index(of: session.number) else { return .assumed }
    let recorded = socket.connections[index]
    let trip = near.length(.high)
    let again = evidence.trips.retransmission(near) + trip
    let clean = evidence.cleanAnswers[index]
    let delivered = evidence.deliveries[index]
    let place = clean.sent.place(from: sent)
    let answered = place > 0 ? clean.sent[place - 1] : -.infinity
    let proof = max(answered, delivered.last(before: sent) ?? answered, (recorded.open ?? 0) - trip)
    // The oldest byte that an outage catches owns the backoff, whichever way it went.
    let out = recorded.sends.first(after: proof) ?? .infinity
    let come = (recorded.arrivals.first(after: proof + trip) ?? .infinity) - trip
    let first = max(min(out, come, sent), proof)
    func isInTime(_ next: Double, _ heard: Double) -> Bool {
      max(first + 2 * (next - first) + again, heard) < sent + Double(parameters.timeout)
    }
    if place < clean.sent.count, isInTime(clean.sent[place], clean.answered[place]) { return .bounded }
    if let next = delivered.first(from: sent), isInTime(next.sent, next.heard) { return .bounded }
    return .interpolated
  }

  /// Bounded where the recording proves the path dead until no retransmission could bring a pong in time.
  private func proofOfSilence(
    _ session: SocketSession, _ sent: Double, _ deadline: Double, _ near: RoundTrips.Near
  ) -> Grade {
    guard !isMoved else { return .assumed }
    let least = near.length(.low)
    for outage in evidence.outages where outage.connection == session.number && !outage.isHandshake {
      let proven = min(outage.givenUp, outage.provenEnd + least)
      if !outage.mayBeIdle, outage.sent <= sent, deadline <= proven { return .bounded }
      if outage.sent == sent, deadline <= outage.givenUp { return .bounded }
    }
    return .interpolated
  }
}

extension SocketWorld {
  /// Whether an outage eats what comes in at this instant.
  func holds(_ arrival: Double) -> Bool { isInOutage(arrival, behind: arrival) }
}
