import Testing

@testable import GoldwireReplay

/// An end that the asked client no longer has is not covered by another one that happens to be near.
@Suite("Each recorded end is one predicted end's") struct EndOwnerTests {
  /// The user closes one connection; the peer of the next is silent, and the client gives it up.
  private static func twoEnds(rest: Double) -> Recorded {
    var recorded = Recorded(interval: 1, timeout: 0.5)
    recorded.connect(at: 0.001, trip: 0.001)
    recorded.pings(6, trip: 0.001)
    recorded.event(at: recorded.now + 0.7, "ws.close dir=out code=1000 by=user")
    recorded.connect(at: recorded.now + 0.002, trip: 0.001)
    recorded.unanswered()
    recorded.giveUp()
    recorded.rest(until: recorded.now + rest)
    return recorded
  }

  @Test func aLostEndIsNotTheOneBefore() throws {
    // The recording ends half a second after the close: nobody saw what a patient client would have met.
    let patient = Self.twoEnds(rest: 0.5)
    let causal = try patient.asked("timeout=3s", until: patient.now)
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("the recording ends before it shows"))
    #expect(try patient.asked("timeout=500ms", until: patient.now).verdict == .same)
  }

  @Test func anEndThatOnlySomeWorldsHaveIsNeverTheSame() throws {
    let patient = Self.twoEnds(rest: 0.5)
    let causal = try patient.asked("timeout=600ms", until: patient.now)
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("a recorded ping was never answered"))
  }

  @Test func aCloseThatTheReportHasIsNeverTheSame() throws {
    // It comes close to the recording's end, where other worlds may only be late with it.
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(1)
    recorded.unanswered()
    recorded.message(at: recorded.now + 0.88, "in")
    recorded.answer(after: 3.12)
    recorded.rest(until: recorded.now + 1)
    for set in ["interval=29990ms timeout=3s", "interval=30001ms timeout=3s"] {
      let causal = try recorded.asked(set, until: recorded.now)
      #expect(causal.actions.contains { $0.line.action == .close })
      #expect(causal.verdict != .same, "\(set)")
    }
    #expect(try recorded.asked("timeout=3s", until: recorded.now).verdict == .regression)
  }

  @Test func whoDoesNotWaitForAnOpeningNeverHasTheConnection() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001, trip: 4)
    recorded.pings(5)
    let causal = try recorded.asked("connectTimeout=5s")
    #expect(causal.verdict == .regression)
    #expect(causal.actions.first?.line.why == "connectTimeout")
    #expect(causal.actions.first?.line.t == 5_001_000)
    #expect(causal.actions.first?.line.grade == .observed)
    #expect(try recorded.asked("connectTimeout=9s").verdict == .same)
  }

  @Test func anEndBelowInterpolatedIsNotTheSame() throws {
    // The second connection is closed by its peer, but who lives on in the first never makes it at that instant.
    var recorded = Recorded(interval: 0.3, timeout: 0.2)
    recorded.connect(at: 0.001, trip: 0.001)
    recorded.pings(1, trip: 0.001)
    recorded.unanswered()
    recorded.giveUp()
    recorded.connect(at: recorded.now + 0.005, trip: 0.001)
    recorded.pings(2, trip: 0.001)
    recorded.event(at: recorded.now + 0.001, "ws.close dir=in code=1000")
    for timeout in ["400ms", "1s", "100s"] {
      #expect(try recorded.asked("timeout=\(timeout)").verdict != .same, "\(timeout)")
    }
  }
}
