internal import GoldwireMachines

/// One world that explains a recording: it answers what a ping or a connect at any instant would meet.
struct SocketWorld {
  /// Which of the possibilities that the evidence leaves open a world takes.
  struct Choice: Equatable {
    /// How a late reply is read.
    enum Late: CaseIterable { case narrow, wide, stall, outage }
    /// What an unanswered ping met.
    enum Silence { case outage, stall, slowPath }
    /// What becomes of data that waited for the end of an outage.
    enum After { case delivered, reset, never }
    /// Whether a kill came by itself, or answered the client's next send.
    enum Kills { case byPings, exogenous, reactive }

    /// Where between their bounds outages begin and end, from 0 to 1.
    var start = 0.5
    var end = 0.5
    /// The first retransmission, beyond the round trip, in seconds.
    var retransmission = 0.4
    var trip = RoundTrips.Choice.middle
    var late = Late.narrow
    var silence = Silence.outage
    var after = After.delivered
    var kills = Kills.byPings
    /// Whether outages begin no earlier than is likely.
    var isLikely = true
    /// An idle limit and how it shows.
    var idle: (limit: Double, kind: SocketEvidence.IdleLimit.Kind)?
    /// The shortest gap of pings that the server bears.
    var rate: Double?

    static func == (left: Choice, right: Choice) -> Bool {
      left.start == right.start && left.end == right.end && left.retransmission == right.retransmission
        && left.trip == right.trip && left.late == right.late && left.silence == right.silence
        && left.after == right.after
        && left.kills == right.kills && left.isLikely == right.isLikely && left.rate == right.rate
        && left.idle?.limit == right.idle?.limit && left.idle?.kind == right.idle?.kind
    }
  }

  /// The recorded event behind what happens in a world.
  enum Origin: Hashable {
    /// The end of the connection of this number.
    case end(Int)
    /// The late reply of this index.
    case late(Int)
    /// The lull of this index.
    case lull(Int)
    /// An idle limit, or a limit on pings, in the predicted session of this number.
    case idle(Int)
    case rate(Int)
    /// Nothing that was recorded.
    case other(Int)
  }

  private struct Hole {
    var start: Double
    var end: Double
    var after: Choice.After
    var origin: Origin

    func catches(_ sent: Double, _ trip: Double) -> Bool {
      (start <= sent && sent < end) || (start <= sent + trip / 2 && sent + trip / 2 < end)
    }
  }

  private struct Stall {
    var start: Double
    var end: Double
    var origin: Origin
  }

  private struct Spike {
    var start: Double
    var end: Double
    var trip: Double
    /// The ping that was slow, and when its answer came.
    var sent: Double
    var answered: Double
    var origin: Origin
  }

  /// A connection that was dead before the client knew it.
  struct Dead {
    var kill: SocketEvidence.Kill
    var since: Double
    /// When something was there again that answers by a reset.
    var back: Double
  }

  /// What becomes of a ping.
  struct Reply {
    /// When its answer arrives; infinite for never.
    var at: Double
    var after: Choice.After
    var origin: Origin?
  }

  let evidence: SocketEvidence
  let choice: Choice
  /// Ends that come by themselves.
  private(set) var kills: [SocketEvidence.Kill] = []
  private(set) var dead: [Dead] = []
  private var holes: [Hole] = []
  private var stalls: [Stall] = []
  private var spikes: [Spike] = []
  private var refusals: [SocketEvidence.Interval] = []

  init(_ evidence: SocketEvidence, _ choice: Choice) {
    self.evidence = evidence
    self.choice = choice
    for (index, outage) in evidence.outages.enumerated() { add(outage, index) }
    for (index, late) in evidence.late.enumerated() { add(late, index) }
    for (index, lull) in evidence.lulls.enumerated() { add(lull, index) }
    for kill in evidence.kills { add(kill) }
    for refusal in evidence.refusals {
      let gap = min(refusal.openAt, refusal.last + 1e9 * second) - refusal.last - 0.002 * second
      refusals.append(
        .init(lo: refusal.from - 0.2 * second, hi: refusal.last + 0.001 * second + choice.end * gap))
    }
  }

