import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Holding a recorded client against the machine") struct GateTests {
  static let header =
    ",\"inForce\":{\"heartbeat\":{\"interval\":\"100ms\",\"timeout\":\"1s\"}},\"inForceBy\":\"stated\""

  static func conformance(
    _ lines: String..., header: String = header, end: Int = 3_000
  ) throws -> Conformance {
    let written = Written(
      lines: ["0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101"] + lines + ["\(end) rec.end why=eof"],
      source: "pcap", header: header)
    let trace = try written.trace()
    let parameters = try MachineParameters(asking: .heartbeat, of: trace.header, overrides: ParameterTable())
    return try Conformance(trace, parameters)
  }

  static func kinds(_ conformance: Conformance) -> [String] {
    conformance.departures.map { "\($0.t) \($0.kind.rawValue) \($0.line.action) by=\($0.by)" }
  }

  @Test func aClientInTimeConforms() throws {
    let found = try Self.conformance(
      "103 ws1#1 ws.ping dir=out id=1", "150 ws1#1 ws.pong dir=in id=1", "249 ws1#1 ws.ping dir=out id=2",
      "300 ws1#1 ws.pong dir=in id=2", "420 ws1#1 ws.ping dir=out id=3", end: 500)
    #expect(found.status == .expected)
    #expect(found.acts == 3)
    #expect(found.medianLateness == 3)
    #expect(found.worstLateness == 20)
    #expect(found.text().contains("3ms late in the middle, 20ms at worst"))
  }

  @Test func aPingBeforeItsTimeIsEarlyAndTheMachineGoesOnFromIt() throws {
    let found = try Self.conformance(
      "60 ws1#1 ws.ping dir=out id=1", "70 ws1#1 ws.pong dir=in id=1", "170 ws1#1 ws.ping dir=out id=2",
      end: 400)
    #expect(Self.kinds(found) == ["60 early ping by=40"])
    #expect(found.status == .differs)
    #expect(
      found.text().contains("the first departure: at 0.060s ws1#1 ping came 40ms too early"))
    #expect(found.text().contains("recorded: line 4: ws1#1 ping 1 sent"))
    #expect(found.text().contains("because of: line 3: ws1#1 opened"))
  }

  @Test func aPingBeyondTheSlackIsLate() throws {
    let lines = ["350 ws1#1 ws.ping dir=out id=1", "351 ws1#1 ws.ping dir=out id=1"]
    #expect(try Self.conformance(lines[0], end: 400).status == .expected)
    let late = try Self.conformance(lines[1], "400 ws1#1 ws.pong dir=in id=1", end: 450)
    #expect(Self.kinds(late) == ["351 late ping by=251"])
  }

  @Test func aPingThatNeverComesIsMissing() throws {
    #expect(Self.kinds(try Self.conformance(end: 351)) == ["100 missing ping by=0"])
    // Up to the slack it may still come.
    #expect(try Self.conformance(end: 350).departures.isEmpty)
    #expect(try Self.conformance(end: 350).status == .inconclusive)
    // A connection that ends meanwhile asks for none.
    #expect(try Self.conformance("200 ws1#1 ws.end cause=reset dir=in").departures.isEmpty)
  }

  @Test func whatComesInMeanwhileMakesNothingLessLate() throws {
    let pongs = (1...4).map { "\(100 * $0) ws1#1 ws.pong dir=in id=0" }
    #expect(
      Self.kinds(try Self.conformance(pongs[0], pongs[1], pongs[2], pongs[3], end: 420)) == [
        "100 missing ping by=0"
      ])
    let late = try Self.conformance(
      "120 ws1#1 ws.pong dir=in id=0", "130 ws1#1 ws.ping dir=out id=1", end: 200)
    #expect(late.worstLateness == 30)
  }

  @Test func aSecondPingWhileOneIsUnansweredIsExtra() throws {
    let found = try Self.conformance(
      "100 ws1#1 ws.ping dir=out id=1", "200 ws1#1 ws.ping dir=out id=2", "210 ws1#1 ws.pong dir=in id=2",
      "310 ws1#1 ws.ping dir=out id=3", end: 400)
    // The machine wants no ping then: its only wish is to close at the deadline.
    #expect(Self.kinds(found) == ["200 extra ping by=0"])
  }

  @Test func aCloseThatShouldHaveBeenIsMissing() throws {
    let found = try Self.conformance(
      "100 ws1#1 ws.ping dir=out id=1", "1400 ws1#1 ws.ping dir=out id=2", "1410 ws1#1 ws.pong dir=in id=2",
      "1510 ws1#1 ws.ping dir=out id=3", end: 1_600)
    #expect(Self.kinds(found) == ["1100 missing close by=0"])
  }

  @Test func aCloseInTimeConformsHoweverItIsSeen() throws {
    for line in ["1105 ws1#1 ws.close dir=out by=unknown", "1105 ws1#1 ws.end cause=reset dir=out"] {
      let found = try Self.conformance("100 ws1#1 ws.ping dir=out id=1", line)
      #expect(found.status == .expected)
      #expect(found.acts == 2)
    }
  }

  @Test func theNextConnectionStartsClean() throws {
    let found = try Self.conformance(
      "60 ws1#1 ws.close dir=out by=machine", "100 ws1#2 ws.connect", "100 ws1#2 ws.open",
      "200 ws1#2 ws.ping dir=out id=1", end: 300)
    #expect(Self.kinds(found) == ["60 extra close by=0"])
    #expect(found.acts == 2)
  }

  @Test func whatASourceCannotSeeIsNoDeparture() throws {
    let blind = ",\"blind\":[\"ws.close\"]" + Self.header
    #expect(
      try Self.conformance("100 ws1#1 ws.ping dir=out id=1", header: blind).departures.isEmpty)
    #expect(
      !(try Self.conformance("100 ws1#1 ws.ping dir=out id=1").departures.isEmpty))
  }

  @Test func nothingIsSaidBetweenAHoleAndTheNextPing() throws {
    let found = try Self.conformance(
      "50 ws1#1 rec.gap why=lost", "2000 ws1#1 ws.ping dir=out id=1", "2010 ws1#1 ws.pong dir=in id=1",
      "2110 ws1#1 ws.ping dir=out id=2", end: 2_200)
    #expect(found.status == .expected)
  }

  @Test func aRetryOutsideOfTheBandDeparts() throws {
    func kinds(_ sent: Int) throws -> [String] {
      let trace = try Written(
        "0 http1 http.send req=1 try=1 method=GET", "0 http1 http.response req=1 try=1 status=503",
        "\(sent) http1 http.send req=1 try=2 method=GET", "9000 rec.end why=eof", source: "pcap",
        header: ",\"blind\":[\"unit\"]"
      ).trace()
      return Self.kinds(try Conformance(trace, .of(.retry)))
    }
    #expect(try kinds(497) == ["497 early send by=3"])
    #expect(try kinds(498) == [])
    #expect(try kinds(750) == [])
    #expect(try kinds(1_250) == [])
    #expect(try kinds(1_251) == ["1251 late send by=251"])
  }

  @Test func aRetryThatIsNotAllowedIsExtraAndOneThatIsMissingToo() throws {
    let post = try Written(
      "0 http1 http.send req=1 try=1 method=POST", "0 http1 http.response req=1 try=1 status=503",
      "900 http1 http.send req=1 try=2 method=POST", "9000 rec.end why=eof", source: "pcap"
    ).trace()
    #expect(Self.kinds(try Conformance(post, .of(.retry))) == ["900 extra send by=0"])
    let none = try Written(
      "0 http1 http.send req=1 try=1 method=GET", "0 http1 http.response req=1 try=1 status=503",
      "9000 rec.end why=eof", source: "pcap"
    ).trace()
    #expect(Self.kinds(try Conformance(none, .of(.retry))) == ["1000 missing send by=0"])
  }

  @Test func anotherCursorDiffers() throws {
    let trace = try Written(
      "0 sse1#1 sse.connect", "10 sse1#1 sse.open status=200 type=text/event-stream",
      "20 sse1#1 sse.event n=1 id=e1 bytes=4", "30 sse1#1 sse.cut cause=eof dir=in partial=0",
      "3030 sse1#2 sse.connect cursor=e2", "3040 rec.end why=eof", source: "pcap",
      header: ",\"blind\":[\"handler\"]"
    ).trace()
    let found = try Conformance(trace, .of(.stream))
    #expect(Self.kinds(found) == ["3030 differs connect by=0"])
  }
}
