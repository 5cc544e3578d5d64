internal import GoldwireMachines

/// What a recording proves of a channel's surroundings: intervals, never guesses between their ends.
///
/// All instants are in the trace's unit. `hi` is infinite where nothing later was seen. A reference, since all worlds share it.
final class SocketEvidence {
  /// An interval of instants.
  struct Interval: Equatable {
    var lo: Double
    var hi: Double
  }

  /// The path, or the server, was silent: a ping or a handshake was never answered.
  struct Outage {
    /// The connection that it ended.
    var connection: Int
    /// Whether that connection was never open.
    var isHandshake: Bool
    /// The ping (or the connect) that was not answered, and when it was given up.
    var sent: Double
    var givenUp: Double
    /// When it began and ended.
    var start: Interval
    var end: Interval
    /// A guess at the earliest beginning, for worlds alone.
    var likelyStart: Double
    /// Up to when retransmissions, or the wait for a reply, prove it.
    var provenEnd: Double
    /// The peer's host had the ping: the path lived, and the server was silent.
    var isStall = false
    /// It may have been an idle limit instead.
    var mayBeIdle: Bool
  }

  /// A ping that was answered, but far later than its neighbours.
  struct LateReply {
    var connection: Int
    /// The round trip before it, the ping, its answer, and the ping after it.
    var before: Double
    var sent: Double
    var answered: Double
    var next: Double
    /// When what delayed it began and ended, if it was an outage.
    var start: Interval
    var end: Interval
    /// The index of its line.
    var line: Int?
  }

  /// A connection that its peer, or something between, ended.
  struct Kill {
    var connection: Int
    var at: Double
    var cause: Heartbeat.Cause
    var code: Int?
    /// The first own send since the last thing that came in; nil if nothing was outstanding.
    var unanswered: Double?
    /// It came a round trip after that send.
    var isImmediate: Bool
    /// That send was a ping.
    var isByPing: Bool
    /// The last proof of life before it.
    var after: Double
    /// It may have been an idle limit.
    var mayBeIdle: Bool
    var roundTrip: Double
  }

  /// A server that refused connections for a while.
  struct Refusal {
    var from: Double
    var last: Double
    var openAt: Double
  }

  /// How long a silence must be for something between to forget the connection.
  struct IdleLimit {
    /// How such a kill shows.
    enum Kind: Int { case silent, reset, active }

    var limit: Interval
    var kind: Kind
    /// How many connections it ended, here and in the pool.
    var kills: Int
    var connections: Set<Int>
    /// The lines of the ends that speak for it.
    var lines: [Int] = []
    /// It ends connections in every world.
    var isCertain: Bool
    /// How firm what rests on it can be.
    var grade: Grade
    /// It was declared, not inferred.
    var isDeclared = false
  }

  /// The ping gaps between which a server's limit lies: the longest that was punished, the shortest that was not.
  struct RateLimit {
    var punished: Double
    var tolerated: Double
    /// It punished three pings: no accident.
    var isLikely = false
  }

  let socket: RecordedSocket
  let premises: SocketPremises
  let trips: RoundTrips
  /// All messages that the client sent, and all that came in, in order of time.
  let sends: [Double]
  let arrivals: [Double]
  /// The answered pings of each connection that are clean samples, in order.
  let cleanAnswers: [(sent: [Double], answered: [Double])]
  /// The own bytes of each connection that are known to have arrived.
  let deliveries: [Deliveries]
  /// How long the client usually waits before it connects again; nil where it never did.
  let usualDelay: Double?
  var outages: [Outage] = []
  var late: [LateReply] = []
  var lulls: [Lull] = []
  var kills: [Kill] = []
  var refusals: [Refusal] = []
  var idle: IdleLimit?
  var rate: RateLimit?
  /// The longest silence after which something came in, here or in the pool.
  var survived = 0.0
  /// When the longest one here was over.
  var survivedAt: Double?
  /// What was seen of silences here.
  var silences = SilenceRecord()
  /// How far a silence that the client sees may be from the one that a middlebox sees.
  var silenceSlack = 0.0
  /// The shortest gap of two answered pings of a connection.
  var shortestGap = Double.infinity