  private var second: Double { evidence.second }

  /// A point of an interval; what has no end is held at ten minutes.
  private func mix(_ interval: SocketEvidence.Interval, _ part: Double) -> Double {
    interval.lo + part * (min(interval.hi, interval.lo + 600 * second) - interval.lo)
  }

  private mutating func add(_ outage: SocketEvidence.Outage, _ index: Int) {
    if let idle = choice.idle, outage.mayBeIdle, idle.kind == .silent { return }
    let origin = Origin.end(outage.connection)
    let earliest = choice.isLikely ? outage.likelyStart : outage.start.lo
    let start =
      mix(.init(lo: earliest, hi: outage.start.hi), choice.start) + (choice.start == 0 ? 1e-4 * second : 0)
    let hasEnd = outage.end.hi < .infinity
    let end = hasEnd ? mix(outage.end, choice.end) : .infinity
    if outage.isStall {
      stalls.append(Stall(start: start, end: end, origin: origin))
      return
    }
    switch choice.silence {
    case .slowPath where hasEnd:
      let waited = outage.givenUp - outage.sent
      spikes.append(
        Spike(
          start: outage.start.lo + 0.001 * second, end: outage.end.hi, trip: waited + 0.1 * second,
          sent: outage.sent, answered: outage.end.hi + waited, origin: origin))
    case .stall:
      stalls.append(Stall(start: start, end: max(end, outage.givenUp), origin: origin))
    case .outage, .slowPath:
      holes.append(Hole(start: start, end: end, after: choice.after, origin: origin))
    }
  }

  private mutating func add(_ late: SocketEvidence.LateReply, _ index: Int) {
    let origin = Origin.late(index)
    switch choice.late {
    case .outage:
      holes.append(
        Hole(
          start: mix(late.start, choice.start) + 1e-4 * second, end: mix(late.end, choice.end),
          after: .delivered, origin: origin))
    case .stall:
      stalls.append(Stall(start: mix(late.start, choice.start), end: late.answered, origin: origin))
    case .wide, .narrow:
      let isWide = choice.late == .wide
      spikes.append(
        Spike(
          start: isWide ? late.before + 0.001 * second : late.sent - 0.05 * second,
          end: isWide ? late.next : late.sent + 0.05 * second, trip: late.answered - late.sent,
          sent: late.sent, answered: late.answered, origin: origin))
    }
  }

  private mutating func add(_ lull: SocketEvidence.Lull, _ index: Int) {
    let origin = Origin.lull(index)
    let start = mix(lull.start, choice.start)
    switch choice.late {
    // The likeliest: what came at once had waited for the same instant.
    case .narrow, .stall: stalls.append(Stall(start: start, end: lull.until, origin: origin))
    case .outage:
      holes.append(Hole(start: start, end: mix(lull.end, choice.end), after: .delivered, origin: origin))
    // Nothing held it: there was nothing to say.
    case .wide: break
    }
  }

  private mutating func add(_ kill: SocketEvidence.Kill) {
    if choice.idle != nil, kill.mayBeIdle { return }
    if choice.rate != nil, kill.isByPing { return }
    let isReactive: Bool =
      switch choice.kills {
      case .byPings: kill.isByPing
      case .exogenous: false
      case .reactive: true
      }
    guard let first = kill.unanswered, isReactive else {
      kills.append(kill)
      return
    }
    let since = mix(.init(lo: kill.after + 1e-4 * second, hi: first), choice.start)
    let waited = kill.at - first - kill.roundTrip - evidence.trips.retransmission(at: first)
    let earliest = first + max(0, waited / 2)
    let back =
      kill.isImmediate
      ? since : mix(.init(lo: earliest, hi: max(earliest, kill.at - kill.roundTrip)), choice.end)
    dead.append(Dead(kill: kill, since: since, back: back))
  }
}

