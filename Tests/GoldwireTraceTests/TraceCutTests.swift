import Testing

@testable import GoldwireTrace

/// What a cut pins, and that its result is a trace of its own.
@Suite struct TraceCutTests {
  private func trace(_ lines: String) throws -> Trace {
    try Trace(bytes: Array((TraceReaderTests.header + lines + "\n").utf8))
  }

  private func cut(_ trace: Trace, _ span: ClosedRange<Int>, _ channels: Set<Channel>? = nil) throws -> String
  {
    let result = try TraceCut(channels: channels, span: span).apply(to: trace)
    let bytes = result.bytes()
    #expect(try Trace(bytes: bytes).lines == result.lines)
    #expect(try TraceAudit.findings(in: bytes) == [])
    #expect(result.header == trace.header)
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
        {"t":11,"ch":"http1","gen":1,"ev":"http.send","req":3,"try":1,"method":"POST","replayable":true,"key":"k1"}
        {"t":15,"ch":"http1","gen":1,"ev":"http.response","req":3,"try":1,"status":503,"retryAfter":1}
        {"t":15,"ch":"http1","ev":"http.wait","req":3,"try":2,"for":1000,"unit":500000}
        {"t":500,"ev":"rec.end","why":"limit"}
        """)
  }

  @Test("a stream keeps its last connect and all since, and the last retry before that")
  func stream() throws {
    let lines = """
      {"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}
      {"t":1,"ch":"sse1","gen":1,"ev":"sse.open","status":200}
      {"t":2,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":3}
      {"t":2,"ch":"sse1","gen":1,"ev":"sse.retry","ms":5000}
      {"t":3,"ch":"sse1","gen":1,"ev":"sse.event","n":2,"id":"e2","bytes":3}
      {"t":9,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0}
      {"t":5009,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2"}
      {"t":5010,"ch":"sse1","gen":2,"ev":"sse.open","status":200}
      {"t":5020,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e3","bytes":3}
      {"t":6000,"ch":"sse1","gen":2,"ev":"sse.cut","cause":"reset","dir":"in","partial":4}
      {"t":11000,"ch":"sse1","gen":3,"ev":"sse.connect","cursor":"e3"}
      """
    #expect(
      try cut(trace(lines), 6500...12_000) == """
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}
        {"t":1,"ch":"sse1","gen":1,"ev":"sse.open","status":200}
        {"t":1,"ch":"sse1","gen":1,"ev":"rec.gap","why":"cut"}
        {"t":2,"ch":"sse1","gen":1,"ev":"sse.retry","ms":5000}
        {"t":9,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0}
        {"t":5009,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e1"}
        {"t":5010,"ch":"sse1","gen":2,"ev":"sse.open","status":200}
        {"t":5020,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e2","bytes":3}
        {"t":6000,"ch":"sse1","gen":2,"ev":"sse.cut","cause":"reset","dir":"in","partial":4}
        {"t":11000,"ch":"sse1","gen":3,"ev":"sse.connect","cursor":"e2"}
        {"t":11000,"ev":"rec.end","why":"limit"}
        """)
  }

  @Test("a channel that is not there, and a span behind the end, are refused")
  func refused() throws {
    let trace = try trace(Self.socket)
    #expect(throws: TraceError("the trace has none of the channels that were asked for")) {
      try TraceCut(channels: [Channel(.sse, 1)], span: 0...1).apply(to: trace)
    }
    #expect(throws: TraceError("the span begins after the end of the trace")) {
      try TraceCut(span: 501...600).apply(to: trace)
    }
  }

  @Test("any cut of a random trace is a trace", arguments: UInt64(0)..<10)
  func random(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    let trace = random.trace(rounds: 2)
    for _ in 0..<20 {
      let begin = random.number(0...trace.horizon)
      let result = try TraceCut(span: begin...max(begin, random.number(0...trace.horizon))).apply(to: trace)
      #expect(try Trace(bytes: result.bytes()).lines == result.lines)
    }
  }
}