  init(_ socket: RecordedSocket, _ premises: SocketPremises = SocketPremises()) {
    self.socket = socket
    self.premises = premises
    trips = RoundTrips(socket)
    sends = socket.connections.flatMap(\.sends).sorted()
    arrivals = socket.connections.flatMap(\.arrivals).sorted()
    let clean = trips
    cleanAnswers = socket.connections.map { connection in
      let answers = connection.answers.filter { clean.isClean($0.sent) }
      return (answers.map(\.sent), answers.map(\.answered))
    }
    deliveries = socket.connections.map { Deliveries($0, clean) }
    let delays = socket.reconnectDelays.sorted()
    usualDelay = delays.isEmpty ? nil : delays[delays.count / 2]
    findSilences()
    for index in socket.connections.indices { findFaults(index) }
    findLulls()
  }

  var second: Double { socket.second }
}

// MARK: - Outages, late replies, kills, refusals

extension SocketEvidence {
  private func findFaults(_ index: Int) {
    let connection = socket.connections[index]
    var proof = (connection.open ?? connection.connect) - trips.length(at: connection.connect)
    for ping in connection.pings {
      guard let answered = ping.answered else { continue }
      let isHeld = socket.isPaused(between: ping.sent, and: answered)
      if !isHeld, !trips.isClean(ping.sent) { findLateReply(connection, ping, answered, proof) }
      // The next delay began when this answer was on its way.
      proof = max(ping.sent, answered - trips.length(at: ping.sent, .high))
    }
    guard let end = connection.end, let cause = connection.cause else { return }
    switch cause {
    case .pongTimeout, .staleOnResume:
      if let ping = connection.pings.last { findOutage(index, ping, connection.givenUp ?? end, proof) }
    case .connectTimeout:
      findHandshakeOutage(index, end)
    case .refused:
      findRefusal(index)
    case .reset, .fin, .peerClosed, .error, .timeout, .sendFailed, .superseded:
      findKill(connection, end, cause, proof)
    case .userClosed: break
    }
  }

  private func findLateReply(
    _ connection: RecordedConnection, _ ping: RecordedConnection.Ping, _ answered: Double, _ proof: Double
  ) {
    let sent = ping.sent
    let trip = trips.length(at: connection.connect)
    let waited = answered - sent - 2 * trip - trips.retransmission(at: sent)
    late.append(
      LateReply(
        connection: connection.number, before: proof, sent: sent, answered: answered,
        next: answered + Double(socket.parameters.interval),
        start: Interval(lo: proof, hi: sent),
        end: Interval(lo: sent + max(0, waited / 2), hi: answered - trip), line: ping.answerLine))
  }

  private func findRefusal(_ index: Int) {
    let connection = socket.connections[index]
    let next = socket.connections[(index + 1)...].first { $0.cause != .refused }
    let openAt = next?.connect ?? .infinity
    let last = connection.connect
    if let known = refusals.last, known.openAt == openAt {
      refusals[refusals.count - 1].last = last
      return
    }
    var from = connection.connect
    if index > 0 {
      let before = socket.connections[index - 1]
      let wasKilled = before.cause == .reset || before.cause == .peerClosed || before.cause == .fin
      from = wasKilled ? before.end ?? before.connect : before.connect
    }
    refusals.append(Refusal(from: from, last: last, openAt: openAt))
  }

  private func findKill(
    _ connection: RecordedConnection, _ end: Double, _ cause: Heartbeat.Cause, _ proof: Double
  ) {
    let heard =
      [connection.open ?? connection.connect] + connection.answers.map(\.answered) + connection.arrivals
    let lastHeard = heard.max() ?? connection.connect
    let pings = connection.pings.map(\.sent)
    // A newer connection of the app's own is no answer to anything.
    let trip = trips.length(at: connection.connect)
    // What the peer's host has met no dead connection; but the server may have ended it for what came.
    let unanswered =
      cause == .superseded
      ? []
      : connection.ownSends.filter {
        $0.at > lastHeard && (!connection.isDelivered($0.line) || isAnswer(end - $0.at, trip))
      }.map(\.at)
    let near = unanswered.first { isAnswer(end - $0, trip) }
    kills.append(
      Kill(
        connection: connection.number, at: end, cause: cause, code: connection.code,
        unanswered: unanswered.first, isImmediate: near != nil && near == unanswered.first,
        isByPing: near.map(pings.contains) ?? false, after: proof,
        mayBeIdle: idle?.connections.contains(connection.number) ?? false, roundTrip: trip))
  }

  /// Whether an end so long after a send looks like the answer to it.
  func isAnswer(_ length: Double, _ trip: Double) -> Bool {
    length >= 0.4 * trip && length <= 1.5 * trip + 0.06 * second
  }
}
