package import GoldwireTrace

/// What a whole trace comes to, gathered entry by entry.
package struct Summary: Sendable {
  /// The most channels that the text lists.
  package static let listed = 24

  /// The least, the most and the number of some lengths of time.
  package struct Range: Equatable, Sendable {
    /// How many.
    package private(set) var count = 0
    /// The shortest.
    package private(set) var least = Int.max
    /// The longest.
    package private(set) var most = 0

    mutating func take(_ length: Int) {
      count += 1
      least = min(least, length)
      most = max(most, length)
    }

    /// `12ms`, or `12ms to 48ms`.
    func text(_ unit: Unit) -> String {
      let (low, high) = (Quantity.span(least, unit), Quantity.span(most, unit))
      return low == high ? low : "\(low) to \(high)"
    }
  }

  /// What one channel comes to.
  package struct ChannelSums: Equatable, Sendable {
    /// Lines.
    package var lines = 0
    /// Connections, or requests of an event stream.
    package var generations = 0
    /// How they ended, in the order in which that came up first.
    package var ends: [Ending] = []
    /// Pings sent.
    package var pings = 0
    /// From a ping to its pong.
    package var answers = Range()
    /// From a ping to the next one in its generation.
    package var rhythm = Range()
    /// Messages and event-stream events, or bodies: sent and received.
    package var messages = (out: 0, in: 0)
    /// Logical requests, and how often they were sent.
    package var requests = (logical: 0, sends: 0)
    /// The statuses of the responses.
    package var statuses: [Int: Int] = [:]
    /// Handler failures.
    package var failures = 0
    /// Commits of the cursor.
    package var commits = 0
    /// Events of a generation that was no longer the current one, or had ended.
    package var late = 0
    fileprivate var lastPing: (generation: Int, t: Int)?
    fileprivate var highest = 0

    package static func == (left: ChannelSums, right: ChannelSums) -> Bool {
      left.lines == right.lines && left.generations == right.generations && left.late == right.late
    }
  }

  /// A way in which connections ended, and how often.
  package struct Ending: Equatable, Sendable {
    /// In words.
    package var words: String
    /// How often.
    package var count: Int
  }

  /// The trace's unit.
  package let unit: Unit
  /// Lines after the header.
  package private(set) var lines = 0
  /// The instant of the last line.
  package private(set) var length = 0
  /// The channels' sums.
  package private(set) var channels: [Channel: ChannelSums] = [:]
  /// Holes.
  package private(set) var gaps = 0
  /// Pauses of the process.
  package private(set) var pauses = 0
  /// Packets dropped.
  package private(set) var dropped = 0
  /// Remarks.
  package private(set) var notes = 0

  /// Begins a summary.
  package init(unit: Unit) { self.unit = unit }

  /// Takes an entry in.
  package mutating func take(_ entry: Entry) {
    lines += 1
    length = max(length, entry.line.t)
    switch entry.line.event {
    case .recGap: gaps += 1
    case .recPause: pauses += 1
    case .recDrop(let count): dropped = dropped.addingSaturated(max(count, 0))
    case .recNote: notes += 1
    default: break
    }
    if let channel = entry.line.channel { channels[channel, default: ChannelSums()].take(entry) }
  }
}

extension Summary.ChannelSums {
  fileprivate mutating func take(_ entry: Entry) {
    let line = entry.line
    lines += 1
    if entry.standing != .current, entry.phrase.side != .recorder { late += 1 }
    if let generation = line.generation, generation > highest {
      highest = generation
      generations += 1
    }
    if entry.phrase.effect == .ends { end(entry.line.event, entry.phrase) }
    switch line.event {
    case .wsPing(.out, _, _):
      pings += 1
      if let last = lastPing, last.generation == line.generation { rhythm.take(max(line.t - last.t, 0)) }
      lastPing = (line.generation ?? 0, line.t)
    case .wsPong(.in, _, _), .wsPinged(_, .ok, _):
      if let after = entry.after { answers.take(after) }
    case .wsMessage(let message): count(message.dir)
    case .httpSend(let send):
      requests.sends += 1
      if send.attempt == 1, send.hop == nil { requests.logical += 1 }
    case .httpResponse(let response):
      if let status = response.status { statuses[status, default: 0] += 1 }
    case .sseEvent: messages.in += 1
    case .sseHandled(_, false): failures += 1
    case .sseCommit: commits += 1
    default: break
    }
  }

  private mutating func count(_ dir: Direction) {
    if dir == .out { messages.out += 1 } else { messages.in += 1 }
  }

  private mutating func end(_ event: TraceEvent, _ phrase: Phrase) {
    let words: String
    switch event {
    case .wsRefused(let cause, let status, _): words = cause.words(status: status)
    case .wsEnd(let cause, let dir): words = cause.words(dir)
    case .wsPinged: words = "ping failed"
    case .sseCut(let cause, _, _): words = cause.words
    default: words = "ended"
    }
    if let index = ends.firstIndex(where: { $0.words == words }) {
      ends[index].count += 1
    } else {
      ends.append(Summary.Ending(words: words, count: 1))
    }
  }
}
