import Testing

@testable import GoldwireTrace

/// What a recording's next file begins with.
@Suite struct TraceContinuationTests {
  private func continued(
    _ lines: String, at t: Int = 1_000, limits: TraceContinuation.Limits = .init()
  ) throws -> String {
    let trace = try Trace(bytes: Array((TraceReaderTests.header + lines + "\n").utf8))
    var continuation = TraceContinuation(unit: .ms, limits: limits)
    for line in trace.lines { #expect(continuation.take(line) == line) }
    let next = Trace(header: trace.header, lines: continuation.begin(at: t))
    let bytes = next.bytes()
    #expect(try TraceAudit.findings(in: bytes) == [])
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  private static let socket = """
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
    {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
    {"t":100,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1}
    {"t":110,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1}
    {"t":200,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2}
    {"t":210,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":2}
    """

  @Test("a session keeps connect, open, a gap, its last ping and what came of it, as a cut does")
  func session() throws {
    let pins = try continued(Self.socket)
    #expect(
      pins == """
        {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
        {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
        {"t":10,"ch":"ws1","gen":1,"ev":"rec.gap","why":"cut"}
        {"t":200,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2}
        {"t":210,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":2}
        """)
    let whole = try Trace(bytes: Array((TraceReaderTests.header + Self.socket + "\n").utf8))
    let more = whole.lines + [TraceLine(t: 300, event: .recEnd(why: .stopped, counts: nil))]
    var header = whole.header
    header.source = .tap
    let cut = try TraceCut(span: 250...300, tool: "hand").apply(to: Trace(header: header, lines: more))
    #expect(
      Trace(header: header, lines: cut.lines.dropLast()).bytes().suffix(pins.utf8.count + 1)
        == Array((pins + "\n").utf8)[...])
  }

  @Test("what is over is not told again")
  func over() throws {
    #expect(
      try continued(Self.socket + "\n" + #"{"t":220,"ch":"ws1","gen":1,"ev":"ws.end","cause":"fin"}"#) == "")
    #expect(
      try continued(
        """
        {"t":0,"ch":"http1","ev":"http.send","req":1,"try":1,"method":"GET"}
        {"t":5,"ch":"http1","ev":"http.response","req":1,"try":1,"status":200}
        {"t":6,"ch":"http1","ev":"http.body","req":1,"try":1,"dir":"in","bytes":0,"done":true}
        """) == "")
  }

  @Test("a request that may be tried again is told again, until it is too old")
  func request() throws {
    let lines = """
      {"t":0,"ch":"http1","ev":"http.send","req":1,"try":1,"method":"GET","key":"k1"}
      {"t":5,"ch":"http1","ev":"http.response","req":1,"try":1,"status":503,"retryAfter":40}
      {"t":6,"ch":"http1","ev":"http.send","req":2,"try":1,"method":"GET","key":"k2"}
      """
    #expect(try continued(lines, at: 45_000) == lines)
    #expect(
      try continued(lines, at: 45_006)
        == #"{"t":6,"ch":"http1","ev":"http.send","req":2,"try":1,"method":"GET","key":"k1"}"#)
  }

  @Test("a stream keeps all since its last connect; pseudonyms count from 1")
  func stream() throws {
    #expect(
      try continued(
        """
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}
        {"t":5,"ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream"}
        {"t":6,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":3}
        {"t":7,"ch":"sse1","gen":1,"ev":"sse.event","n":2,"id":"e2","bytes":3}
        {"t":8,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0}
        {"t":9,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2"}
        {"t":10,"ch":"sse1","gen":2,"ev":"sse.open","status":200,"type":"text/event-stream"}
        """) == """
          {"t":9,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e1"}
          {"t":10,"ch":"sse1","gen":2,"ev":"sse.open","status":200,"type":"text/event-stream"}
          """)
  }

  @Test("of too many sessions those that were silent for longest are forgotten, however many come")
  func channels() throws {
    var limits = TraceContinuation.Limits()
    limits.channels = 8
    var continuation = TraceContinuation(unit: .ms, limits: limits)
    for number in 1...1_000 {
      let channel = Channel(.ws, number)
      for event in [TraceEvent.wsConnect, .wsOpen(status: 101, deflate: nil)] {
        _ = continuation.take(TraceLine(t: number, channel: channel, generation: 1, event: event))
      }
      // The first goes on talking, and is never forgotten.
      _ = continuation.take(
        TraceLine(
          t: number, channel: Channel(.ws, 1), generation: 1,
          event: .wsPing(dir: .out, id: number, bytes: nil)))
    }
    let told = continuation.begin(at: 2_000).compactMap(\.channel)
    #expect(told.contains(Channel(.ws, 1)))
    #expect(told.contains(Channel(.ws, 1_000)))
    #expect((2...8).contains(Set(told).count))
  }

  @Test("beyond the limits a gap stands for what is left out")
  func limits() throws {
    var limits = TraceContinuation.Limits()
    limits.linesOfChannel = 3
    #expect(
      try continued(
        """
        {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
        {"t":1,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
        {"t":2,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1}
        {"t":3,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":1}
        {"t":4,"ch":"sse1","gen":1,"ev":"sse.connect"}
        {"t":5,"ch":"sse1","gen":1,"ev":"sse.comment"}
        {"t":6,"ch":"sse1","gen":1,"ev":"sse.comment"}
        {"t":7,"ch":"sse1","gen":1,"ev":"sse.comment"}
        """, limits: limits) == """
          {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
          {"t":1,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
          {"t":1,"ch":"ws1","gen":1,"ev":"rec.gap","why":"cut"}
          {"t":4,"ch":"sse1","gen":1,"ev":"sse.connect"}
          {"t":4,"ch":"sse1","gen":1,"ev":"rec.gap","why":"cut"}
          """)
  }
}
