internal import GoldwireTrace

/// Names the layer at fault where an event stream lost an event or had an effect twice.
///
/// The layers are looked at in one order: what the client asked for, what the server sent on that, what the parser did at
/// the end of a stream, whether an effect came twice; a simulator last.
struct StreamDiagnosis {
  let trace: Trace
  let words: Words
  /// Whether an event is told by its content too, and not by its id alone.
  let isToldByContent: Bool
  /// The channels that are looked at; nil for all.
  var channels: Set<Channel>?

  /// The most findings that are told.
  static let most = 4

  /// What is known of a stream at a line.
  private struct Stream {
    /// The cursor that is committed; 0 for none.
    var committed = 0
    /// All cursors that were committed.
    var past: Set<Int> = []
    /// Whether a connection was there before.
    var hasBegun = false
    /// Whether the trace tells of commits; where it does not, what was handled is committed.
    var tellsCommits = false
    /// The cursor that the present connection rightly asked from, until its first event has come.
    var asked: Int?
    /// The event of each number in the present connection.
    var events: [Int: Effect] = [:]
    /// The line at which an effect was had.
    var effects: [Effect: Int] = [:]
  }

  private struct Effect: Hashable {
    var id: Int
    var revision: Int
  }

  /// The findings of the trace alone, a sentence each.
  var findings: [String] {
    var streams: [Channel: Stream] = [:]
    var found: [String] = []
    let isBlind = trace.header.blind.contains(.handler)
    let tellers = Set(
      trace.lines.compactMap { line -> Channel? in
        guard case .sseCommit = line.event else { return nil }
        return line.channel
      })
    for (index, line) in trace.lines.enumerated() {
      guard let channel = line.channel, channel.family == .sse, channels?.contains(channel) ?? true else {
        continue
      }
      let finding = take(
        line, index, isBlind, &streams[channel, default: Stream(tellsCommits: tellers.contains(channel))])
      if let finding { found.append(finding) }
      if found.count == Self.most { break }
    }
    return found
  }

  private func take(_ line: TraceLine, _ index: Int, _ isBlind: Bool, _ stream: inout Stream) -> String? {
    switch line.event {
    case .sseConnect(let cursor): return connect(line, index, cursor ?? 0, &stream)
    case .sseEvent(let n, let id, let rev, _):
      guard let id, id != 0 else { return nil }
      stream.events[n] = Effect(id: id, revision: isToldByContent ? rev : 0)
      defer {
        stream.asked = nil
        if isBlind { commit(id, &stream) }
      }
      // One whose handler failed rightly comes again.
      guard let asked = stream.asked, stream.past.contains(id) else { return nil }
      return
        "the server's filter: \(place(line, index)) asked from \(Words.pseudonym(asked)), and got "
        + "\(Words.pseudonym(id)) again"
    case .sseID(let id):
      if isBlind { commit(id, &stream) }
    case .sseCommit(let cursor): commit(cursor, &stream)
    case .sseHandled(let n, true):
      guard let effect = stream.events[n] else { return nil }
      defer { stream.effects[effect] = index }
      if !stream.tellsCommits { commit(effect.id, &stream) }
      guard let before = stream.effects[effect] else { return nil }
      return
        "the deduplication: \(place(line, index)) handled \(Words.pseudonym(effect.id)) again, after line "
        + "\(trace.lineNumber(at: before))"
    default: break
    }
    return nil
  }

  private func commit(_ cursor: Int, _ stream: inout Stream) {
    stream.committed = cursor
    stream.past.insert(cursor)
  }

  private func connect(_ line: TraceLine, _ index: Int, _ cursor: Int, _ stream: inout Stream) -> String? {
    stream.events = [:]
    stream.asked = nil
    guard stream.hasBegun else {
      stream.hasBegun = true
      commit(cursor, &stream)
      return nil
    }
    guard cursor == stream.committed else {
      let asks = cursor == 0 ? "names no cursor" : "asks from \(Words.pseudonym(cursor))"
      return
        "the client: \(place(line, index)) \(asks), though \(Words.pseudonym(stream.committed)) was committed"
    }
    stream.asked = cursor == 0 ? nil : cursor
    return nil
  }

  private func place(_ line: TraceLine, _ index: Int) -> String {
    "\(words.channel(line.channel, line.generation)) (line \(trace.lineNumber(at: index)))"
  }
}

// MARK: - Against a golden

extension StreamDiagnosis {
  /// The layer behind a difference, a line each; never empty.
  func layers(_ comparison: Comparison) -> [String] {
    var found = findings
    found += endings(comparison)
    if let twice = twice(comparison.got) { found.append(twice) }
    return Self.told(found)
  }

  /// The findings as lines of a report; where there is none, what is left.
  static func told(_ findings: [String]) -> [String] {
    guard findings.isEmpty else { return findings.map { "layer at fault: " + $0 } }
    return [
      "layer at fault: the trace shows it in none of the client's cursor, the server's filter, the end of a stream and "
        + "the deduplication; the network is next, a simulator last"
    ]
  }

  /// A delivery that is gone, the last of a connection which ended amid a block.
  private func endings(_ comparison: Comparison) -> [String] {
    var found: [String] = []
    for pair in comparison.pairs where pair.got == nil {
      guard let place = pair.want, comparison.want[place].action == .deliver else { continue }
      let gone = comparison.want[place]
      let isLast = !comparison.want[(place + 1)...].contains { other in
        other.action == .deliver && other.channel == gone.channel && other.generation == gone.generation
      }
      guard isLast, let (line, index) = unfinished(gone) else { continue }
      found.append(
        "the parser at the end of the stream: \(self.place(line, index)) ended amid a block, and only its last event is "
          + "missing")
    }
    return Array(found.prefix(1))
  }

  private func unfinished(_ gone: GoldenLine) -> (TraceLine, Int)? {
    for (index, line) in trace.lines.enumerated() where line.channel == gone.channel {
      guard line.generation == gone.generation, case .sseCut(_, _, let partial) = line.event else { continue }
      if partial > 0 { return (line, index) }
    }
    return nil
  }

  /// An id that is delivered twice now.
  private func twice(_ lines: [GoldenLine]) -> String? {
    var seen: Set<String> = []
    for line in lines where line.action == .deliver {
      guard let id = line.id, id != 0, let channel = line.channel else { continue }
      guard !seen.insert("\(channel) \(id)").inserted else { continue }
      let connection = words.channel(channel, line.generation)
      return "the deduplication: \(connection) delivers \(Words.pseudonym(id)) twice"
    }
    return nil
  }
}
