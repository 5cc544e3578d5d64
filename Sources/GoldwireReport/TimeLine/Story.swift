package import GoldwireTrace

/// A line of a trace as the time line tells it.
package struct Entry: Sendable {
  /// The line.
  package var line: TraceLine
  /// It in words.
  package var phrase: Phrase
  /// How it stands to its generation.
  package var standing: Lanes.Standing
  /// The columns of its row.
  package var cells: [Lanes.Cell]
  /// The time since what it answers.
  package var after: Int?
  /// Whether it may be folded with its neighbours: all is well in it.
  package var isOrdinary: Bool
  /// Whether a machine that is drawn beside the recording does the same.
  package var agrees = false
}

/// Follows a trace line by line, and remembers what later lines answer; what it remembers is bounded.
package struct Story: Sendable {
  /// The most questions without an answer that are remembered; beyond them all are forgotten.
  package static let limit = 4_096

  private enum Question: Hashable {
    case connect(Lane)
    case ping(Lane, id: Int?)
    case request(Channel, req: Int, attempt: Int, hop: Int?)
  }

  /// The lanes.
  package private(set) var lanes = Lanes()
  private let unit: Unit
  private var asked: [Question: Int] = [:]
  private var lastPing: [Lane: Question] = [:]

  /// Begins a story in a trace's unit.
  package init(unit: Unit) { self.unit = unit }

  /// Takes the next line.
  package mutating func tell(_ line: TraceLine) -> Entry {
    let unanswered = note(line)
    let after = answer(line)
    var phrase = Phrase(line.event, unit: unit)
    let (cells, standing) = lanes.take(line, phrase.effect)
    switch standing {
    case .current: break
    case .old(let current): if phrase.side != .recorder { phrase.text += ", LATE: \(current) lives" }
    case .ended: if phrase.side != .recorder { phrase.text += ", after its end" }
    }
    if standing != .current { phrase.tone = .late }
    if let unanswered { phrase.text += ", \(unanswered)" }
    return Entry(
      line: line, phrase: phrase, standing: standing, cells: cells, after: after,
      isOrdinary: standing == .current && unanswered == nil && phrase.effect == .none
        && Self.isOrdinary(line.event, after))
  }

  /// Remembers what asks; tells of a ping that was not answered before the next, or before an end.
  private mutating func note(_ line: TraceLine) -> String? {
    guard let lane = Lane(line) else { return nil }
    if asked.count >= Self.limit {
      asked.removeAll(keepingCapacity: true)
      lastPing.removeAll(keepingCapacity: true)
    }
    switch line.event {
    case .wsConnect, .sseConnect:
      asked[.connect(lane)] = line.t
    case .wsPing(.out, let id, _):
      let silent = unanswered(lane, at: line.t)
      let question = Question.ping(lane, id: id)
      lastPing[lane] = question
      asked[question] = line.t
      return silent
    case .wsClose, .wsEnd:
      return unanswered(lane, at: line.t)
    case .httpSend(let send):
      asked[.request(lane.channel, req: send.req, attempt: send.attempt, hop: send.hop)] = line.t
    default: break
    }
    return nil
  }

  /// Says once that the last ping has no answer: `ping 9 unanswered for 5s`.
  private mutating func unanswered(_ lane: Lane, at t: Int) -> String? {
    guard let question = lastPing.removeValue(forKey: lane), let since = asked.removeValue(forKey: question),
      case .ping(_, let id) = question
    else { return nil }
    return
      "\(id.map { "ping \($0)" } ?? "the last ping") unanswered for \(Quantity.span(max(t - since, 0), unit))"
  }

  /// The time since what the line answers.
  private mutating func answer(_ line: TraceLine) -> Int? {
    guard let lane = Lane(line), let question = question(line, lane),
      let t = asked.removeValue(forKey: question)
    else { return nil }
    return max(line.t - t, 0)
  }

  private func question(_ line: TraceLine, _ lane: Lane) -> Question? {
    switch line.event {
    case .wsOpen, .wsRefused, .sseOpen: .connect(lane)
    case .wsPong(.in, nil, _), .wsPinged(nil, _, _): lastPing[lane]
    case .wsPong(.in, let id, _), .wsPinged(let id, _, _): .ping(lane, id: id)
    case .httpResponse(let response):
      (response.status ?? 0) < 200
        ? nil
        : .request(lane.channel, req: response.req, attempt: response.attempt, hop: response.hop)
    case .httpError(let req, let attempt, _, _): .request(lane.channel, req: req, attempt: attempt, hop: nil)
    default: nil
    }
  }

  private static func isOrdinary(_ event: TraceEvent, _ after: Int?) -> Bool {
    switch event {
    case .wsPing, .wsMessage, .sseComment, .recTick, .recLife, .wsPong(.out, _, _): true
    case .wsPong(.in, _, _), .wsPinged(_, .ok, _): after != nil
    case .httpBody(let body): body.done != false && body.differs.isEmpty
    case .sseEvent(_, _, let revision, _): revision <= 1
    case .sseHandled(_, let ok): ok
    case .sseCommit, .sseID: true
    default: false
    }
  }
}
