import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("What lines mean to retries and event streams") struct RequestAdapterTests {
  static func retries(
    _ lines: String..., source: String = "written", header: String = "", more: String = "",
    tick: TickMode? = nil
  ) throws -> [String] {
    try replayed(
      Written(lines: lines + ["90000 rec.end why=written"], source: source, header: header),
      .of(.retry, more),
      tick
    ).map { $0.replacing("http1 r1 ", with: "") }
  }

  @Test func theRecordedUnitIsUsed() throws {
    #expect(
      try Self.retries(
        "0 http1 http.send req=1 try=1 method=GET", "0 http1 http.response req=1 try=1 status=503",
        "0 http1 http.wait req=1 try=2 for=500 unit=0", "500 http1 http.send req=1 try=2 method=GET",
        "600 http1 http.response req=1 try=2 status=200")
        == ["0 wait try=2 for=500", "500 send try=2", "600 stop delivered"])
  }

  @Test func withoutAUnitTheWaitIsFittedToTheNextSend() throws {
    let lines = [
      "0 http1 http.send req=1 try=1 method=GET", "0 http1 http.response req=1 try=1 status=503",
      "730 http1 http.send req=1 try=2 method=GET", "800 http1 http.response req=1 try=2 status=200",
    ]
    func ask(_ sent: Int) throws -> [String] {
      var lines = lines
      lines[2] = "\(sent) http1 http.send req=1 try=2 method=GET"
      return try Self.retries(lines[0], lines[1], lines[2])
    }
    #expect(try ask(730) == ["0 wait try=2 for=730", "730 send try=2"])
    // Outside of the band of 500 to 1000 the nearer edge is taken.
    #expect(try ask(400) == ["0 wait try=2 for=500", "500 send try=2"])
    #expect(try ask(1_400) == ["0 wait try=2 for=1000", "1000 send try=2"])
  }

  @Test func withNoNextSendTheWaitIsTheLongest() throws {
    #expect(
      try Self.retries(
        "0 http1 http.send req=1 try=1 method=GET", "0 http1 http.response req=1 try=1 status=503")
        == ["0 wait try=2 for=1000", "1000 send try=2"])
  }

  @Test func aFittedUnitIsAnAssumption() throws {
    var written = Written(
      "0 http1 http.send req=1 try=1 method=GET", "0 http1 http.response req=1 try=1 status=503",
      "0 http1 http.wait req=1 try=2 for=500 unit=0", "900 rec.end why=written")
    func assume() throws -> [GoldenHeader.Assumption] {
      try TraceReplay.replay(written.trace(), .of(.retry), options: ReplayOptions(tick: .exact)).assume
    }
    #expect(try assume() == [])
    written.lines[2] = "0 http1 http.wait req=1 try=2 for=500"
    #expect(try assume() == [.unit])
    written.lines[1] = "0 http1 http.response req=1 try=1 status=200"
    #expect(try assume() == [])
  }

  @Test func aRedirectThatWasFollowedIsNoAnswer() throws {
    // Field fault B28: the hop is part of its try, and renews no budget.
    #expect(
      try Self.retries(
        "0 http1 http.send req=1 try=1 method=GET", "10 http1 http.response req=1 try=1 status=307",
        "10 http1 http.send req=1 try=1 hop=1 method=GET",
        "20 http1 http.response req=1 try=1 hop=1 status=200") == ["20 stop delivered"])
    #expect(
      try Self.retries(
        "0 http1 http.send req=1 try=1 method=GET", "10 http1 http.response req=1 try=1 status=303")
        == ["10 stop delivered"])
  }

  @Test func aChangedBodyIsNotSentAgain() throws {
    #expect(
      try Self.retries(
        "0 http1 http.send req=1 try=1 method=PUT replayable=true key=k1",
        "1 http1 http.body req=1 try=1 dir=out bytes=5 differs=[\"body\"]",
        "10 http1 http.response req=1 try=1 status=503") == ["10 stop notReplayable"])
  }

  @Test func aTransportErrorAfterTheFirstByteIsNotRetried() throws {
    let send = "0 http1 http.send req=1 try=1 method=GET"
    let error = "20 http1 http.error req=1 try=1 cause=reset"
    #expect(
      try Self.retries(send, error, more: "transport=true")
        == ["20 wait try=2 for=1000", "1020 send try=2"])
    #expect(
      try Self.retries(
        send, "10 http1 http.body req=1 try=1 dir=in bytes=3", error, more: "transport=true")
        == ["20 stop transport"])
  }

  @Test func aDateCountsFromTheResponsesOwnOrFromTheWallClock() throws {
    let send = "0 http1 http.send req=1 try=1 method=GET"
    let wall = ",\"wall\":60000000"
    #expect(
      try Self.retries(
        send, "1000 http1 http.response req=1 try=1 status=503 retryAt=71", header: wall
      ).first
        == "1000 wait try=2 for=10000")
    #expect(
      try Self.retries(
        send, "500 rec.wall step=4000000", "1000 http1 http.response req=1 try=1 status=503 retryAt=71",
        header: wall
      ).first == "1000 wait try=2 for=6000")
    #expect(
      try Self.retries(
        send, "1000 http1 http.response req=1 try=1 status=503 retryAt=71 date=64", header: wall
      ).first
        == "1000 wait try=2 for=7000")
  }

  @Test func eachRequestHasAMachineOfItsOwn() throws {
    #expect(
      try replayed(
        Written(
          "0 http1 http.send req=1 try=1 method=GET", "1 http1 http.send req=2 try=1 method=POST",
          "5 http1 http.response req=2 try=1 status=503", "6 http1 http.response req=1 try=1 status=404",
          "9 http1 http.cancel req=3", "90 rec.end why=written"), .of(.retry)) == [
          "5 http1 r2 stop notReplayable", "6 http1 r1 stop notRetryable", "9 http1 r3 stop cancelled",
        ])
  }

  @Test func aRecordedSendWakesTheMachineUpToTwoMillisecondsEarly() throws {
    let lines = [
      "0 http1 http.send req=1 try=1 method=GET", "0 http1 http.response req=1 try=1 status=503",
      "0 http1 http.wait req=1 try=2 for=1000 unit=1000000",
    ]
    for (instant, isTaken) in [(997, false), (998, true), (1_000, true), (1_200, true)] {
      let send = "\(instant) http1 http.send req=1 try=2 method=GET"
      let actions = try Self.retries(lines[0], lines[1], lines[2], send, tick: .recorded)
      #expect(actions == ["0 wait try=2 for=1000"] + (isTaken ? ["\(instant) send try=2"] : []))
    }
  }

  // MARK: Event streams

  static func streams(_ lines: String..., header: String = "") throws -> [String] {
    try replayed(Written(lines: lines + ["9000 rec.end why=written"], header: header), .of(.stream))
      .map { $0.replacing("sse1#", with: "#") }
  }

  @Test func aStreamDeliversCommitsAndConnectsAgain() throws {
    #expect(
      try Self.streams(
        "0 sse1#1 sse.connect", "10 sse1#1 sse.open status=200 type=text/event-stream",
        "20 sse1#1 sse.event n=1 id=e1 bytes=4", "30 sse1#1 sse.handled n=1 ok=true",
        "40 sse1#1 sse.cut cause=eof dir=in partial=0", "3040 sse1#2 sse.connect cursor=e1",
        "3050 sse1#2 sse.open status=204") == [
          "20 #1 deliver n=1 id=e1", "30 #1 commit cursor=e1", "3040 #2 connect cursor=e1",
          "3050 #2 stop noContent",
        ])
  }

  @Test func aBlindHandlerCountsAsDoneAtOnce() throws {
    #expect(
      try Self.streams(
        "0 sse1#1 sse.connect", "10 sse1#1 sse.open status=200 type=text/event-stream",
        "20 sse1#1 sse.event n=1 id=e1 bytes=4", "30 sse1#1 sse.event n=2 id=e1 bytes=4",
        header: ",\"blind\":[\"handler\"]") == [
          "20 #1 deliver n=1 id=e1", "20 #1 commit cursor=e1", "30 #1 skip n=2 id=e1",
        ])
  }

  @Test func aResponseThatTurnsOutToBeAStreamConnectsAndOpensIt() throws {
    #expect(
      try Self.streams(
        "0 http1 http.send req=1 try=1 method=POST",
        "10 http1 http.response req=1 try=1 status=200 type=text/event-stream sse=sse1",
        "20 sse1#1 sse.event n=1 bytes=4") == ["20 #1 deliver n=1"])
  }

  @Test func aLocalCutShowsThatTheIdleTimerRan() throws {
    let trace = Written(
      "0 sse1#1 sse.connect", "10 sse1#1 sse.open status=200 type=text/event-stream",
      "300 sse1#1 sse.comment",
      "707 sse1#1 sse.cut cause=local dir=out partial=0", "1215 sse1#2 sse.connect",
      "1300 rec.end why=written")
    let parameters = try MachineParameters.of(.stream, "delay=500ms idle=400ms")
    #expect(try replayed(trace, parameters, .recorded) == ["1215 sse1#2 connect cursor=e0"])
    #expect(try replayed(trace, parameters, .exact) == ["1200 sse1#2 connect cursor=e0"])
    #expect(try Conformance(trace.trace(), parameters).departures.isEmpty)
  }

  @Test func aLocalCutIsNoNews() throws {
    #expect(
      try Self.streams(
        "0 sse1#1 sse.connect", "10 sse1#1 sse.open status=200 type=text/event-stream",
        "40 sse1#1 sse.cut cause=local dir=out partial=0") == [])
  }
}