// MARK: - What a send meets

extension SocketWorld {
  /// The round trip of what is sent at an instant.
  func trip(at sent: Double) -> Double { evidence.trips.length(at: sent, choice.trip) }

  /// Whether an outage holds what is sent at this instant.
  func isInOutage(_ sent: Double, behind oldest: Double) -> Bool {
    holes.contains { $0.start <= oldest && $0.start <= sent && sent < $0.end }
  }

  /// What becomes of a ping, where the oldest byte without an acknowledgement was sent at `oldest`.
  func reply(to sent: Double, oldest: Double) -> Reply {
    reply(to: sent, oldest: oldest, trip: trip(at: sent))
  }

  /// The same where the round trip of what is sent at that instant is known.
  func reply(to sent: Double, oldest: Double, trip: Double) -> Reply {
    var reply = Reply(at: sent + trip, after: .delivered, origin: nil)
    for hole in holes where hole.catches(sent, trip) {
      if hole.end == .infinity { return Reply(at: .infinity, after: hole.after, origin: hole.origin) }
      var again = choice.isLikely ? max(oldest, hole.start) : min(sent, hole.start + trip)
      var pause = max(choice.retransmission * second + trip, 1)
      while again < hole.end {
        again += pause
        pause *= 2
      }
      if again + trip > reply.at { reply = Reply(at: again + trip, after: hole.after, origin: hole.origin) }
    }
    for stall in stalls where stall.start <= sent && sent + trip < stall.end && stall.end > reply.at {
      reply.at = stall.end
      reply.origin = stall.origin
    }
    for spike in spikes where spike.start < sent && sent < spike.end {
      let arrival = sent <= spike.sent ? min(sent + spike.trip, spike.answered) : sent + spike.trip
      guard arrival > reply.at else { continue }
      reply.at = arrival
      reply.origin = spike.origin
    }
    return reply
  }

  /// The outage in which this world's path or peer forgot a connection that was open by then, if `sent` is after it.
  ///
  /// A late reply or a lull shows that nothing was forgotten; a ping that was given up shows nothing.
  func forgotten(_ opened: Double, by sent: Double) -> (after: Choice.After, origin: Origin)? {
    holes.first { $0.after != .delivered && opened < $0.start && $0.end <= sent }
      .map { ($0.after, $0.origin) }
  }

  /// When the reset of a dead connection reaches a client that sent into it first at `sent`.
  func reset(of dead: Dead, to sent: Double) -> Double {
    let trip = trip(at: sent)
    var again = sent
    var pause = max(choice.retransmission * second + trip, 1)
    while again < dead.back {
      again += pause
      pause *= 2
    }
    return again + trip
  }

  /// How a connect ends: opened, refused, or never answered within the limit.
  func connect(at instant: Double, limit: Double) -> (at: Double, cause: Heartbeat.Cause?) {
    var again = instant
    var pause = second
    while true {
      let trip = trip(at: again)
      if again + trip >= instant + limit { return (instant + limit, .connectTimeout) }
      if !holes.contains(where: { $0.catches(again, trip) }) { break }
      if limit == .infinity, pause > 1_024 * second { return (.infinity, nil) }
      again += pause
      pause *= 2
    }
    let trip = trip(at: again)
    if refusals.contains(where: { $0.lo <= again && again < $0.hi }) { return (again + trip, .refused) }
    var open = again + 2 * trip
    for stall in stalls where stall.start <= again && open < stall.end { open = stall.end }
    for spike in spikes where spike.start < again && again < spike.end {
      let slow = again + 2 * spike.trip
      open = max(open, again > spike.sent ? slow : min(slow, spike.answered + spike.trip))
    }
    return open < instant + limit ? (open, nil) : (instant + limit, .connectTimeout)
  }
}
