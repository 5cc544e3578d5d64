import Testing

@testable import GoldwireTrace

/// What a cut pins, and that its result is a trace of its own.
@Suite struct TraceCutTests {
  /// A recording; or a written trace, of which a machine may be asked with whatever parameters.
  private func trace(_ lines: String, isWritten: Bool = false, more: String = "") throws -> Trace {
    let header =
      TraceReaderTests.header.replacing("written", with: isWritten ? "written" : "tap")
      .replacing("}", with: more + "}")
    return try Trace(bytes: Array((header + lines + "\n").utf8))
  }

  private func cut(_ trace: Trace, _ span: ClosedRange<Int>, _ channels: Set<Channel>? = nil) throws -> String
  {
    let result = try TraceCut(channels: channels, span: span, tool: "hand").apply(to: trace)
    let bytes = result.bytes()
    #expect(try Trace(bytes: bytes).lines == result.lines)
    #expect(try TraceAudit.findings(in: bytes) == [])
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  private static let socket = """
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
    {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
    {"t":20,"ev":"app.background"}
    {"t":30,"ev":"app.foreground"}
    {"t":40,"ch":"ws2","gen":1,"ev":"ws.connect"}
    {"t":100,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1}
    {"t":110,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1}
    {"t":150,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":5}
    {"t":200,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2}
    {"t":210,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":2}
    {"t":300,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":3}
    {"t":310,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":3}
    {"t":320,"ch":"ws1","gen":1,"ev":"ws.end","cause":"fin","dir":"in"}
    {"t":400,"ch":"ws1","gen":2,"ev":"ws.connect"}
    {"t":500,"ev":"rec.end","why":"stopped"}
    """

  @Test("a live session keeps connect, open, a gap, its last ping and what came of it")
  func session() throws {
    #expect(
      try cut(trace(Self.socket), 250...305, [Channel(.ws, 1)]) == """
        {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
        {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
        {"t":10,"ch":"ws1","gen":1,"ev":"rec.gap","why":"cut"}
        {"t":20,"ev":"app.background"}
        {"t":30,"ev":"app.foreground"}
        {"t":200,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2}
        {"t":210,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":2}
        {"t":300,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":3}
        {"t":305,"ev":"rec.end","why":"limit"}
        """)
  }

