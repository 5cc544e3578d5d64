package import GoldwireTrace

/// Lines in order of time that are held back a little, so that what is known late can stand at its own
/// instant.
///
/// A line that turns out to be needless is withdrawn by the ticket that it was given.
package struct LineQueue {
  /// A line's number since the queue was made.
  package typealias Ticket = Int

  private struct Held {
    var line = TraceLine(t: 0, event: .recTick)
    var stands = false
  }

  /// A ring: the line of a ticket stands at the ticket modulo the ring's size, a power of two.
  private var ring = [Held](repeating: Held(), count: 64)
  /// The ticket of the first line held, and of the next one.
  private var first: Ticket = 0
  private var next: Ticket = 0
  private let limit: Int

  /// Makes an empty queue that holds at most so many lines back.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// The number of lines held.
  package var count: Int { next &- first }

  /// Whether more lines wait than may be held back.
  package var isFull: Bool { count > limit }

  /// Adds a line at the end; its instant must not be before the last one's.
  @discardableResult @inline(__always)
  package mutating func append(_ line: TraceLine) -> Ticket {
    if count == ring.count { grow() }
    ring[place(next)] = Held(line: line, stands: true)
    next &+= 1
    return next &- 1
  }

  /// Keeps a place at this instant, which stays empty unless it is filled.
  package mutating func reserve(at t: Int) -> Ticket {
    let ticket = append(TraceLine(t: t, event: .recTick))
    withdraw(ticket)
    return ticket
  }

  /// Takes back a line that is still held.
  package mutating func withdraw(_ ticket: Ticket) {
    if ticket >= first, ticket < next { ring[place(ticket)].stands = false }
  }

  /// Puts a line into a reserved place and at its instant; false if the place has gone out already.
  package mutating func fill(_ ticket: Ticket, _ line: TraceLine) -> Bool {
    guard ticket >= first, ticket < next else { return false }
    var line = line
    line.t = ring[place(ticket)].line.t
    ring[place(ticket)] = Held(line: line, stands: true)
    return true
  }

  /// The next line that stands at or before the instant, or that the limit no longer lets us hold.
  package mutating func next(through instant: Int) -> TraceLine? {
    while isDue(instant) {
      let index = place(first)
      first &+= 1
      if ring[index].stands { return ring[index].line }
    }
    return nil
  }

  /// Hands on all lines that stand at or before the instant, or that the limit no longer lets us hold.
  ///
  /// An error ends it behind the line that brought it.
  package mutating func drain<Failure: Error>(
    through instant: Int, _ body: (TraceLine) throws(Failure) -> Void
  ) throws(Failure) {
    while isDue(instant) {
      let index = place(first)
      first &+= 1
      if ring[index].stands { try body(ring[index].line) }
    }
  }

  @inline(__always)
  private func isDue(_ instant: Int) -> Bool {
    first < next && (ring[place(first)].line.t <= instant || count > limit)
  }

  @inline(__always)
  private func place(_ ticket: Ticket) -> Int { ticket & (ring.count &- 1) }

  private mutating func grow() {
    let old = ring
    ring = [Held](repeating: Held(), count: old.count &* 2)
    for ticket in first..<next { ring[place(ticket)] = old[ticket & (old.count &- 1)] }
  }
}
