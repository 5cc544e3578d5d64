internal import GoldwireTrace

// Reading what is done on a WebSocket connection.
extension SocketBehaviour {
  private enum OpeningWord: String, CaseIterable {
    case accept, silent, reset, close
  }

  private enum KillWord: String, CaseIterable {
    case silent, reset, close
  }

  init(_ value: JSONValue, _ scale: Int) throws(TraceError) {
    self.init()
    let object = try ScriptObject(
      value, ["open", "pongs", "steps", "messages", "closing", "pingLimit", "idleLimit", "network"],
      scale: scale)
    if let open = object["open"] { try readOpening(open, scale) }
    let pongs = try object.list("pongs") { (value) throws(TraceError) in try Self.pong(value, scale) }
    if !pongs.isEmpty { self.pongs = pongs }
    steps = try object.list("steps") { (value) throws(TraceError) in try SocketStep(value, scale) }
    echoes = try object.word("messages", MessageWord.self) == .echo
    answersClose = try object.word("closing", ClosingWord.self) != .ignore
    if let limit = object["pingLimit"] {
      let given = try ScriptObject(limit, ["pings", "per", "kill", "code"], scale: scale)
      guard let pings = try given.whole("pings", in: 0...1_000_000), let per = try given.span("per") else {
        throw limit.error("expected \"pings\" and \"per\"")
      }
      pingLimit = PingLimit(pings: pings, per: per, kill: try Self.kill(given, 1008))
    }
    if let limit = object["idleLimit"] {
      let given = try ScriptObject(limit, ["after", "kill", "code"], scale: scale)
      guard let after = try given.span("after"), after > 0 else { throw limit.error("expected \"after\"") }
      idleLimit = IdleLimit(after: after, kill: try Self.kill(given, 1001))
    }
    network = try object.list("network", NetworkFault.reading(scale))
  }

  private enum MessageWord: String, CaseIterable {
    case ignore, echo
  }

  private enum ClosingWord: String, CaseIterable {
    case answer, ignore
  }

  private mutating func readOpening(_ value: JSONValue, _ scale: Int) throws(TraceError) {
    if value["status"] != nil {
      let answer = try AnswerBehaviour(value, scale)
      guard answer.status >= 200 else { throw value.error("expected a status from 200 to 599") }
      openingDelay = answer.delay
      var refusal = answer
      refusal.delay = Delay()
      opening = .refuse(refusal)
      return
    }
    let given = try ScriptObject(value, ["do", "after", "jitter"], scale: scale)
    openingDelay = try given.delay()
    switch try given.word("do", OpeningWord.self) ?? .accept {
    case .accept: opening = .accept
    case .silent: opening = .silent
    case .reset: opening = .reset
    case .close: opening = .close
    }
  }

  private static func pong(_ value: JSONValue, _ scale: Int) throws(TraceError) -> Pong {
    if case .string = value.content { return Pong(kind: try value.word()) }
    let given = try ScriptObject(value, ["do", "after", "jitter"], scale: scale)
    return Pong(kind: try given.word("do") ?? .answer, delay: try given.delay())
  }

  private static func kill(_ object: ScriptObject, _ code: Int) throws(TraceError) -> Kill {
    switch try object.word("kill", KillWord.self) ?? .close {
    case .silent: .silent
    case .reset: .reset
    case .close: .close(code: try object.whole("code", in: 1000...4999) ?? code)
    }
  }
}

extension SocketStep {
  private enum Word: String, CaseIterable {
    case reset, fin, stopReading, read, silent
  }

  private enum Kind: String, CaseIterable {
    case text, binary
  }

  private static let keys = [
    "at", "after", "jitter", "beforePong", "afterPong", "message", "count", "every", "bytes",
    "send", "ping", "pong", "close", "stall", "do",
  ]

  init(_ value: JSONValue, _ scale: Int) throws(TraceError) {
    let object = try ScriptObject(value, Self.keys, scale: scale)
    deed = try Self.deed(object)
    let number = 1...1_000_000_000
    if let ping = try object.whole("beforePong", in: number) {
      trigger = .beforePong(ping)
    } else if let ping = try object.whole("afterPong", in: number) {
      trigger = .afterPong(ping)
    } else if let message = try object.whole("message", in: number) {
      trigger = .message(message)
    }
    let triggers = ["at", "beforePong", "afterPong", "message"].filter { object[$0] != nil }
    guard triggers.count <= 1 else {
      throw object.error("expected one of at, beforePong, afterPong, message")
    }
    delay = try object.delay(object["at"] != nil ? "at" : "after")
    count = try object.whole("count", in: 1...1_000_000) ?? 1
    every = try object.span("every") ?? 0
  }

  private static func deed(_ object: ScriptObject) throws(TraceError) -> Deed {
    let deeds = ["send", "ping", "pong", "close", "stall", "do"].filter { object[$0] != nil }
    guard deeds.count == 1 else {
      throw object.error("expected one of send, ping, pong, close, stall, do")
    }
    switch deeds[0] {
    case "send":
      let isText = try object.word("send", Kind.self) == .text
      return .send(isText: isText, bytes: try object.whole("bytes", in: 0...ScriptLimits.payload) ?? 16)
    case "ping": return .ping(bytes: try object.whole("ping", in: 0...125) ?? 0)
    case "pong": return .pong(bytes: try object.whole("pong", in: 0...125) ?? 0)
    case "close":
      if case .string("none") = object["close"]?.content { return .close(code: nil) }
      return .close(code: try object.whole("close", in: 1000...4999))
    case "stall": return .stall(bytes: try object.whole("stall", in: 2...ScriptLimits.payload) ?? 2)
    default:
      switch try object.word("do", Word.self) ?? .silent {
      case .reset: return .reset
      case .fin: return .fin
      case .stopReading: return .stopReading
      case .read: return .read
      case .silent: return .silent
      }
    }
  }
}