  @Test("no gap stands where nothing was left out")
  func nothingLost() throws {
    #expect(
      try cut(trace(Self.socket), 120...160, [Channel(.ws, 1)]) == """
        {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
        {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
        {"t":20,"ev":"app.background"}
        {"t":30,"ev":"app.foreground"}
        {"t":100,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1}
        {"t":110,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1}
        {"t":150,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":5}
        {"t":160,"ev":"rec.end","why":"limit"}
        """)
  }

  @Test("of a session that is over nothing is pinned, and the trace's own end stays")
  func over() throws {
    #expect(
      try cut(trace(Self.socket), 350...10_000, [Channel(.ws, 1)]) == """
        {"t":20,"ev":"app.background"}
        {"t":30,"ev":"app.foreground"}
        {"t":400,"ch":"ws1","gen":2,"ev":"ws.connect"}
        {"t":500,"ev":"rec.end","why":"stopped"}
        """)
  }

  @Test("the whole span is the whole trace")
  func whole() throws {
    #expect(try cut(trace(Self.socket), 0...500) == Self.socket)
  }

  @Test("a request under way keeps all its lines, another none")
  func requests() throws {
    let lines = """
      {"t":0,"ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET"}
      {"t":5,"ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":200}
      {"t":10,"ch":"http1","gen":1,"ev":"http.send","req":2,"try":1,"method":"POST","key":"k1"}
      {"t":11,"ch":"http1","gen":1,"ev":"http.send","req":3,"try":1,"method":"POST","replayable":true,"key":"k2"}
      {"t":15,"ch":"http1","gen":1,"ev":"http.response","req":3,"try":1,"status":503,"retryAfter":1}
      {"t":15,"ch":"http1","ev":"http.wait","req":3,"try":2,"for":1000,"unit":500000}
      {"t":1015,"ch":"http1","gen":2,"ev":"http.send","req":3,"try":2,"method":"POST","replayable":true,"key":"k2"}
      """
    #expect(
      try cut(trace(lines), 100...500) == """
        {"t":10,"ch":"http1","gen":1,"ev":"http.send","req":2,"try":1,"method":"POST","key":"k1"}
        {"t":11,"ch":"http1","gen":1,"ev":"http.send","req":3,"try":1,"method":"POST","replayable":true,"key":"k2"}
        {"t":15,"ch":"http1","gen":1,"ev":"http.response","req":3,"try":1,"status":503,"retryAfter":1}
        {"t":15,"ch":"http1","ev":"http.wait","req":3,"try":2,"for":1000,"unit":500000}
        {"t":500,"ev":"rec.end","why":"limit"}
        """)
  }

  @Test("a request that still waits is kept, though nothing of it comes later")
  func waitingRequest() throws {
    let lines = """
      {"t":0,"ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET"}
      {"t":5,"ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":503}
      {"t":5,"ch":"http1","ev":"http.wait","req":1,"try":2,"for":600,"unit":200000}
      {"t":6,"ch":"http1","gen":1,"ev":"http.send","req":2,"try":1,"method":"GET"}
      {"t":7,"ch":"http1","gen":1,"ev":"http.response","req":2,"try":1,"status":503}
      {"t":7,"ch":"http1","ev":"http.stop","req":2,"why":"budget"}
      {"t":900,"ev":"rec.end","why":"stopped"}
      """
    let kept = try cut(trace(lines), 100...900).split(separator: "\n")
    #expect(kept.count == 4)
    #expect(kept.allSatisfy { !$0.contains("\"req\":2") })
  }

  @Test("where a session's pings are the machine's own, all since its connect is kept, without a hole")
  func silentPings() throws {
    let lines = """
      {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
      {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
      {"t":115,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in"}
      {"t":215,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in"}
      {"t":300,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out"}
      {"t":900,"ev":"rec.end","why":"stopped"}
      """
    for isWritten in [true, false] {
      let kept = try cut(trace(lines, isWritten: isWritten), 216...900)
      #expect(kept == lines)
    }
    #expect(try cut(trace(lines, isWritten: true), 400...900) == lines)
    #expect(try cut(trace(lines), 400...900).contains("rec.gap"))
  }

  @Test("an end that the recorded client made by itself is no end of a machine with a longer timeout")
  func ownEnd() throws {
    let lines = """
      {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
      {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
      {"t":400,"ch":"ws1","gen":1,"ev":"ws.end","cause":"fin","dir":"out"}
      {"t":900,"ev":"rec.end","why":"stopped"}
      """
    #expect(try cut(trace(lines, isWritten: true), 500...900) == lines)
  }

  @Test("where heartbeats are messages, a ping frame is none")
  func beats() throws {
    let lines = """
      {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
      {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
      {"t":20,"ch":"ws1","gen":1,"ev":"ws.message","dir":"out","kind":"text","bytes":1,"beat":"ping","id":1}
      {"t":30,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1}
      {"t":900,"ev":"rec.end","why":"stopped"}
      """
    let kept = try cut(trace(lines, more: ",\"beats\":\"engine.io\""), 40...900)
    #expect(kept.contains("\"beat\":\"ping\"") && kept.contains("\"ev\":\"ws.ping\""))
  }

  @Test("a pause that lasts beyond the span ends with it, and one that began before it stays whole")
  func pauses() throws {
    let lines = """
      {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
      {"t":500,"ev":"rec.pause","for":300,"slept":300}
      {"t":900,"ev":"rec.pause","for":200,"slept":50}
      {"t":950,"ev":"rec.end","why":"stopped"}
      """
    #expect(
      try cut(trace(lines), 0...400).contains("{\"t\":400,\"ev\":\"rec.pause\",\"for\":200,\"slept\":200}"))
    #expect(
      try cut(trace(lines), 300...800).contains("{\"t\":500,\"ev\":\"rec.pause\",\"for\":300,\"slept\":300}"))
    #expect(try cut(trace(lines), 300...800).contains("{\"t\":800,\"ev\":\"rec.pause\",\"for\":100}"))
    #expect(try !cut(trace(lines), 0...200).contains("rec.pause"))
  }

  private static let stream = """
    {"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}
    {"t":1,"ch":"sse1","gen":1,"ev":"sse.open","status":200}
    {"t":2,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":3}
    {"t":9,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0}
    {"t":3009,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e1"}
    {"t":3010,"ch":"sse1","gen":2,"ev":"sse.open","status":200}
    {"t":3020,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e2","bytes":3}
    {"t":6000,"ch":"sse1","gen":2,"ev":"sse.cut","cause":"reset","dir":"in","partial":4}
    {"t":9000,"ch":"sse1","gen":3,"ev":"sse.connect","cursor":"e2"}
    {"t":9001,"ch":"sse1","gen":3,"ev":"sse.open","status":200}
    {"t":9020,"ch":"sse1","gen":3,"ev":"sse.event","n":1,"id":"e3","bytes":3}
    """

  /// The first line of a cut of the stream, with another line in place of one of its own.
  private func first(_ old: String = "", _ new: String = "", isWritten: Bool = false) throws -> Substring? {
    let lines = old.isEmpty ? Self.stream : Self.stream.replacing(old, with: new)
    return try cut(trace(lines, isWritten: isWritten), 9010...12_000).split(separator: "\n").first
  }

  @Test("a stream keeps all from its last connect on")
  func stream() throws {
    #expect(
      try cut(trace(Self.stream), 9010...12_000) == """
        {"t":9000,"ch":"sse1","gen":3,"ev":"sse.connect","cursor":"e1"}
        {"t":9001,"ch":"sse1","gen":3,"ev":"sse.open","status":200}
        {"t":9020,"ch":"sse1","gen":3,"ev":"sse.event","n":1,"id":"e2","bytes":3}
        {"t":9020,"ev":"rec.end","why":"limit"}
        """)
  }

  @Test("a stream keeps all from the connection on that still counts")
  func streamHistory() throws {
    let two = "{\"t\":3009,\"ch\":\"sse1\",\"gen\":2,\"ev\":\"sse.connect\",\"cursor\":\"e1\"}"
    let event = "\"gen\":2,\"ev\":\"sse.event\",\"n\":1,\"id\":\"e2\",\"bytes\":3}"
    let retry = event + "\n{\"t\":3020,\"ch\":\"sse1\",\"gen\":2,\"ev\":\"sse.retry\",\"ms\":5000}"
    #expect(try first(event, retry)?.contains("\"t\":3009,") == true)
    #expect(try first("\"id\":\"e3\"", "\"id\":\"e2\"")?.contains("\"t\":3009,") == true)
    let failed = "\n{\"t\":3030,\"ch\":\"sse1\",\"gen\":2,\"ev\":\"sse.handled\",\"n\":1,\"ok\":false}"
    #expect(try first(event, event + failed)?.contains("\"t\":3009,") == true)
    #expect(
      try first(
        "\"t\":3010,\"ch\":\"sse1\",\"gen\":2,\"ev\":\"sse.open\",\"status\":200",
        "\"t\":3010,\"ch\":\"sse1\",\"gen\":2,\"ev\":\"sse.open\",\"status\":404")?.hasPrefix(
          two.dropLast(16)) == true)
    let handled = "{\"t\":9015,\"ch\":\"sse1\",\"gen\":1,\"ev\":\"sse.handled\",\"n\":1,\"ok\":true}\n"
    let last = "{\"t\":9020,"
    #expect(try first(last, handled + last)?.contains("\"t\":0,") == true)
    #expect(try first(isWritten: true)?.contains("\"t\":0,") == true)
  }

  @Test("the header names the tool that made the cut, never another's")
  func tool() throws {
    var whole = try trace(Self.stream)
    whole.header.tool = "canary 4929123456789012"
    #expect(
      try TraceCut(span: 0...9, tool: "goldwire 9.9.9").apply(to: whole).header.tool == "goldwire 9.9.9")
  }

  @Test("a request whose last wait is known only by what comes after the span is counted")
  func openRequest() throws {
    let lines = """
      {"t":0,"ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET"}
      {"t":5,"ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":503}
      {"t":700,"ch":"http1","gen":1,"ev":"http.send","req":1,"try":2,"method":"GET"}
      """
    #expect(try TraceCut(span: 0...100, tool: "hand").openRequests(in: trace(lines)) == 1)
    #expect(try TraceCut(span: 0...700, tool: "hand").openRequests(in: trace(lines)) == 0)
    #expect(try TraceCut(span: 0...4, tool: "hand").openRequests(in: trace(lines)) == 0)
  }

  @Test("a channel that is not there, and a span behind the end, are refused")
  func refused() throws {
    let trace = try trace(Self.socket)
    #expect(throws: TraceError("the trace has none of the channels that were asked for")) {
      try TraceCut(channels: [Channel(.sse, 1)], span: 0...1, tool: "hand").apply(to: trace)
    }
    #expect(throws: TraceError("the span begins after the end of the trace")) {
      try TraceCut(span: 501...600, tool: "hand").apply(to: trace)
    }
  }

  @Test("any cut of a random trace is a trace", arguments: UInt64(0)..<10)
  func random(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    let trace = random.trace(rounds: 2)
    for _ in 0..<20 {
      let begin = random.number(0...trace.horizon)
      let result = try TraceCut(span: begin...max(begin, random.number(0...trace.horizon)), tool: "hand")
        .apply(to: trace)
      #expect(try Trace(bytes: result.bytes()).lines == result.lines)
    }
  }
}
