internal import GoldwireMachines

extension SocketPrediction {
  /// What decided, and how.
  struct Judgement {
    var verdict: CausalVerdict
    /// Sessions that end where the recorded ones did not.
    var extra: [End] = []
    /// Sessions that end about when a recorded one did, whose end is another one's already.
    var surplus: [End] = []
    /// The places of recorded connections that end in no world.
    var lost: [Int] = []
    /// The places of recorded connections whose end the asked client may have met after the recording.
    var unsettled: [Int] = []
    /// Ends on which the worlds disagree.
    var splits: [End] = []
    /// The first line that is less firm than `interpolated`, among those that count.
    var doubtful: Line?
    /// No ping of the asked client falls into the recording.
    var isEmpty = false
  }

  /// Up to when lines are judged: what comes close to the recording's end may be missing in a world.
  private var judged: Double {
    let socket = evidence.socket
    let longest = Double(max(parameters.interval, socket.parameters.interval))
    let start = socket.connections.first?.connect ?? 0
    return socket.horizon - min(3 * longest + Double(parameters.timeout), (socket.horizon - start) / 2)
  }

  /// How far an end may move and still be the recorded one.
  private var reach: Double {
    let old = evidence.socket.parameters
    return Double(max(parameters.interval, old.interval)) + Double(max(parameters.timeout, old.timeout))
      + max(0.3 * evidence.second, Double(parameters.interval) / 10)
  }

  /// The verdict, from the line that decides.
  var judgement: Judgement {
    let connections = evidence.socket.connections
    let owners = owners
    var judgement = Judgement(verdict: .inconclusive)
    for end in ends where !(end.isFirm && owners[end.origin] != nil) {
      if end.isFirm, !isOpen(end) {
        if owners.near(end) { judgement.surplus.append(end) } else { judgement.extra.append(end) }
      } else if end.latest <= judged || end.isFirm || owners[end.origin] != nil || isTold(end) {
        guard !ends.contains(where: { $0.origin == end.origin && $0.isFirm && !isOpen($0) }) else { continue }
        judgement.splits.append(end)
      }
    }
    judgement.extra += neverOpened
    for place in owners.recorded where !owners.isOwned(place) {
      let isOver = (connections[place].end ?? 0) + reach <= evidence.socket.horizon
      if isOver { judgement.lost.append(place) } else { judgement.unsettled.append(place) }
    }
    judgement.doubtful = lines.first { $0.grade < .interpolated }
    judgement.isEmpty = !lines.contains { $0.key.kind == .ping }
    if evidence.contradictsDeclaredLimit || isEndless { return judgement }
    if judgement.extra.contains(where: { $0.grade >= .interpolated }) {
      judgement.verdict = .regression
    } else if judgement.extra.isEmpty, judgement.surplus.isEmpty, judgement.splits.isEmpty,
      !judgement.isEmpty,
      evidence.socket.hole == nil
    {
      // A connection that lives on is no more than assumed: what counts is what came before.
      let first = judgement.lost.compactMap { connections[$0].end }.min()
      if let first {
        if judgement.doubtful.map({ $0.step.t > first }) ?? true { judgement.verdict = .improvement }
      } else if judgement.doubtful == nil, judgement.unsettled.isEmpty {
        judgement.verdict = .same
      }
    }
    return judgement
  }

  /// Connections that opened in the recording, and for which the asked client does not wait so long.
  private var neverOpened: [End] {
    lines.compactMap { line in
      guard line.key.hasFailed, line.step.cause == .connectTimeout, line.grade >= .interpolated,
        evidence.socket.connection(line.step.generation)?.open != nil
      else { return nil }
      return End(
        origin: .other(line.step.generation), cause: .connectTimeout, earliest: line.earliest,
        latest: line.latest, worlds: worlds, isFirm: true, grade: line.grade, step: line.step)
    }
  }

  /// Whether the report has the end among its actions.
  private func isTold(_ end: End) -> Bool {
    lines.contains { $0.key.kind == .end && $0.step.origin == end.origin && $0.step.cause == end.cause }
  }

  /// Which recorded end each predicted one stands for.
  private var owners: EndOwners {
    let connections = evidence.socket.connections
    let recorded = connections.indices.filter { connections[$0].open != nil && connections[$0].end != nil }
    return EndOwners(
      ends, recorded: recorded.map { ($0, connections[$0].number, connections[$0].end ?? 0) }, reach)
  }

  /// Whether the recording ends before it is known what would have become of that connection.
  private func isOpen(_ end: End) -> Bool {
    guard case .end(let number) = end.origin, let connection = evidence.socket.connection(number) else {
      return false
    }
    return connection.end == nil
  }

  /// The largest gap between proofs that the path lived, and how long a hole in one must be to close a connection.
  var floor: (gap: Double, harmful: Double) {
    var gap = 0.0
    for (connection, delivered) in zip(evidence.socket.connections, evidence.deliveries) {
      guard let open = connection.open else { continue }
      var proofs = [open] + connection.answers.filter { evidence.trips.isClean($0.sent) }.map(\.sent)
      proofs += delivered.sent
      proofs.sort()
      for (before, after) in zip(proofs, proofs.dropFirst()) { gap = max(gap, after - before) }
    }
    let timeout = Double(parameters.timeout)
    // The slowest round trips leave the least of the timeout for sending again.
    let harmful = evidence.trips.clean.map { sample in
      let near = evidence.trips.near(sample.sent)
      return (timeout - evidence.trips.retransmission(near) - near.length(.high)) / 2
    }
    return (gap, harmful.min() ?? 0)
  }
}
