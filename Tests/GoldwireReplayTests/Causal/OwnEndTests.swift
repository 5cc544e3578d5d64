import GoldwireReplay
import GoldwireTrace
import Testing

/// How the client's own end shows on the wire.
@Suite("What the client ends itself is no end from outside, whenever it shows")
struct OwnEndTests {
  @Test(
    "Its FIN, with its close or without it, at the instant at which its timer is due",
    arguments: [
      ["ws.close dir=out code=1001 by=machine", "ws.end cause=fin dir=out"], ["ws.end cause=fin dir=out"],
    ])
  func ownFinish(_ lines: [String]) throws {
    for source in ["written", "tap"] {
      var recorded = Recorded()
      recorded.source = source
      recorded.connect(at: 0)
      recorded.pings(5, late: 0)
      recorded.unanswered(late: 0)
      let due = recorded.now + 10
      for line in lines { recorded.event(at: due, line) }
      recorded.connect(at: due + 2)
      recorded.pings(8, late: 0)
      let same = try recorded.asked("timeout=10s")
      #expect(same.grades == [.observed])
      #expect(same.actions.count { $0.line.why == "pongTimeout" } == 1)
      let longer = try recorded.asked("timeout=20s")
      #expect(longer.verdict == .inconclusive, "\(source)")
      #expect(!longer.actions.contains { $0.line.why == "fin" })
    }
  }
}
