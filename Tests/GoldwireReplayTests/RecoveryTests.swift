import GoldwireReplay
import GoldwireTrace
import Testing

/// What stays known over a hole in the recording.
@Suite struct RecoveryTests {
  static func stream(_ retry: String..., gap: [String]) throws -> Conformance {
    let written = Written(
      lines: ["0 sse1#1 sse.connect", "10 sse1#1 sse.open status=200 type=text/event-stream"] + retry + gap
        + [
          "450 sse1#2 sse.connect cursor=e1", "460 sse1#2 sse.open status=200 type=text/event-stream",
          "470 sse1#2 sse.event n=1 id=e2 bytes=3", "500 sse1#2 sse.cut cause=eof dir=in partial=0",
          "900 sse1#3 sse.connect cursor=e2", "9000 rec.end why=eof",
        ], source: "pcap", header: ",\"blind\":[\"handler\"]")
    return try Conformance(written.trace(), .of(.stream))
  }

  @Test("the server's delay outlasts a hole, said before it or in it")
  func theDelay() throws {
    let retry = "20 sse1#1 sse.retry ms=400"
    #expect(try Self.stream(retry, gap: ["40 sse1#1 rec.gap why=lost"]).departures == [])
    #expect(try Self.stream(gap: ["15 sse1#1 rec.gap why=cut", retry]).departures == [])
    // An old connection's is not this one's.
    let early = try Self.stream(gap: ["450 sse1#1 rec.gap why=lost"])
    #expect(GateTests.kinds(early) == ["900 early connect by=2600"])
  }

  @Test func whatHadItsEffectBeforeAHoleIsSkippedAfterIt() throws {
    let trace = Written(
      "0 sse1#1 sse.connect", "10 sse1#1 sse.open status=200 type=text/event-stream",
      "20 sse1#1 sse.event n=1 id=e1 bytes=3", "30 sse1 rec.gap why=lost", "40 sse1#2 sse.connect cursor=e1",
      "50 sse1#2 sse.open status=200 type=text/event-stream", "60 sse1#2 sse.event n=1 id=e1 bytes=3",
      "90 rec.end why=written", header: ",\"blind\":[\"handler\"]")
    #expect(
      try replayed(trace, .of(.stream)) == [
        "20 sse1#1 deliver n=1 id=e1", "20 sse1#1 commit cursor=e1", "30 sse1 unsync", "40 sse1#2 sync",
        "60 sse1#2 skip n=1 id=e1",
      ])
  }

  @Test("the wall clock's steps count once") func theWallClock() throws {
    let lines = [
      "0 http1 http.send req=1 try=1 method=GET", "10 rec.wall step=10000000", "20 http1 rec.gap why=lost",
      "25 rec.wall step=-2000000", "30 http1 http.wait req=1 try=2 for=1000 unit=0",
      "1040 http1 http.response req=1 try=2 status=503 retryAt=129", "60000 rec.end why=written",
    ]
    #expect(
      try replayed(Written(lines: lines, header: ",\"wall\":100000000"), .of(.retry)) == [
        "20 http1 unsync", "30 http1 sync", "1030 http1 r1 send try=2", "1040 http1 r1 wait try=3 for=19960",
        "21000 http1 r1 send try=3",
      ])
    let stream = Written(
      "0 sse1#1 sse.connect", "10 rec.wall step=10000000", "20 sse1 rec.gap why=lost",
      "30 sse1#2 sse.connect", "1040 sse1#2 sse.open status=503 retryAt=131", "60000 rec.end why=written",
      header: ",\"wall\":100000000")
    #expect(
      try replayed(stream, .of(.stream, "retryStatuses=true")) == [
        "20 sse1 unsync", "30 sse1#2 sync", "21000 sse1#3 connect cursor=e0",
      ])
  }

  // MARK: A stream that HTTP responses are

  static func turned(_ second: Int, _ tick: TickMode) throws -> [String] {
    let response = "try=1 status=200 type=text/event-stream sse=sse1"
    let trace = Written(
      "0 http1 http.send req=1 try=1 method=GET", "10 http1 http.response req=1 \(response)",
      "20 sse1#1 sse.event n=1 id=e1 bytes=1", "30 sse1#1 sse.cut cause=eof dir=in partial=0",
      "40 http1 http.send req=2 try=1 method=GET", "\(second) http1 http.response req=2 \(response)",
      "\(second + 10) sse1#2 sse.event n=1 id=e1 bytes=1", "500 rec.end why=eof", source: "pcap",
      header: ",\"blind\":[\"handler\"]")
    return try replayed(trace, .of(.stream, "delay=100ms"), tick)
  }

  @Test func itsReconnectionIsComparedAndKeepsTheCursor() throws {
    let first = ["20 sse1#1 deliver n=1 id=e1", "20 sse1#1 commit cursor=e1"]
    #expect(
      try Self.turned(130, .recorded) == first + [
        "130 sse1#2 connect cursor=e1", "140 sse1#2 skip n=1 id=e1",
      ])
    #expect(try Self.turned(50, .exact) == first + ["130 sse1#2 connect cursor=e1"])
  }

  @Test func itsReconnectionIsJudged() throws {
    func kinds(_ second: Int) throws -> [String] {
      let response = "try=1 status=200 type=text/event-stream sse=sse1"
      let trace = Written(
        "10 http1 http.response req=1 \(response)", "20 sse1#1 sse.event n=1 id=e1 bytes=1",
        "30 sse1#1 sse.cut cause=eof dir=in partial=0", "\(second) http1 http.response req=2 \(response)",
        "900 rec.end why=eof", source: "pcap", header: ",\"blind\":[\"handler\"]")
      return try GateTests.kinds(Conformance(trace.trace(), .of(.stream, "delay=100ms")))
    }
    #expect(try kinds(131) == [])
    #expect(try kinds(50) == ["50 early connect by=80"])
    #expect(try kinds(400) == ["400 late connect by=270"])
  }
}
