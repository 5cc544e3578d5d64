internal import GoldwireMachines

/// Silences that a connection survived or did not, and gaps of pings that a server punished or not.
extension SocketEvidence {
  /// The end of a connection, as far as a silence may be behind it.
  private struct SilentEnd {
    var connection: Int
    var kind: IdleLimit.Kind
    var silence: Double
  }

  /// Something that passed either way.
  private struct Sign {
    var at: Double
    var isOut: Bool
  }

  mutating func findSilences() {
    var silences: [Double] = []
    var tolerated: [Double] = []
    var punished: [Double] = []
    var ends: [SilentEnd] = []
    for connection in socket.connections {
      guard let open = connection.open else { continue }
      let signs = Self.signs(of: connection, open)
      let lastHeard = signs.last { !$0.isOut }?.at ?? open
      for (before, after) in zip(signs, signs.dropFirst()) where after.at <= lastHeard {
        silences.append(after.at - before.at)
      }
      let answered = connection.answers.map(\.sent)
      tolerated += zip(answered, answered.dropFirst()).map { $1 - $0 }
      if let end = silentEnd(connection, open, signs, lastHeard, &punished) { ends.append(end) }
    }
    silenceSlack = 2 * trips.longest + 0.1 * second
    survived = silences.max() ?? 0
    shortestGap = tolerated.min() ?? .infinity
    settleIdle(ends, silences)
    guard let worst = punished.max() else { return }
    let best = tolerated.min()
    if best.map({ $0 > worst + silenceSlack }) ?? true {
      rate = RateLimit(punished: worst, tolerated: best ?? 2 * worst)
    }
  }

  private static func signs(of connection: RecordedConnection, _ open: Double) -> [Sign] {
    var signs = [Sign(at: open, isOut: false)]
    signs += connection.pings.map { Sign(at: $0.sent, isOut: true) }
    signs += connection.answers.map { Sign(at: $0.answered, isOut: false) }
    signs += connection.sends.map { Sign(at: $0, isOut: true) }
    signs += connection.arrivals.map { Sign(at: $0, isOut: false) }
    return signs.sorted { ($0.at, $0.isOut ? 1 : 0) < ($1.at, $1.isOut ? 1 : 0) }
  }

  private func silentEnd(
    _ connection: RecordedConnection, _ open: Double, _ signs: [Sign], _ lastHeard: Double,
    _ punished: inout [Double]
  ) -> SilentEnd? {
    guard let end = connection.end, let cause = connection.cause else { return nil }
    let outstanding = signs.filter { $0.isOut && $0.at > lastHeard }.map(\.at)
    switch cause {
    case .pongTimeout, .staleOnResume:
      guard let ping = connection.pings.last?.sent else { return nil }
      let first = min(outstanding.first ?? ping, ping)
      return SilentEnd(connection: connection.number, kind: .silent, silence: first - lastHeard)
    case .reset, .fin, .peerClosed:
      let trip = trips.length(at: end)
      guard let first = outstanding.first(where: { isAnswer(end - $0, trip) }) else {
        let last = signs.last { $0.at < end }?.at ?? open
        return SilentEnd(connection: connection.number, kind: .active, silence: end - last)
      }
      let pings = connection.pings.map(\.sent)
      if pings.count > 1, pings[pings.count - 1] == outstanding.last(where: { isAnswer(end - $0, trip) }) {
        punished.append(pings[pings.count - 1] - pings[pings.count - 2])
      }
      let before = signs.last { $0.at < first }?.at ?? open
      return SilentEnd(connection: connection.number, kind: .reset, silence: first - before)
    default: return nil
    }
  }

  /// An idle limit is possible where a connection ended after a silence that was hardly ever survived.
  private mutating func settleIdle(_ ends: [SilentEnd], _ silences: [Double]) {
    let possible = ends.filter { end in
      end.silence > survived - silenceSlack
        && silences.count { $0 >= end.silence - silenceSlack } < 3
    }
    guard !possible.isEmpty else { return }
    var counts: [Int: Int] = [:]
    for end in possible { counts[end.kind.rawValue, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    guard let kind = possible.first(where: { counts[$0.kind.rawValue] == most })?.kind else { return }
    let same = possible.filter { $0.kind == kind }
    let least = same.map(\.silence).min() ?? 0
    idle = IdleLimit(
      limit: Interval(lo: max(survived - silenceSlack, 0), hi: least + silenceSlack), kind: kind,
      kills: same.count,
      connections: Set(same.filter { $0.silence > least - silenceSlack }.map(\.connection)))
  }
}
