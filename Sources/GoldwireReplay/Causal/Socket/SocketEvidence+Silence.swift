internal import GoldwireMachines

/// Silences that a connection survived or did not, and gaps of pings that a server punished or not.
extension SocketEvidence {
  private typealias Sign = RecordedSocket.Sign

  /// How much earlier than a recorded timer a predicted one is, in seconds: recorded ones are late by a little.
  private static let lateness = 0.05
  /// How many shorter silences a pool must have survived for one end after a longer one to be no accident.
  private static let exposures = 30

  func findSilences() {
    var record = SilenceRecord()
    var longest = 0.0
    for connection in socket.connections {
      guard let open = connection.open else { continue }
      let signs = connection.signs(since: open)
      let lastHeard = signs.last { !$0.isOut }?.at ?? open
      for (before, after) in zip(signs, signs.dropFirst()) where after.at <= lastHeard {
        if after.at - before.at > longest { (longest, survivedAt) = (after.at - before.at, after.at) }
        record.survived.append(after.at - before.at)
      }
      let answered = connection.answers.map(\.sent)
      for (before, after) in zip(answered, answered.dropFirst()) {
        record.tolerated = min(record.tolerated ?? .infinity, after - before)
      }
      if let end = ending(of: connection, open, signs, lastHeard, &record) { record.ends.append(end) }
    }
    record.count = record.survived.count
    record.trim()
    silenceSlack = 2 * trips.longest + 0.1 * second
    silences = record
    var all = record
    if let pool = premises.pool {
      if premises.isInPool { all = pool } else { all.add(pool) }
    }
    survived = all.survived.max() ?? 0
    shortestGap = all.tolerated ?? .infinity
    settleIdle(all)
    guard let worst = all.punished else { return }
    if all.tolerated.map({ $0 > worst + silenceSlack }) ?? true {
      rate = RateLimit(
        punished: worst, tolerated: all.tolerated ?? 2 * worst, isLikely: all.punishments >= 3)
    }
  }

  private func ending(
    of connection: RecordedConnection, _ open: Double, _ signs: [Sign], _ lastHeard: Double,
    _ record: inout SilenceRecord
  ) -> SilenceRecord.Ending? {
    guard let end = connection.end, let cause = connection.cause else { return nil }
    let outstanding = signs.filter { $0.isOut && $0.at > lastHeard }.map(\.at)
    func ending(_ kind: IdleLimit.Kind, _ silence: Double) -> SilenceRecord.Ending {
      .init(connection: connection.number, kind: kind, silence: silence, line: connection.endLine)
    }
    switch cause {
    case .pongTimeout, .staleOnResume:
      guard let ping = connection.pings.last?.sent else { return nil }
      return ending(.silent, min(outstanding.first ?? ping, ping) - lastHeard)
    case .reset, .fin, .peerClosed:
      let trip = trips.length(at: end)
      guard let first = outstanding.first(where: { isAnswer(end - $0, trip) }) else {
        return ending(.active, end - (signs.last { $0.at < end }?.at ?? open))
      }
      let pings = connection.pings.map(\.sent)
      if pings.count > 1, pings[pings.count - 1] == outstanding.last(where: { isAnswer(end - $0, trip) }) {
        record.punished = max(record.punished ?? 0, pings[pings.count - 1] - pings[pings.count - 2])
        record.punishments += 1
      }
      return ending(.reset, first - (signs.last { $0.at < first }?.at ?? open))
    default: return nil
    }
  }

  // MARK: Idle limits

  /// An idle limit is possible where a connection ended after a silence that was hardly ever survived.
  private func settleIdle(_ record: SilenceRecord) {
    let possible = record.ends.filter { end in
      end.silence > survived - silenceSlack
        && record.survived.count { $0 >= end.silence - silenceSlack } < 3
    }
    var counts: [Int: Int] = [:]
    for end in possible { counts[end.kind.rawValue, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let kind = possible.first { counts[$0.kind.rawValue] == most }?.kind
    if let declared = premises.idle { return declare(declared, record, kind) }
    guard let kind else { return }
    let same = possible.filter { $0.kind == kind }
    let mine =
      premises.isInPool ? silences.ends.filter { $0.kind == kind && same.contains($0.anonymous) } : same
    let least = same.map(\.silence).min() ?? 0
    let isPooled = premises.pool != nil
    let isAlone = isPooled && same.count == record.ends.count && record.count >= Self.exposures
    var limit = Interval(lo: max(survived - silenceSlack, 0), hi: least + silenceSlack)
    // As long a silence as one that ended connections ends the next, but for the timers' lateness.
    if isPooled { limit.hi = max(limit.lo, least - Self.lateness * second) }
    idle = IdleLimit(
      limit: limit, kind: kind, kills: same.count, connections: own(mine, beyond: least - silenceSlack),
      lines: mine.compactMap(\.line), isCertain: same.count >= 3 || isAlone,
      grade: isPooled ? .interpolated : .assumed)
  }

  /// Takes a limit as given.
  ///
  /// Silence is counted between the peers: from the client it may look a round trip shorter.
  private func declare(_ limit: Double, _ record: SilenceRecord, _ kind: IdleLimit.Kind?) {
    let ended = (premises.isInPool ? silences : record).ends.filter { $0.silence > limit - silenceSlack }
    let shown = ended.first { $0.kind == kind }?.kind ?? ended.first?.kind
    idle = IdleLimit(
      limit: Interval(lo: max(0, limit - trips.longest), hi: limit * (1 - 1e-9)), kind: shown ?? .silent,
      kills: ended.count, connections: own(ended, beyond: limit - silenceSlack),
      lines: ended.compactMap(\.line), isCertain: true, grade: .interpolated, isDeclared: true)
  }

  private func own(_ ends: [SilenceRecord.Ending], beyond silence: Double) -> Set<Int> {
    Set(ends.filter { $0.silence > silence }.compactMap(\.connection))
  }

  /// Whether what was recorded cannot be under the declared limit.
  var contradictsDeclaredLimit: Bool {
    guard let declared = premises.idle else { return false }
    return (silences.survived.max() ?? 0) > declared + silenceSlack
  }

  /// How firm it is that a silence of this length was borne, or was not, in a world with this limit.
  func grade(ofSilence length: Double, under limit: Double?) -> Grade {
    if length <= survived + silenceSlack { return .observed }
    guard let idle, idle.isCertain, limit != nil else { return .assumed }
    if idle.grade >= .interpolated {
      return length < idle.limit.lo || length > idle.limit.hi ? .interpolated : .assumed
    }
    return length < idle.limit.lo ? .observed : .assumed
  }
}
