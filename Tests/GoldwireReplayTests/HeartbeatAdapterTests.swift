import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("What lines mean to a heartbeat") struct HeartbeatAdapterTests {
  /// The actions of a connection that opens at 0, then these lines.
  static func actions(
    _ lines: String..., header: String = "", more: String = "", end: Int = 3_000
  ) throws -> [String] {
    let written = Written(
      lines: ["0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101"] + lines + ["\(end) rec.end why=written"],
      header: header)
    return try replayed(written, .quick(more)).map { $0.replacing("ws1#1 ", with: "") }
  }

  @Test func aCloseOfUnknownActorIsTheHeartbeatsWhileAPingIsUnanswered() throws {
    // Never fed: the machine closes by itself at its own deadline.
    #expect(
      try Self.actions("100 ws1#1 ws.ping dir=out id=1", "1090 ws1#1 ws.close dir=out by=unknown")
        == ["100 ping", "1100 close pongTimeout"])
    // Answered: it is the user's, and is fed.
    #expect(
      try Self.actions(
        "100 ws1#1 ws.ping dir=out id=1", "110 ws1#1 ws.pong dir=in id=1",
        "150 ws1#1 ws.close dir=out by=unknown") == ["100 ping", "150 close userClosed"])
    // Another ping's pong answers nothing.
    #expect(
      try Self.actions(
        "100 ws1#1 ws.ping dir=out id=1", "110 ws1#1 ws.pong dir=in id=0",
        "150 ws1#1 ws.close dir=out by=unknown", end: 1_000) == ["100 ping"])
  }

  @Test func anEndByTheClientWithoutACloseIsJudgedLikewise() throws {
    #expect(
      try Self.actions("100 ws1#1 ws.ping dir=out id=1", "1090 ws1#1 ws.end cause=reset dir=out")
        == ["100 ping", "1100 close pongTimeout"])
    #expect(try Self.actions("50 ws1#1 ws.end cause=fin dir=out") == ["50 close userClosed"])
    // After a close of either side it is the end of that.
    #expect(
      try Self.actions(
        "50 ws1#1 ws.close dir=in code=1001", "60 ws1#1 ws.end cause=fin dir=out")
        == ["50 ended peerClosed 1001"])
  }

  @Test func aConnectionThatIsNotOpenYetIsGivenUpByTheMachine() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "290 ws1#1 ws.end cause=reset dir=out", "900 rec.end why=written")
    #expect(
      try replayed(trace, .quick("connectTimeout=300ms")) == ["300 ws1#1 close connectTimeout"])
  }

  @Test func aCloseByTheUserIsFedAndOneByTheMachineIsNot() throws {
    #expect(try Self.actions("50 ws1#1 ws.close dir=out by=user") == ["50 close userClosed"])
    #expect(try Self.actions("50 ws1#1 ws.close dir=out by=machine", end: 120) == ["100 ping"])
  }

  @Test func anInterimAnswerOpensNothing() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=103", "500 ws1#1 ws.open status=101",
      "700 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["600 ws1#1 ping"])
  }

  @Test func pingsOfThePeerAndMessagesAreNoLifeButUnderThePolicy() throws {
    let lines = [
      "1050 ws1#1 ws.ping dir=in", "1060 ws1#1 ws.message dir=in kind=text bytes=4",
      "1070 ws1#1 rec.life dir=in kind=bytes",
    ]
    for line in lines {
      #expect(try Self.actions(line) == ["100 ping", "1100 close pongTimeout"])
      let instant = (Int(line.prefix(4)) ?? 0) + 1_000
      #expect(
        try Self.actions(line, more: "policy=anyInboundIsLife")
          == ["100 ping", "\(instant) close pongTimeout"])
    }
    #expect(
      try Self.actions(
        "1050 ws1#1 ws.message dir=out kind=text bytes=4", more: "policy=anyInboundIsLife")
        == ["100 ping", "1100 close pongTimeout"])
  }

  @Test func beatsDriveTheHeartbeatAndItsOwnPingsDoNot() throws {
    let header = ",\"beats\":\"phoenix\""
    #expect(
      try Self.actions(
        "100 ws1#1 ws.message dir=out kind=text bytes=4 beat=ping id=1",
        "150 ws1#1 ws.message dir=in kind=text bytes=4 beat=pong id=1", "200 ws1#1 ws.pong dir=in",
        header: header, end: 300) == ["100 ping", "250 ping"])
    #expect(
      try Self.actions("150 ws1#1 ws.pong dir=in id=1", header: header)
        == ["100 ping", "1100 close pongTimeout"])
  }

  @Test func aCompletionStandsForThePong() throws {
    #expect(try Self.actions("150 ws1#1 ws.pinged id=1 result=ok", end: 250) == ["100 ping", "250 ping"])
    #expect(
      try Self.actions("150 ws1#1 ws.pinged id=1 result=error", "160 ws1#1 ws.pinged id=1 result=cancelled")
        == ["100 ping", "150 ended sendFailed"])
  }

  @Test func theAppsStateReachesEveryChannel() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "0 ws2#1 ws.connect", "0 ws2#1 ws.open", "50 app.background",
      "400 app.foreground", "450 ws1#1 ws.pong dir=in", "450 ws2#1 ws.pong dir=in",
      "460 app.network to=cell", "500 rec.end why=written")
    #expect(
      try replayed(trace, .quick()) == [
        "400 ws1#1 ping", "400 ws2#1 ping", "460 ws1#1 ping", "460 ws2#1 ping",
      ])
    #expect(try Self.actions("50 app.network to=none", end: 90) == [])
  }

  @Test func aLateCallbackOfTheOldConnectionTouchesNothing() throws {
    // Field fault B02, in milliseconds: the old socket's close comes after its replacement is open.
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "40010 ws1#2 ws.connect", "40200 ws1#2 ws.open",
      "40900 ws1#1 ws.close dir=in code=1006", "40950 ws1#1 ws.end cause=error",
      "70200 rec.end why=written")
    #expect(
      try replayed(trace, .of(.heartbeat, "interval=30s timeout=10s")) == [
        "30000 ws1#1 ping", "40000 ws1#1 close pongTimeout", "70200 ws1#2 ping",
      ])
  }

  @Test func aSourceThatSeesNoPongsDrivesNoHeartbeat() throws {
    let blind = try Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "9 rec.end why=eof", source: "har",
      header: ",\"blind\":[\"ws.ping\",\"ws.pong\"]"
    ).trace()
    #expect(TraceReplay.machines(drivenBy: blind) == [])
    let beats = try Written(
      "0 ws1#1 ws.connect", "9 rec.end why=eof", source: "har",
      header: ",\"blind\":[\"ws.ping\",\"ws.pong\"],\"beats\":\"stomp\""
    ).trace()
    #expect(TraceReplay.machines(drivenBy: beats) == [.heartbeat])
  }
}
