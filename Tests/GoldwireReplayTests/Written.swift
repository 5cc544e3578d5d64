import GoldwireReplay
import GoldwireTrace

/// A trace written in a test, a line an event: `100 ws1#1 ws.pong dir=in id=1`.
struct Written {
  var source = "written"
  var unit = "ms"
  /// More keys of the header, as JSON with a comma before.
  var header = ""
  var lines: [String]

  init(_ lines: String..., source: String = "written", unit: String = "ms", header: String = "") {
    self.init(lines: lines, source: source, unit: unit, header: header)
  }

  init(lines: [String], source: String = "written", unit: String = "ms", header: String = "") {
    (self.lines, self.source, self.unit, self.header) = (lines, source, unit, header)
  }

  /// The file's text.
  var text: String {
    let clock = source == "written" ? "virtual" : "capture"
    var text =
      "{\"goldwire\":1,\"tool\":\"test\",\"source\":\"\(source)\",\"unit\":\"\(unit)\",\"clock\":\"\(clock)\""
    // Keys stand in the order of the table: those before `at` first.
    let (early, late) = header.contains("\"wall\"") ? (header, "") : ("", header)
    text += early + ",\"at\":\"client\"" + late + "}\n"
    for line in lines { text += Self.json(line) + "\n" }
    return text
  }

  /// The trace.
  func trace() throws -> Trace { try Trace(bytes: Array(text.utf8)) }

  private static func json(_ line: String) -> String {
    var words = line.split(separator: " ")[...]
    var parts = ["\"t\":\(words.removeFirst())"]
    if let place = words.first, !place.contains(".") {
      words.removeFirst()
      let halves = place.split(separator: "#")
      parts.append("\"ch\":\"\(halves[0])\"")
      if halves.count > 1 { parts.append("\"gen\":\(halves[1])") }
    }
    parts.append("\"ev\":\"\(words.removeFirst())\"")
    for word in words {
      let halves = word.split(separator: "=", omittingEmptySubsequences: false)
      let value = String(halves[1])
      let isBare = Int(value) != nil || value == "true" || value == "false" || value.hasPrefix("[")
      parts.append("\"\(halves[0])\":\(isBare ? value : "\"\(value)\"")")
    }
    return "{" + parts.joined(separator: ",") + "}"
  }
}

extension MachineParameters {
  /// Parameters of an option's text: `heartbeat.interval=100ms,heartbeat.timeout=1s`.
  static func of(_ machine: MachineName, _ text: String = "") throws -> MachineParameters {
    var table = ParameterTable()
    for word in text.split(separator: " ") {
      try table.set(option: "\(machine.rawValue).\(word)")
    }
    return try MachineParameters(machine, table[machine] ?? [:])
  }

  /// The heartbeat of the examples: 100 ms and 1 s.
  static func quick(_ more: String = "") throws -> MachineParameters {
    try of(.heartbeat, "interval=100ms timeout=1s " + more)
  }
}

/// Replays a written trace; gives the actions as short text: `100 ws1#1 ping`.
func replayed(
  _ written: Written, _ parameters: MachineParameters, _ tick: TickMode? = nil
) throws -> [String] {
  let trace = try written.trace()
  let options = ReplayOptions(tick: tick ?? .standard(for: trace.header.source))
  return try TraceReplay.replay(trace, parameters, options: options).replayed.short
}

extension Replayed {
  /// The actions as short text.
  var short: [String] { actions.map { $0.line.short } }
}

extension GoldenLine {
  /// The action as short text: `1100 ws1#1 close pongTimeout`.
  var short: String {
    var words = [String(t)]
    if let channel { words.append("\(channel)" + (generation.map { "#\($0)" } ?? "")) }
    if let req { words.append("r\(req)") }
    words.append(action.description)
    if let attempt { words.append("try=\(attempt)") }
    if let n { words.append("n=\(n)") }
    if let id { words.append("id=e\(id)") }
    if let cursor { words.append("cursor=e\(cursor)") }
    if let wait { words.append("for=\(wait)") }
    if let why { words.append(why.description) }
    if let code { words.append("\(code)") }
    return words.joined(separator: " ")
  }
}
