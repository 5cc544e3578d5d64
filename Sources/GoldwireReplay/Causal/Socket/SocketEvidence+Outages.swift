internal import GoldwireMachines

/// Pings and handshakes that were never answered.
extension SocketEvidence {
  /// A ping that was given up; `known` is the last round trip before it.
  func findOutage(
    _ index: Int, _ ping: RecordedConnection.Ping, _ end: Double, _ known: Double
  ) {
    let connection = socket.connections[index]
    let sent = ping.sent
    let trip = trips.length(at: sent)
    let isStall = connection.isDelivered(ping.line)
    // Bytes that arrived say nothing of the server, but all of the path.
    let proof = isStall ? known : max(known, connection.lastDelivered ?? known)
    let arrivedLate = connection.arrivals.contains { $0 > sent + trip + trips.slack }
    let latest = arrivedLate ? sent : sent + trip
    let lastBefore = connection.arrivals.filter { $0 <= sent + trip + trips.slack }.map { $0 - trip }.max()
    let likely = arrivedLate ? proof : max(proof, lastBefore ?? proof)
    var oldest = min(sent, connection.sends.filter { $0 > likely }.min() ?? sent)
    // A pong queues behind pushes whose acknowledgements the outage ate, so the server's backoff counts too.
    if !connection.sends.isEmpty || !connection.arrivals.isEmpty { oldest = min(oldest, proof) }
    let waited = oldest + max(0, (end - oldest - trip - trips.retransmission(at: sent)) / 2)
    let proven = isStall ? end - trip : waited
    let ends = isStall ? stallEnd(index, proven) : outageEnd(index, proven)
    outages.append(
      Outage(
        connection: connection.number, isHandshake: false, sent: sent, givenUp: end,
        start: Interval(lo: proof, hi: latest), end: Interval(lo: min(ends.lo, ends.hi), hi: ends.hi),
        likelyStart: likely, provenEnd: proven, isStall: isStall,
        mayBeIdle: idle?.connections.contains(connection.number) ?? false))
  }

  /// When an outage of the path was over: the next handshakes show it.
  private func outageEnd(_ index: Int, _ proven: Double) -> Interval {
    var ends = Interval(lo: proven, hi: .infinity)
    for next in socket.connections[(index + 1)...] {
      let attempts = Self.attempts(from: next.connect, second: second)
      if next.open == nil, next.cause == .connectTimeout {
        let last = next.end ?? socket.horizon
        ends.lo = max(ends.lo, attempts.last { $0 <= last } ?? next.connect)
        continue
      }
      guard let done = next.open ?? next.end else { break }
      let limit = done - trips.least * (next.open == nil ? 0.5 : 1)
      let possible = attempts.filter { $0 <= limit }
      let tries = possible.isEmpty ? [next.connect] : possible
      ends.hi = tries[tries.count - 1]
      let earliest =
        tries.last { $0 <= done - 2 * trips.length(at: next.connect, .high) - trips.slack } ?? tries[0]
      ends.lo = max(ends.lo, tries.last { $0 < earliest } ?? ends.lo)
      break
    }
    return ends
  }

  /// When a server's silence was over: connects succeed in it, but their handshakes wait for its end.
  private func stallEnd(_ index: Int, _ proven: Double) -> Interval {
    var ends = Interval(lo: proven, hi: .infinity)
    for next in socket.connections[(index + 1)...] {
      let trip = trips.length(at: next.connect)
      if next.open == nil, next.cause == .connectTimeout {
        ends.lo = max(ends.lo, (next.end ?? socket.horizon) - trip)
        continue
      }
      guard let done = next.open ?? next.end else { break }
      ends.hi = done - trips.least / 2
      if let open = next.open, open - next.connect > 2 * trip + trips.slack {
        ends.lo = max(ends.lo, open - trip)
      }
      break
    }
    return ends
  }

  /// A handshake that was given up, where no outage is known that covers it.
  func findHandshakeOutage(_ index: Int, _ end: Double) {
    let connection = socket.connections[index]
    if let last = outages.last, last.start.lo < connection.connect, connection.connect < last.end.hi {
      return
    }
    let next = socket.connections[(index + 1)...].first { $0.open != nil || $0.cause == .refused }
    var last = 0.0
    if index > 0 {
      let before = socket.connections[index - 1]
      let heard = before.answers.map(\.answered) + before.arrivals
      last = max(before.end ?? before.connect, heard.max() ?? 0)
    }
    let attempts = Self.attempts(from: connection.connect, second: second)
    let begin = attempts.last { $0 <= end } ?? connection.connect
    let over = next.map { next in
      let limit = (next.open ?? next.end ?? next.connect) - 1.5 * trips.length(at: next.connect)
      return Self.attempts(from: next.connect, second: second).last { $0 <= limit } ?? next.connect
    }
    outages.append(
      Outage(
        connection: connection.number, isHandshake: true, sent: connection.connect, givenUp: end,
        start: Interval(lo: last, hi: connection.connect),
        end: Interval(lo: min(begin, over ?? .infinity), hi: over ?? .infinity), likelyStart: last,
        provenEnd: 0, mayBeIdle: false))
  }

  /// When a handshake's first packet is sent, and sent again.
  static func attempts(from connect: Double, second: Double) -> [Double] {
    [0, 1, 3, 7].map { connect + $0 * second }
  }
}
