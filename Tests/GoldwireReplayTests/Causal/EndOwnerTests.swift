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
