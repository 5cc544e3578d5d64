import GoldwireMachines
import GoldwireProtocols
import GoldwireTrace

/// Reads the events of the conversation, as a program of another language does.
enum SpokenEvents {
  private static func whole(_ message: JSONValue, _ key: String) throws -> Int? {
    try message[key]?.whole(in: -TraceLimits.number...TraceLimits.number)
  }

  private static func name(_ message: JSONValue, _ key: String) throws -> Int? {
    guard let text = try message[key]?.string() else { return nil }
    return text.isEmpty ? 0 : try present(Int(text.dropFirst()))
  }

  static func heartbeat(_ message: JSONValue) throws -> Heartbeat.Event {
    let generation = try whole(message, "gen")
    let id = try whole(message, "id")
    switch try present(message["event"]).string() {
    case "connect": return .connect(try present(generation))
    case "resume": return .resume(try present(generation), pingID: try whole(message, "ping"))
    case "opened": return .opened(try present(generation))
    case "pong": return .pong(try present(generation), id: id)
    case "pinged": return .pinged(try present(generation), id: id, try present(message["result"]).word())
    case "inbound": return .inbound(try present(generation))
    case "ended":
      return .ended(
        try present(generation), try present(message["why"]).word(), code: try whole(message, "code"))
    case "userClose": return .userClose(try present(generation))
    case "background": return .background
    case "foreground": return .foreground
    case "network": return .network(available: try present(message["available"]).bool())
    default: throw Lacking()
    }
  }

  private static func answer(_ message: JSONValue) throws -> Answer {
    var retryAfter = RetryAfter.absent
    if let seconds = try whole(message, "retryAfter") { retryAfter = .seconds(UInt64(seconds)) }
    if let at = try whole(message, "retryAt") { retryAfter = .date(at, .imf) }
    if let bad = try message["retryBad"]?.word(RetryAfter.Reason.self) { retryAfter = .invalid(bad) }
    return Answer(
      status: try present(whole(message, "status")), retryAfter: retryAfter, date: try whole(message, "date"),
      age: try whole(message, "age"), wall: try whole(message, "wall"),
      unit: try whole(message, "unit") ?? 1_000_000)
  }

  private static func request(_ message: JSONValue) throws -> Retry.Request {
    let isReplayable = try present(message["replayable"]).bool()
    return Retry.Request(
      isSafe: isReplayable, serverKeepsKeys: false, hasKey: false, bodyIsRepeatable: true)
  }

  static func retry(_ message: JSONValue) throws -> Retry.Event {
    let attempt = try whole(message, "try")
    switch try present(message["event"]).string() {
    case "session": return .session(try present(whole(message, "session")))
    case "start": return .start(try request(message))
    case "resume":
      return .resume(
        try request(message), attempt: try present(attempt), until: try present(whole(message, "until")))
    case "answered": return .answered(try present(attempt), try answer(message))
    case "hop": return .hop(try present(attempt))
    case "changed": return .changed(try present(attempt))
    case "failed":
      return .failed(
        try present(attempt),
        Retry.Failure(
          try present(message["why"]).word(), bodyBegun: try present(message["bodyBegun"]).bool(),
          unit: try present(whole(message, "unit"))))
    case "cancel": return .cancel
    default: throw Lacking()
    }
  }

  static func stream(_ message: JSONValue) throws -> EventStream.Event {
    let generation = try whole(message, "gen")
    switch try present(message["event"]).string() {
    case "connect": return .connect(try present(generation), cursor: try name(message, "cursor"))
    case "answered":
      return .answered(
        try present(generation), try answer(message),
        isEventStream: try present(message["eventStream"]).bool())
    case "block":
      return .event(
        try present(generation),
        EventStream.Block(
          n: try present(whole(message, "n")), id: try name(message, "id"),
          revision: try present(whole(message, "rev"))))
    case "id": return .id(try present(generation), try present(name(message, "id")))
    case "comment": return .comment(try present(generation))
    case "retry": return .retry(try present(generation), milliseconds: try present(whole(message, "ms")))
    case "handled":
      return .handled(
        try present(generation), n: try present(whole(message, "n")),
        succeeded: try present(message["ok"]).bool())
    case "cut": return .cut(try present(generation))
    case "cancel": return .cancel
    default: throw Lacking()
    }
  }
}
