internal import GoldwireMachines

/// What came in shows that something held it, though no ping met that.
extension SocketEvidence {
  /// Nothing came in for far longer than usual, and then more at once than usual: an outage, or a stall, that no ping met.
  struct Lull {
    var connection: Int
    /// The last that came in before it, and the first that came after.
    var from: Double
    var until: Double
    /// When an outage would have begun and ended.
    var start: Interval
    var end: Interval
  }

  /// The least number of messages from which the usual can be told.
  private static let leastMessages = 20

  func findLulls() {
    let waits = socket.connections.map { $0.lulls(trips) }
    let gaps = waits.flatMap { $0.map(\.gap) }.sorted()
    let bursts = waits.flatMap { $0.map(\.burst) }.sorted()
    guard gaps.count >= Self.leastMessages else { return }
    // Of twenty all but one are no longer, or no more.
    let place = gaps.count - 1 - gaps.count / 20
    let (usual, together) = (gaps[place], bursts[place])
    for (connection, found) in zip(socket.connections, waits) {
      for wait in found where wait.gap > 1.5 * usual && wait.burst > together {
        let (from, until) = (wait.until - wait.gap, wait.until)
        let trip = trips.length(at: until)
        let isMet = connection.pings.contains { from < $0.sent && $0.sent < until - 2 * trip }
        guard wait.gap > second, !isMet else { continue }
        lulls.append(
          Lull(
            connection: connection.number, from: from, until: until,
            start: Interval(lo: from - trip, hi: from + usual),
            end: Interval(lo: from + wait.gap / 2, hi: until - trip)))
      }
    }
  }
}

extension RecordedConnection {
  /// For each message that came in: how long nothing had, and how many came at once, with it.
  fileprivate func lulls(_ trips: RoundTrips) -> [(until: Double, gap: Double, burst: Int)] {
    guard let open, !arrivals.isEmpty else { return [] }
    let pongs = answers.map(\.answered)
    var (pong, last) = (0, 0)
    var before = open
    var found: [(until: Double, gap: Double, burst: Int)] = []
    for (place, arrival) in arrivals.enumerated() {
      while pong < pongs.count, pongs[pong] < arrival {
        before = max(before, pongs[pong])
        pong += 1
      }
      let until = arrival + trips.length(at: arrival, .high) + trips.slack
      last = max(last, place)
      while last < arrivals.count, arrivals[last] <= until { last += 1 }
      found.append((arrival, arrival - before, last - place))
      before = arrival
    }
    return found
  }
}
