import GoldwireTrace
import Testing

@testable import GoldwireReplay

/// Recordings as only odd clients make them: with what was in force a prediction is still the recording.
@Suite("Run through the model, with what was in force, odd recordings stay as they are")
struct CausalOddityTests {
  private static func isTheRecording(
    _ lines: [String], _ inForce: String, source: String = "written",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let trace = try Written(lines: lines, source: source, unit: "ms").trace()
    let parameters = try MachineParameters.of(.heartbeat, inForce)
    var asked = trace
    asked.header.inForce = ParameterTable([.heartbeat: parameters.values])
    let (replayed, _) = try TraceReplay.replay(
      asked, parameters, options: ReplayOptions(tick: .standard(for: asked.header.source)))
    let model = try CausalReplay(
      asked, parameters, CausalAssumptions(), nil, Configuration(), isShort: false)
    #expect(model.actions.map(\.line.short) == replayed.short, sourceLocation: location)
    #expect(model.grades.subtracting([.observed]) == [], sourceLocation: location)
  }

  @Test func numbersThatWereLeftOut() throws {
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.open", "400 ws1#1 ws.end cause=reset dir=in",
        "500 ws1#3 ws.connect",
        "550 ws1#3 ws.open", "1600 ws1#3 ws.pong dir=in", "2700 ws1#3 ws.end cause=fin dir=in",
        "3000 rec.end why=stopped",
      ], "interval=1s timeout=300ms")
  }

  @Test func aUserWhoClosesBeforeItIsOpen() throws {
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.close dir=out code=1000 by=user", "90 ws1#2 ws.connect",
        "140 ws1#2 ws.open",
        "1200 ws1#2 ws.pong dir=in", "3000 rec.end why=stopped",
      ], "interval=1s timeout=300ms")
  }

  @Test func aCodeThatCameBeforeItWasOpen() throws {
    try Self.isTheRecording(
      ["0 ws1#1 ws.connect", "50 ws1#1 ws.close dir=in code=1013", "3000 rec.end why=stopped"],
      "interval=1s timeout=300ms")
  }

  @Test func anEndAtTheInstantOfTheOpening() throws {
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.open", "50 ws1#1 ws.end cause=reset dir=in", "90 ws1#2 ws.connect",
        "140 ws1#2 ws.open", "3000 rec.end why=stopped",
      ], "interval=1s timeout=5s")
  }

  @Test func aUserWhoClosesWhileAPingIsOut() throws {
    // Nobody answered until then: no world may.
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.open", "300 app.network to=wifi", "600 app.network to=cell",
        "800 ws1#1 ws.close dir=out code=1000 by=user", "3000 rec.end why=stopped",
      ], "interval=2s timeout=1s")
  }

  @Test func theOrderOfLinesAtOneInstant() throws {
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.open", "50 app.network to=wifi", "90 ws1#1 ws.pong dir=in",
        "1090 ws1#1 ws.pong dir=in", "1091 ws1#1 ws.pong dir=in", "2500 app.network to=cell",
        "2500 ws1#1 ws.pong dir=in", "3000 ws1#1 ws.pong dir=in", "6000 rec.end why=stopped",
      ], "interval=1s timeout=2s")
  }

  @Test func aReplyAfterTheNextPingWasDue() throws {
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.open", "3300 ws1#1 ws.pong dir=in", "4700 ws1#1 ws.pong dir=in",
        "9000 rec.end why=stopped",
      ], "interval=1s timeout=4s cadence=fixed")
  }

  @Test func whatCameInTheOutageThatEndedIt() throws {
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.open", "1200 ws1#1 ws.message dir=in kind=text bytes=3",
        "1900 ws1#1 ws.message dir=in kind=text bytes=3", "2000 ws1#1 ws.message dir=out kind=text bytes=3",
        "6000 rec.end why=stopped",
      ], "interval=1s timeout=1s policy=anyInboundIsLife")
  }

  @Test func somethingThatHappensBeforeALateTimer() throws {
    // The ping was due at 1.05 s and sent at 1.2 s; at 1.1 s the network had changed.
    try Self.isTheRecording(
      [
        "0 ws1#1 ws.connect", "50 ws1#1 ws.open", "1100 ws1#1 ws.message dir=in kind=text bytes=3",
        "1150 app.background", "1160 app.foreground", "1160 ws1#1 ws.ping dir=out id=1",
        "1200 ws1#1 ws.pong dir=in id=1",
        "2230 ws1#1 ws.ping dir=out id=2", "2260 ws1#1 ws.pong dir=in id=2", "3000 rec.end why=stopped",
      ], "interval=1s timeout=500ms", source: "tap")
  }

  @Test("Random recordings, of one seed each", arguments: 0..<40)
  func randomOnes(_ seed: Int) throws {
    var random = OddRecording(seed: UInt64(seed))
    try Self.isTheRecording(random.lines(), random.inForce)
  }
}
