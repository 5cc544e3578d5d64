import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Falling out of step and coming back") struct StepTests {
  @Test func anAttachedConnectionComesInStepAtItsNextPing() throws {
    let trace = Written(
      "0 ws1#3 ws.attach", "5000 ws1#3 ws.pong dir=in", "7000 ws1#3 ws.ping dir=out id=4",
      "7050 ws1#3 ws.pong dir=in id=4", "7300 rec.end why=stopped")
    #expect(
      try replayed(trace, .quick()) == [
        "0 ws1#3 unsync", "7000 ws1#3 sync", "7000 ws1#3 ping", "7150 ws1#3 ping",
      ])
  }

  @Test func aHoleSilencesOneChannelOrAll() throws {
    let lines = [
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "0 ws2#1 ws.connect", "0 ws2#1 ws.open", "50 GAP why=lost",
      "200 ws1#2 ws.connect", "200 ws1#2 ws.open", "350 rec.end why=stopped",
    ]
    var one = Written(lines: lines)
    one.lines[4] = "50 ws1#1 rec.gap why=lost"
    #expect(
      try replayed(one, .quick()) == [
        "50 ws1#1 unsync", "100 ws2#1 ping", "200 ws1#2 sync", "300 ws1#2 ping",
      ])
    var all = Written(lines: lines)
    all.lines[4] = "50 rec.gap why=lost"
    #expect(
      try replayed(all, .quick()) == [
        "50 ws1 unsync", "50 ws2 unsync", "200 ws1#2 sync", "300 ws1#2 ping",
      ])
  }

  @Test func aSecondHoleSaysNothingNew() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "50 rec.gap why=lost", "60 ws1#1 rec.gap why=ring",
      "900 rec.end why=stopped")
    #expect(try replayed(trace, .quick()) == ["50 ws1 unsync"])
  }

  @Test func pinnedLinesOfAFlightRecorderBringItInStepAtThePinnedPing() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "10 ws1#1 ws.open", "10 rec.gap why=ring", "90000 ws1#1 ws.ping dir=out id=3",
      "90040 ws1#1 ws.pong dir=in id=3", "100000 rec.end why=stopped",
      source: "tap", header: ",\"inForce\":{\"heartbeat\":{\"interval\":\"30s\",\"timeout\":\"5s\"}}")
    let parameters = try MachineParameters.of(.heartbeat, "interval=30s timeout=5s")
    #expect(
      try replayed(trace, parameters) == ["10 ws1 unsync", "90000 ws1#1 sync", "90000 ws1#1 ping"])
  }

  @Test func aChannelNeverInStepIsNamed() throws {
    let trace = try Written("0 ws1#1 ws.attach", "500 rec.end why=stopped").trace()
    let (replayed, _) = try TraceReplay.replay(trace, .quick(), options: ReplayOptions(tick: .exact))
    #expect(replayed.neverInStep == [Channel(.ws, 1)])
    #expect(replayed.short == ["0 ws1#1 unsync"])
  }

  @Test func aRequestInFlightAtAHoleIsLeftAlone() throws {
    let trace = Written(
      "0 http1 http.send req=1 try=1 method=GET", "10 http1 rec.gap why=lost",
      "20 http1 http.response req=1 try=1 status=503", "30 http1 http.send req=2 try=1 method=GET",
      "40 http1 http.response req=2 try=1 status=200", "9000 rec.end why=stopped")
    #expect(
      try replayed(trace, .of(.retry)) == [
        "10 http1 unsync", "30 http1 sync", "40 http1 r2 stop delivered",
      ])
  }

  @Test func aPinnedWaitBringsARequestInStep() throws {
    let trace = Written(
      "0 http1 http.send req=1 try=1 method=GET", "5 http1 rec.gap why=ring",
      "100 http1 http.wait req=1 try=3 for=2000 unit=1000000", "9000 rec.end why=stopped")
    #expect(
      try replayed(trace, .of(.retry)) == [
        "5 http1 unsync", "100 http1 sync", "2100 http1 r1 send try=3",
      ])
  }

  @Test func aLaterMachineKnowsTheStateOfTheApp() throws {
    let trace = Written(
      "0 app.background", "10 ws1#1 ws.connect", "10 ws1#1 ws.open", "900 app.foreground",
      "1000 rec.end why=stopped")
    #expect(try replayed(trace, .quick()) == ["900 ws1#1 ping"])
    let login = Written(
      "0 app.session session=1", "10 http1 http.send req=1 try=1 method=GET", "20 app.session session=2",
      "30 http1 http.response req=1 try=1 status=200", "1000 rec.end why=stopped")
    #expect(try replayed(login, .of(.retry)) == ["30 http1 r1 stop stale"])
  }
}
