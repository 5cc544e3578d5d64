import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Ties") struct TieTests {
  static func report(_ written: Written) throws -> ReplayReport {
    try ReplayReport(written.trace(), file: "a.jsonl", .quick(), ties: true)
  }

  @Test func aLineAtTheInstantOfATimerIsTakenBothWays() throws {
    let report = try Self.report(
      Written(
        "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "100 ws1#1 ws.end cause=reset dir=in",
        "500 rec.end why=written"))
    #expect(report.status == .differs)
    #expect(
      report.remarks.first
        == "tie at 0.100s: line 4 (ws1#1 connection ended: reset) and the machine's timer; the order decides")
    // What is asked stays as it is.
    #expect(report.actions.map { $0.line.short } == ["100 ws1#1 ended reset"])
  }

  @Test func aPongAtItsDeadlineIsLateBothWays() throws {
    let report = try Self.report(OrderTests.late)
    #expect(report.status == .expected)
    #expect(report.remarks == ["1 tie taken in both orders: the same actions"])
  }

  @Test func linesOfDifferentOriginsAreTakenBothWays() throws {
    // The user's close and the peer's at one instant: whoever is first gives the cause.
    let report = try Self.report(
      Written(
        "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "50 ws1#1 ws.close dir=in code=1000",
        "50 ws1#1 ws.close dir=out by=user", "90 rec.end why=written"))
    #expect(report.status == .differs)
    #expect(report.remarks.joined().contains("line 4 (ws1#1 peer's close 1000) and line 5"))
  }

  @Test func whatACauseOrAStreamPutsInOrderIsNoTie() throws {
    let report = try Self.report(
      Written(
        "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "50 ws1#1 ws.pong dir=in",
        "50 ws1#1 ws.close dir=in code=1000", "50 ws1#1 ws.end cause=fin dir=in", "90 rec.end why=written"))
    #expect(report.remarks == ["0 ties taken in both orders: the same actions"])
  }

  @Test func theyAreAFailureOfATest() throws {
    let folder = try Folder()
    try folder.write(
      Written(
        "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "100 ws1#1 ws.end cause=reset dir=in",
        "500 rec.end why=written"
      ).text, to: "a.jsonl")
    try folder.write(UpdateTests.config, to: "goldwire.json")
    _ = try folder.run(recordsMissing: true)
    #expect(try folder.run().status == .expected)
    let run = try folder.run(ties: true)
    #expect(run.status == .differs)
    #expect(run.results.map(\.verdict) == [.same])
    #expect(run.results[0].ties == 1)
    #expect(run.text().contains("1 tie that the order decides"))
  }
}
