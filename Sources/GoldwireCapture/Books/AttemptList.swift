/// Connection attempts whose SYN has no answer yet.
struct AttemptList {
  /// One attempt.
  struct Attempt {
    /// Its connection.
    let connection: Int
    /// The place that was kept for it among the lines at its first SYN.
    let ticket: LineQueue.Ticket
    /// When its first SYN was sent.
    let first: Int
    /// When its latest SYN was sent.
    var latest: Int
    /// The time between its last two SYNs.
    var pause: Int
    /// The number of SYNs.
    var count: Int

    /// When the attempt is over if no further SYN comes: a whole second after the next one was due.
    var deadline: Int { latest &+ 2 &* pause &+ 1_000_000 }
  }

  private(set) var attempts: [Attempt] = []
  private var nextDeadline = Int.max

  /// Whether an attempt may be over at `now`.
  func isDue(at now: Int) -> Bool { now >= nextDeadline }

  /// Adds an attempt; the oldest makes room and is given back.
  mutating func add(_ connection: Int, ticket: LineQueue.Ticket, at now: Int, limit: Int) -> Attempt? {
    let displaced = attempts.count >= max(1, limit) ? attempts.removeFirst() : nil
    let attempt = Attempt(
      connection: connection, ticket: ticket, first: now, latest: now, pause: 1_000_000, count: 1)
    attempts.append(attempt)
    nextDeadline = min(nextDeadline, attempt.deadline)
    return displaced
  }

  /// Notes another SYN of an attempt.
  mutating func again(_ connection: Int, at now: Int) {
    guard let index = attempts.firstIndex(where: { $0.connection == connection }) else { return }
    attempts[index].pause = max(1_000_000, now &- attempts[index].latest)
    attempts[index].latest = now
    attempts[index].count &+= 1
  }

  /// Takes out the attempt of a connection.
  mutating func remove(_ connection: Int) -> Attempt? {
    guard let index = attempts.firstIndex(where: { $0.connection == connection }) else { return nil }
    return attempts.remove(at: index)
  }

  /// Takes out one attempt that is over at `now`.
  mutating func removeDue(at now: Int) -> Attempt? {
    if let index = attempts.firstIndex(where: { $0.deadline <= now }) { return attempts.remove(at: index) }
    nextDeadline = attempts.lazy.map(\.deadline).min() ?? .max
    return nil
  }
}
