internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTrace

/// Keys and values as JSON, each key with a comma before it.
struct ForeignKeys {
  private(set) var bytes: [UInt8]

  init(_ event: String) { bytes = Array(",\"event\":\"\(event)\"".utf8) }

  mutating func put(_ key: String, _ number: Int?) { if let number { bytes.put(",\"\(key)\":\(number)") } }
  mutating func put(_ key: String, _ flag: Bool) { bytes.put(",\"\(key)\":\(flag)") }
  mutating func put(_ key: String, word: String) { bytes.put(",\"\(key)\":\"\(word)\"") }
  mutating func put(_ key: String, pseudonym: Int?) {
    if let pseudonym { put(key, word: pseudonym == 0 ? "" : "e\(pseudonym)") }
  }

  /// The head of a response; a date counts seconds from the midnight before the recording, `wall` microseconds.
  mutating func put(_ answer: Answer) {
    put("status", answer.status)
    switch answer.retryAfter {
    case .absent: break
    case .seconds(let seconds): put("retryAfter", Int(min(seconds, UInt64(TraceLimits.number))))
    case .date(let seconds, _): put("retryAt", seconds)
    case .invalid(let reason): put("retryBad", word: reason.rawValue)
    }
    put("date", answer.date)
    put("age", answer.age)
    put("wall", answer.wall)
  }
}

/// The events and actions of retries as JSON.
enum RequestCoding: ForeignCoding {
  static func bytes(_ event: Retry.Event) -> [UInt8] {
    switch event {
    case .session(let number):
      var keys = ForeignKeys("session")
      keys.put("session", number)
      return keys.bytes
    case .start(let request):
      var keys = ForeignKeys("start")
      keys.put("replayable", request.isReplayable)
      return keys.bytes
    case .resume(let request, let attempt, let until):
      var keys = ForeignKeys("resume")
      keys.put("replayable", request.isReplayable)
      keys.put("try", attempt)
      keys.put("until", until)
      return keys.bytes
    case .answered(let attempt, let answer):
      var keys = ForeignKeys("answered")
      keys.put("try", attempt)
      keys.put(answer)
      keys.put("unit", answer.unit)
      return keys.bytes
    case .hop(let attempt): return numbered("hop", attempt)
    case .changed(let attempt): return numbered("changed", attempt)
    case .failed(let attempt, let failure):
      var keys = ForeignKeys("failed")
      keys.put("try", attempt)
      keys.put("why", word: failure.cause.rawValue)
      keys.put("bodyBegun", failure.bodyBegun)
      keys.put("unit", failure.unit)
      return keys.bytes
    case .cancel: return ForeignKeys("cancel").bytes
    }
  }

  private static func numbered(_ word: String, _ attempt: Int) -> [UInt8] {
    var keys = ForeignKeys(word)
    keys.put("try", attempt)
    return keys.bytes
  }

  static func action(_ line: GoldenLine) -> Retry.Action? {
    switch line.action {
    case .send: return line.attempt.map { .send($0) }
    case .wait:
      guard let wait = line.wait, let attempt = line.attempt else { return nil }
      return .wait(for: wait, attempt: attempt)
    case .stop:
      let outcomes: [Retry.Outcome] = [
        .delivered, .notRetryable, .notReplayable, .budget, .deferred, .cancelled, .stale, .transport(.other),
      ]
      return outcomes.first { $0.word == line.why?.description }.map { .stop($0) }
    default: return nil
    }
  }

  static func follow(_ event: Retry.Event, _ track: inout ForeignTrack) {
    switch event {
    case .start: track.tell(attempt: 1)
    // The send that is still to come.
    case .resume(_, let attempt, _): track.tell(attempt: attempt - 1)
    case .answered(let attempt, _), .failed(let attempt, _), .hop(let attempt), .changed(let attempt):
      track.tell(attempt: attempt)
    case .session, .cancel: break
    }
  }

  static func follow(_ line: GoldenLine, _ track: inout ForeignTrack) {}
}

/// An event stream's events and actions as JSON.
enum StreamCoding: ForeignCoding {
  static func bytes(_ event: EventStream.Event) -> [UInt8] {
    var keys: ForeignKeys
    switch event {
    case .connect(let generation, let cursor):
      keys = ForeignKeys("connect")
      keys.put("gen", generation)
      keys.put("cursor", pseudonym: cursor)
    case .answered(let generation, let answer, let isEventStream):
      keys = ForeignKeys("answered")
      keys.put("gen", generation)
      keys.put(answer)
      keys.put("eventStream", isEventStream)
    case .event(let generation, let block):
      keys = ForeignKeys("block")
      keys.put("gen", generation)
      keys.put("n", block.n)
      keys.put("id", pseudonym: block.id)
      keys.put("rev", block.revision)
    case .id(let generation, let id):
      keys = ForeignKeys("id")
      keys.put("gen", generation)
      keys.put("id", pseudonym: id)
    case .comment(let generation):
      keys = ForeignKeys("comment")
      keys.put("gen", generation)
    case .retry(let generation, let milliseconds):
      keys = ForeignKeys("retry")
      keys.put("gen", generation)
      keys.put("ms", milliseconds)
    case .handled(let generation, let n, let succeeded):
      keys = ForeignKeys("handled")
      keys.put("gen", generation)
      keys.put("n", n)
      keys.put("ok", succeeded)
    case .cut(let generation):
      keys = ForeignKeys("cut")
      keys.put("gen", generation)
    case .cancel: keys = ForeignKeys("cancel")
    }
    return keys.bytes
  }

  static func action(_ line: GoldenLine) -> EventStream.Action? {
    switch line.action {
    case .connect: .connect(cursor: line.cursor ?? 0)
    case .deliver: line.n.map { .deliver($0) }
    case .skip: line.n.map { .skip($0) }
    case .commit: line.cursor.map { .commit(cursor: $0) }
    case .stop: line.why.flatMap { EventStream.Stop(rawValue: $0.description) }.map { .stop($0) }
    case .note: line.why.flatMap { EventStream.Note(rawValue: $0.description) }.map { .note($0) }
    default: nil
    }
  }

  static func follow(_ event: EventStream.Event, _ track: inout ForeignTrack) {
    switch event {
    case .connect(let generation, let cursor):
      track.begin(generation)
      track.tell(name: cursor)
    case .event(let generation, let block):
      track.tell(generation: generation)
      track.tell(event: block.n, of: generation)
      track.tell(name: block.id)
    case .id(let generation, let id):
      track.tell(generation: generation)
      track.tell(name: id)
    case .answered(let generation, _, _), .comment(let generation), .retry(let generation, _),
      .handled(let generation, _, _), .cut(let generation):
      track.tell(generation: generation)
    case .cancel: break
    }
  }

  static func follow(_ line: GoldenLine, _ track: inout ForeignTrack) {}
}
