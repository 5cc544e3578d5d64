internal import GoldwireTrace

// Reading what is done with a request.
extension AnswerBehaviour {
  static let keys = [
    "do", "status", "after", "jitter", "retryAfter", "date", "age", "location", "body", "type", "cut", "end",
    "network",
  ]

  init(_ value: JSONValue, _ scale: Int) throws(TraceError) {
    self.init()
    try read(ScriptObject(value, Self.keys, scale: scale))
    body = try ScriptObject(value, Self.keys, scale: scale).whole("body", in: 0...ScriptLimits.payload) ?? 0
    cut = try ScriptObject(value, Self.keys, scale: scale).whole("cut", in: 0...ScriptLimits.payload)
  }

  /// Reads what requests of every kind have.
  mutating func read(_ object: ScriptObject) throws(TraceError) {
    deed = try object.word("do") ?? .answer
    status = try object.whole("status", in: 200...599) ?? 200
    delay = try object.delay()
    hasDate = try object.bool("date") ?? true
    age = try object.whole("age", in: 0...TraceLimits.number)
    location = try object.text("location")
    if let type = try object.text("type") { self.type = type }
    end = try object.word("end") ?? end
    network = try object.list("network", NetworkFault.reading(object.scale))
    guard let retry = object["retryAfter"] else { return }
    switch retry.content {
    case .string(let text): retryAfter = .text(text)
    case .whole(let seconds): retryAfter = .text(String(seconds))
    default:
      // A date has whole seconds, so that its distance is not scaled.
      let given = try ScriptObject(retry, ["in", "ago", "form"], scale: 1_000_000)
      let ago = try given.span("ago")
      guard let span = try given.span("in") ?? ago.map({ -$0 }) else {
        throw retry.error("expected \"in\" or \"ago\", how far the date is")
      }
      retryAfter = .date(seconds: span / 1_000_000, form: try given.word("form") ?? .imf)
    }
  }
}

// Reading what is done with a request for an event stream.
extension StreamBehaviour {
  private enum SplitWord: String, CaseIterable {
    case character, lineEnd, bytes
  }

  init(_ value: JSONValue, _ scale: Int) throws(TraceError) {
    self.init()
    let keys =
      AnswerBehaviour.keys.filter { $0 != "body" }
      + ["events", "resume", "ids", "cutQuery", "inside", "gap", "generate", "endAfter", "live"]
    let object = try ScriptObject(value, keys, scale: scale)
    try answer.read(object)
    blocks = try object.list("events") { (value) throws(TraceError) in try Block(value, scale) }
    if let generate = object["generate"] { blocks += try Self.generated(generate, scale) }
    resumes = try object.bool("resume") ?? true
    isLive = try object.bool("live") ?? false
    hasNumberedIDs = try object.word("ids", IDWord.self) == .numbers
    obeysCut = try object.bool("cutQuery") ?? false
    cut = try object.whole("cut", in: 0...TraceLimits.number)
    inside = try object.whole("inside", in: 0...ScriptLimits.payload) ?? 0
    gap = try object.span("gap") ?? gap
    endDelay = Delay(base: try object.span("endAfter") ?? 0)
  }

  private enum IDWord: String, CaseIterable {
    case texts, numbers
  }

  /// Events with the ids 1, 2, … and as many bytes of data each.
  private static func generated(_ value: JSONValue, _ scale: Int) throws(TraceError) -> [Block] {
    let object = try ScriptObject(value, ["count", "bytes", "every"], scale: scale)
    let count = try object.whole("count", in: 1...ScriptLimits.elements) ?? 1
    let bytes = try object.whole("bytes", in: 0...ScriptLimits.text) ?? 16
    let every = try object.span("every") ?? 0
    return (1...count).map { number in
      let text = String(number)
      let filler = String(repeating: ".", count: max(0, bytes - text.utf8.count))
      return Block(id: text, data: text + filler, delay: Delay(base: number == 1 ? 0 : every))
    }
  }

  fileprivate static func split(_ value: JSONValue?) throws(TraceError) -> Split {
    guard let value else { return .none }
    if case .whole = value.content { return .at(try value.whole(in: 1...ScriptLimits.text)) }
    switch try value.word(SplitWord.self) {
    case .character: return .character
    case .lineEnd: return .lineEnd
    case .bytes: return .bytes
    }
  }
}

extension StreamBehaviour.Block {
  init(_ value: JSONValue, _ scale: Int) throws(TraceError) {
    let object = try ScriptObject(
      value, ["id", "event", "data", "comment", "retry", "after", "jitter", "split", "lineEnd"], scale: scale)
    self.init()
    id = try object.text("id")
    event = try object.text("event")
    data = try object.text("data")
    comment = try object.text("comment")
    retry = try object.whole("retry", in: 0...2_147_483_647)
    delay = try object.delay()
    split = try StreamBehaviour.split(object["split"])
    lineEnd = try object.word("lineEnd") ?? .lf
    guard id != nil || event != nil || data != nil || comment != nil || retry != nil else {
      throw value.error("expected id, event, data, comment or retry")
    }
  }
}
