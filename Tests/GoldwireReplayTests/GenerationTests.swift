import GoldwireReplay
import GoldwireTrace
import Testing

/// What an old connection does late changes nothing of the current one.
@Suite struct GenerationTests {
  @Test func aLatePingOfTheOldConnectionBringsNothingInStep() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "50 ws1#2 ws.connect", "50 ws1#2 ws.open",
      "60 ws1 rec.gap why=lost", "70 ws1#1 ws.ping dir=out id=2", "150 ws1#2 ws.ping dir=out id=1",
      "160 ws1#2 ws.pong dir=in id=1", "1200 ws1#2 ws.end cause=fin dir=in", "3000 rec.end why=written")
    #expect(
      try replayed(trace, .quick()) == [
        "50 ws1#1 ended superseded", "60 ws1 unsync", "150 ws1#2 sync", "150 ws1#2 ping", "260 ws1#2 ping",
        "1200 ws1#2 ended fin",
      ])
  }

  @Test func anAttachedConnectionIsNewerThanThoseBefore() throws {
    let trace = Written(
      "0 ws1#3 ws.attach", "70 ws1#2 ws.ping dir=out id=9", "80 ws1#2 ws.connect",
      "150 ws1#3 ws.ping dir=out id=1", "200 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["0 ws1#3 unsync", "150 ws1#3 sync", "150 ws1#3 ping"])
  }

  @Test("a refused connection loses no tick", arguments: [1, 2]) func refused(_ generation: Int) throws {
    let trace = Written(
      "0 ws1#2 ws.connect", "0 ws1#2 ws.open", "50 ws1#\(generation) ws.connect", "100 ws1#2 rec.tick",
      "1100 ws1#2 rec.tick", "3000 rec.end why=stopped", source: "tap")
    #expect(try replayed(trace, .quick()) == ["100 ws1#2 ping", "1100 ws1#2 close pongTimeout"])
  }

  @Test func theOldConnectionsPingIsExtraAndWakesNothing() throws {
    let found = try GateTests.conformance(
      "100 ws1#1 ws.ping dir=out id=1", "110 ws1#2 ws.connect", "110 ws1#2 ws.open",
      "209 ws1#1 ws.ping dir=out id=2", "212 ws1#2 ws.ping dir=out id=1", "215 ws1#2 ws.pong dir=in id=1",
      "316 ws1#2 ws.ping dir=out id=2", end: 400)
    #expect(GateTests.kinds(found) == ["209 extra ping by=0"])
    #expect(found.departures.first?.line.generation == 1)
    #expect(found.worstLateness == 2)
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "10 ws1#2 ws.connect", "10 ws1#2 ws.open",
      "150 ws1#1 ws.ping dir=out id=1", "300 rec.end why=eof")
    #expect(try replayed(trace, .quick(), .recorded) == ["10 ws1#1 ended superseded"])
  }

  @Test func ticksOfAStreamsLaterConnectionsCount() throws {
    let trace = Written(
      "0 sse1#1 sse.connect", "0 sse1#1 sse.open status=200 type=text/event-stream",
      "20 sse1#1 sse.cut cause=eof dir=in partial=0", "120 sse1#1 rec.tick",
      "130 sse1#2 sse.open status=200 type=text/event-stream",
      "150 sse1#2 sse.cut cause=eof dir=in partial=0", "250 sse1#2 rec.tick", "500 rec.end why=stopped",
      source: "tap")
    #expect(
      try replayed(trace, .of(.stream, "delay=100ms"))
        == ["120 sse1#2 connect cursor=e0", "250 sse1#3 connect cursor=e0"])
  }

  // MARK: Whose close it is

  @Test(
    "a pong after the deadline answers nothing",
    arguments: ["ws.close dir=out by=unknown", "ws.end cause=fin dir=out"])
  func aLatePong(_ close: String) throws {
    let found = try GateTests.conformance(
      "100 ws1#1 ws.ping dir=out id=1", "1110 ws1#1 ws.pong dir=in id=1", "1120 ws1#1 \(close)")
    #expect(found.status == .expected)
    #expect(found.acts == 2)
    #expect(found.worstLateness == 20)
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "100 ws1#1 ws.ping dir=out id=1",
      "1110 ws1#1 ws.pong dir=in id=1", "1120 ws1#1 \(close)", "3000 rec.end why=eof")
    #expect(
      try replayed(trace, .quick(), .recorded) == ["100 ws1#1 ping", "1120 ws1#1 close pongTimeout"])
  }

  @Test func aCloseWithNothingUnansweredIsTheUsers() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "100 ws1#1 ws.ping dir=out id=1",
      "110 ws1#1 ws.pong dir=in id=1", "120 ws1#1 ws.close dir=out by=unknown", "3000 rec.end why=eof")
    #expect(
      try replayed(trace, .quick(), .recorded) == ["100 ws1#1 ping", "120 ws1#1 close userClosed"])
  }

  @Test(
    "a close of a connection that is over is not judged",
    arguments: ["ws.end cause=error dir=out", "ws.close dir=out by=machine", "ws.close dir=out by=unknown"])
  func overAlready(_ close: String) throws {
    for result in ["error", "cancelled"] {
      let found = try GateTests.conformance(
        "100 ws1#1 ws.ping dir=out id=1", "150 ws1#1 ws.pinged id=1 result=\(result)", "150 ws1#1 \(close)")
      #expect(found.departures == [])
      #expect(found.acts == 1)
    }
    let superseded = try GateTests.conformance(
      "50 ws1#2 ws.connect", "50 ws1#2 ws.open", "60 ws1#1 \(close)", "150 ws1#2 ws.ping dir=out id=1",
      end: 200)
    #expect(superseded.departures == [])
  }
}
