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

  @Test func aCloseThatAnOutageHeldBack() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(5)
    recorded.unanswered()
    // Its timer was due 10 s after the ping; the packet was seen 18 s after it.
    let seen = recorded.now + 18
    recorded.event(at: seen, "ws.close dir=out code=1001 by=machine")
    recorded.connect(at: seen + 1)
    recorded.pings(8)
    let same = try recorded.asked("timeout=10s")
    #expect(same.grades == [.observed])
    #expect(same.verdict == .same)
    // From 10 s on nobody waited for the reply.
    let longer = try recorded.asked("timeout=15s")
    #expect(longer.verdict == .inconclusive)
    #expect(longer.told.contains("a recorded ping was never answered: nobody saw when the path"))
  }

  @Test func aPingThatNoPacketShows() throws {
    // It was due 0.1 s before the connection ended, and waited behind what an outage held.
    var recorded = Recorded()
    recorded.source = "pcap"
    recorded.connect(at: 0.001)
    recorded.pings(5)
    let last = recorded.now
    recorded.message(at: last + 25, "out")
    recorded.event(at: last + 30.1, "ws.end cause=reset dir=in")
    recorded.connect(at: last + 32)
    recorded.pings(5)
    #expect(try recorded.asked("timeout=11s").actions.count { $0.line.action == .ping } == 10)
  }

  @Test func threePunishedPingsAreNoAccident() throws {
    var recorded = Recorded(interval: 10)
    for _ in 0..<4 {
      recorded.connect(at: recorded.now + 1)
      recorded.pings(1)
      recorded.unanswered()
      recorded.event(at: recorded.now + 0.04, "ws.close dir=in code=1008")
    }
    recorded.rest(until: recorded.now + 60)
    let slower = try recorded.asked("interval=15s", until: recorded.now)
    // The likeliest is that pings further apart are borne; that it is so, nobody knows.
    #expect(!slower.actions.contains { $0.line.action == .ended })
    #expect(slower.verdict == .inconclusive)
  }

  /// Between an outage and the next ping, what lies between may have forgotten the connection, or the host have begun anew.
  @Test func aConnectionThatAnOutageMayHaveKilled() throws {
    var recorded = Recorded(interval: 20, timeout: 5)
    recorded.connect(at: 0.001)
    recorded.pings(4)
    recorded.unanswered()
    recorded.giveUp()
    recorded.connect(at: recorded.now + 1)
    recorded.pings(14)
    let causal = try recorded.asked("interval=60s", assume: "idle=300s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("whether it still knew the connection"))
    #expect(causal.told.contains("close: pongTimeout (unidentified)"))
    // The one that was opened behind the outage was forgotten by nobody.
    #expect(causal.actions.filter { $0.line.generation == 2 }.allSatisfy { $0.line.action == .ping })
  }
}
