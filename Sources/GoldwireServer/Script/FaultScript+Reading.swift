public import GoldwireTrace

// Reading a script.
extension FaultScript {
  /// Reads a script.
  ///
  /// `scale` multiplies all times, in millionths, in place of the script's own. Throws a ``TraceError`` that names line,
  /// column and what was expected there; an unknown key is an error, since it is a misspelt one.
  public init(json bytes: [UInt8], scale: Int? = nil) throws(TraceError) {
    guard bytes.count <= ScriptLimits.bytes else {
      throw TraceError("expected a script of at most \(ScriptLimits.bytes) bytes")
    }
    let value = try JSONValue.parse(bytes)
    let keys = ["script", "seed", "scale", "ends", "accepts", "network", "restarts", "refusedPort", "rules"]
    let plain = try ScriptObject(value, keys, scale: 1_000_000)
    guard let version = try plain.whole("script", in: 1...1) else {
      throw value.error("expected \"script\":1, the version of the language")
    }
    _ = version
    let own = try Self.scale(plain["scale"])
    let object = try ScriptObject(value, keys, scale: scale ?? own)
    seed = UInt64(try object.whole("seed", in: 0...TraceLimits.number) ?? 0)
    if let ends = object["ends"] {
      let given = try ScriptObject(ends, ["connections", "after"], scale: object.scale)
      self.ends = Ends(
        connections: try given.whole("connections", in: 1...1_000_000_000), after: try given.span("after"))
    }
    let accepts = try object.list("accepts") { (value) throws(TraceError) in
      try value.word(Acceptance.self)
    }
    if !accepts.isEmpty { self.accepts = accepts }
    network = try object.list("network", NetworkFault.reading(object.scale))
    let scale = object.scale
    restarts = try object.list("restarts") { (value) throws(TraceError) in
      let given = try ScriptObject(value, ["at", "for"], scale: scale)
      guard let at = try given.span("at") else { throw value.error("expected \"at\", when it restarts") }
      return Restart(at: at, lasts: try given.span("for") ?? 0)
    }
    restarts.sort { $0.at < $1.at }
    hasRefusedPort = try object.bool("refusedPort") ?? false
    rules = try object.list("rules") { (value) throws(TraceError) in try FaultRule(value, scale) }
  }

  /// A scale in millionths: a number from 0.0001 to 1000.
  private static func scale(_ value: JSONValue?) throws(TraceError) -> Int {
    guard let value else { return 1_000_000 }
    switch value.content {
    case .whole(let number) where (1...1000).contains(number): return number * 1_000_000
    case .decimal(let number) where (0.0001...1000).contains(number):
      return Int((number * 1_000_000).rounded())
    default: throw value.error("expected a number from 0.0001 to 1000")
    }
  }
}

extension FaultRule {
  init(_ value: JSONValue, _ scale: Int) throws(TraceError) {
    let object = try ScriptObject(value, ["path", "websocket", "http", "events"], scale: scale)
    self.init()
    if let path = try object.text("path") {
      guard path.hasPrefix("/") || path == "*" else {
        throw value.error("expected a path that begins with /")
      }
      self.path = path
    }
    webSocket = try object.list("websocket") { (value) throws(TraceError) in
      try SocketBehaviour(value, scale)
    }
    http = try object.list("http") { (value) throws(TraceError) in try AnswerBehaviour(value, scale) }
    events = try object.list("events") { (value) throws(TraceError) in try StreamBehaviour(value, scale) }
    if webSocket.isEmpty, http.isEmpty, events.isEmpty {
      throw value.error("expected \"websocket\", \"http\" or \"events\": what is done at the path")
    }
  }
}

extension NetworkFault {
  /// A reader of faults with scaled times.
  static func reading(_ scale: Int) -> (JSONValue) throws(TraceError) -> NetworkFault {
    { (value) throws(TraceError) in
      let object = try ScriptObject(
        value, ["from", "until", "way", "hole", "rto", "syn", "delay", "jitter"], scale: scale)
      var fault = NetworkFault()
      fault.from = try object.span("from") ?? 0
      fault.until = try object.span("until")
      fault.way = try object.word("way") ?? .both
      fault.isHole = try object.bool("hole") ?? false
      fault.rto = try object.span("rto") ?? max(1, 200_000 * scale / 1_000_000)
      fault.firstRTO = try object.span("syn")
      fault.delay = try object.delay("delay")
      if let until = fault.until, until < fault.from {
        throw value.error("expected \"until\" not before \"from\"")
      }
      return fault
    }
  }
}
