import GoldwireReplay
import GoldwireTrace

/// Recordings of a reader of one event stream, built a line at a time; instants are in milliseconds.
struct RecordedReader {
  private(set) var lines: [String] = []
  private var connection = 0
  private var n = 0
  /// What was in force, as JSON.
  var inForce = "\"delay\":\"3s\""

  init(inForce: String = "\"delay\":\"3s\"") { self.inForce = inForce }

  private mutating func add(_ t: Int, _ text: String) { lines.append("\(t) sse1#\(connection) \(text)") }

  /// A connection that is asked for, and opens 100 ms later.
  mutating func connect(_ t: Int, cursor: Int? = nil) {
    ask(t, cursor: cursor)
    add(t + 100, "sse.open status=200 type=text/event-stream")
  }

  /// A connection that is asked for.
  mutating func ask(_ t: Int, cursor: Int? = nil) {
    (connection, n) = (connection + 1, 0)
    add(t, "sse.connect" + (cursor.map { " cursor=e\($0)" } ?? ""))
  }

  /// An event whose handler succeeds after so long, or fails.
  mutating func event(_ t: Int, _ id: Int, rev: Int = 1, ok: Bool = true, after span: Int = 0) {
    came(t, id, rev)
    add(t + span, "sse.handled n=\(n) ok=\(ok)")
    if ok { add(t + span, "sse.commit cursor=e\(id)") }
  }

  /// An event that the recorded reader leaves out.
  mutating func leftOut(_ t: Int, _ id: Int, rev: Int = 1) {
    came(t, id, rev)
    add(t, "sse.commit cursor=e\(id)")
  }

  /// An event with other content under the id that came last, which the recorded reader leaves out.
  mutating func conflict(_ t: Int, _ id: Int, rev: Int) { came(t, id, rev) }

  private mutating func came(_ t: Int, _ id: Int, _ rev: Int) {
    n += 1
    add(t, "sse.event n=\(n) id=e\(id) rev=\(rev) bytes=9")
  }

  /// An event without an id.
  mutating func unnamed(_ t: Int) {
    n += 1
    add(t, "sse.event n=\(n) bytes=9")
    add(t, "sse.handled n=\(n) ok=true")
  }

  mutating func line(_ t: Int, _ text: String) { add(t, text) }

  mutating func cut(_ t: Int, _ cause: String = "reset") {
    add(t, "sse.cut cause=\(cause) dir=\(cause == "local" ? "out" : "in") partial=0")
  }

  func trace(until end: Int) throws -> Trace {
    try Written(
      lines: lines + ["\(end) rec.end why=stopped"], source: "tap", unit: "ms",
      header: ",\"inForce\":{\"stream\":{\(inForce)}},\"inForceBy\":\"driver\""
    ).trace()
  }

  /// Asks the recording.
  func asked(_ text: String, until end: Int) throws -> CausalReplay {
    let trace = try trace(until: end)
    var overrides = ParameterTable()
    for word in text.split(separator: " ") { try overrides.set(option: "stream.\(word)") }
    return try CausalReplay(trace, MachineParameters(asking: .stream, of: trace.header, overrides: overrides))
  }
}
