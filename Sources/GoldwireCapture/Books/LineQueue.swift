package import GoldwireTrace

/// Lines in order of time that are held back a little, so that what is known late can stand at its own
/// instant.
///
/// A line that turns out to be needless is withdrawn by the ticket that it was given.
package struct LineQueue {
  /// A line's number since the queue was made.
  package typealias Ticket = Int

  private struct Held {
    var line: TraceLine
    var stands: Bool
  }

  private var held: [Held] = []
  private var head = 0
  private var taken = 0
  private let limit: Int

  /// Makes an empty queue that holds at most so many lines back.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// The number of lines held.
  package var count: Int { held.count &- head }

  /// Whether more lines wait than may be held back.
  package var isFull: Bool { count > limit }

  /// Adds a line at the end; its instant must not be before the last one's.
  @discardableResult @inline(__always)
  package mutating func append(_ line: TraceLine) -> Ticket {
    held.append(Held(line: line, stands: true))
    return taken &+ count &- 1
  }

  /// Keeps a place at this instant, which stays empty unless it is filled.
  package mutating func reserve(at t: Int) -> Ticket {
    held.append(Held(line: TraceLine(t: t, event: .recTick), stands: false))
    return taken &+ count &- 1
  }

  /// Takes back a line that is still held.
  package mutating func withdraw(_ ticket: Ticket) {
    guard let index = index(of: ticket) else { return }
    held[index].stands = false
  }

  /// Puts a line into a reserved place and at its instant; false if the place has gone out already.
  package mutating func fill(_ ticket: Ticket, _ line: TraceLine) -> Bool {
    guard let index = index(of: ticket) else { return false }
    var line = line
    line.t = held[index].line.t
    held[index] = Held(line: line, stands: true)
    return true
  }

  /// The next line that stands at or before the instant, or that the limit no longer lets us hold.
  package mutating func next(through instant: Int) -> TraceLine? {
    while head < held.count {
      guard held[head].line.t <= instant || isFull else { return nil }
      let line = held[head].stands ? held[head].line : nil
      head &+= 1
      taken &+= 1
      tidy()
      if let line { return line }
    }
    return nil
  }

  /// Hands on all lines that stand at or before the instant, or that the limit no longer lets us hold.
  ///
  /// An error ends it behind the line that brought it.
  package mutating func drain<Failure: Error>(
    through instant: Int, _ body: (TraceLine) throws(Failure) -> Void
  ) throws(Failure) {
    defer { tidy() }
    while head < held.count, held[head].line.t <= instant || count > limit {
      let index = head
      head &+= 1
      taken &+= 1
      if held[index].stands { try body(held[index].line) }
    }
  }

  /// Lets go of what has gone out.
  private mutating func tidy() {
    if head == held.count {
      held.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 4_096, head &* 2 > held.count {
      held.removeSubrange(..<head)
      head = 0
    }
  }

  private func index(of ticket: Ticket) -> Int? {
    let offset = ticket &- taken
    return offset >= 0 && offset < count ? head &+ offset : nil
  }
}
