import GoldwireReplay
import GoldwireTrace
import Testing

/// Recordings of which not everything is known: each is answered with what can be said, and why no more.
@Suite struct CausalEdgeTests {
  @Test func aHoleMakesNothingBetterThanAssumed() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(3)
    recorded.raw(recorded.now + 1, "ws1 rec.gap why=ring")
    recorded.pings(9)
    let causal = try recorded.asked("interval=25s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("the recording has a hole, or begins in the middle of a connection"))
    #expect(!causal.actions.isEmpty)
    #expect(causal.grades.max() == .assumed)
  }

  @Test func nothingAfterAHoleIsSaid() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(3)
    recorded.raw(recorded.now + 1, "ws1 rec.gap why=lost")
    let causal = try recorded.asked("interval=25s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("nothing is known of it after the hole in the recording"))
  }

  @Test func whereItWasNotRecordedAtTheClientNothingIsObserved() throws {
    var recorded = Recorded.healthyHour
    recorded.at = "server"
    let causal = try recorded.asked("interval=25s")
    #expect(causal.grades.max() == .bounded)
    #expect(causal.text().contains("recorded at server, not at the client"))
    #expect(try recorded.asked("interval=30s").grades == [.bounded])
  }

  @Test("Elsewhere than at the client a reply is no arrival", arguments: ["server", "middle", "unknown"])
  func aReplyElsewhereIsNoArrival(_ at: String) throws {
    var recorded = Recorded.healthyHour
    #expect(try recorded.asked("timeout=1s").verdict == .same)
    recorded.at = at
    let causal = try recorded.asked("timeout=1s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("replies must come in time at the client"))
    // A longer wait takes nothing away that came within the old one.
    #expect(try recorded.asked("timeout=20s").verdict == .same)
  }

  @Test func aPauseHoldsTimersAndAnswers() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(2)
    let start = recorded.now
    recorded.raw(start + 100, "rec.pause for=95000000 slept=95000000")
    recorded.event(at: start + 100.001, "ws.ping dir=out id=3")
    recorded.answer(after: 0.04)
    recorded.pings(6)
    let causal = try recorded.asked("interval=4s")
    let before = Int((start + 5) * 1_000_000)
    let after = Int((start + 100) * 1_000_000)
    #expect(!causal.actions.contains { $0.line.t > before && $0.line.t < after })
    #expect(causal.actions.contains { $0.line.t == after })
  }

  @Test func theAppsStateIsKeptAtItsInstant() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(4)
    let start = recorded.now
    recorded.raw(start + 2, "app.background")
    recorded.raw(start + 400, "app.foreground")
    recorded.event(at: start + 400, "ws.ping dir=out id=5")
    recorded.answer(after: 0.04)
    recorded.pings(4)
    let causal = try recorded.asked("interval=20s")
    let silent = Int((start + 2) * 1_000_000)..<Int((start + 400) * 1_000_000)
    #expect(!causal.actions.contains { silent.contains($0.line.t) })
    #expect(causal.actions.contains { $0.line.t == silent.upperBound })
  }

  @Test func aClientThatIsNotTheMachineIsNamed() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(3)
    recorded.event(at: recorded.now + 12, "ws.ping dir=out id=4")
    recorded.answer(after: 0.04)
    recorded.pings(6)
    let causal = try recorded.asked("interval=25s")
    #expect(causal.verdict == .inconclusive)
    #expect(
      causal.told.contains("the recorded client is not the machine with interval 30s, timeout 10s: at 10"))
    #expect(causal.told.contains("see goldwire conform"))
  }

  @Test func whatNobodyStatedCannotBeAsked() throws {
    let trace = try Written("0 ws1#1 ws.connect", "9 ws1#1 ws.open", "900 rec.end why=eof", source: "pcap")
      .trace()
    let causal = try CausalReplay(trace, .quick())
    #expect(causal.verdict == .inconclusive)
    #expect(causal.text().contains("to state them, with the client's own values: goldwire cut TRACE"))
    #expect(causal.actions == [])
  }

  @Test func aClientThatNeverRestsIsCutOff() throws {
    let causal = try Recorded.healthyHour.asked("interval=1ms timeout=100ms")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("more than 65536 steps would follow"))
  }

  @Test func twoChannelsAreTwoParts() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.raw(0.1, "ws2#1 ws.connect")
    recorded.pings(9)
    recorded.raw(recorded.now + 1, "ws2#1 ws.refused cause=refused")
    let causal = try recorded.asked("interval=25s")
    #expect(causal.parts.map(\.channel.description) == ["ws1", "ws2"])
    #expect(causal.parts[0].verdict == .same)
  }

  @Test func assumptionsAreRead() throws {
    var assumptions = CausalAssumptions()
    try assumptions.set(option: "idle=30s")
    try assumptions.set(option: "ping-rate=unknown")
    #expect(assumptions == CausalAssumptions(idle: TimeSpan(microseconds: 30_000_000), pingRate: .unknown))
    for wrong in ["idle", "idle=30", "ping-rate=fast", "patience=1s", ""] {
      #expect(throws: ReplayError.self) { try assumptions.set(option: wrong) }
    }
  }

  /// Behind lost bytes a ping is on the wire late, and nobody saw when the client sent it.
  @Test func aPingThatWaitedMakesACaptureDoubtful() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(4)
    recorded.pings(1, late: 4)
    recorded.pings(4)
    func asked(_ source: String, _ blind: String) throws -> CausalReplay {
      recorded.source = source
      let text = recorded.text().replacing("\"at\":\"client\"", with: "\"at\":\"client\"" + blind)
      let trace = try Trace(bytes: Array(text.utf8))
      var overrides = ParameterTable()
      try overrides.set(option: "heartbeat.interval=25s")
      return try CausalReplay(
        trace, MachineParameters(asking: .heartbeat, of: trace.header, overrides: overrides))
    }
    #expect(try asked("tap", "").verdict == .same)
    let seen = try asked("pcap", ",\"blind\":[\"tick\"]")
    #expect(seen.verdict == .inconclusive)
    #expect(seen.grades.max() == .assumed)
    #expect(seen.told.contains("is late"))
  }

  @Test func whatFollowsAProvedAnswerRestsOnItsInstantToo() throws {
    let causal = try Recorded.healthyHour.asked("interval=25s timeout=120s")
    #expect(causal.actions.contains { $0.proof == .bounded })
    #expect(!causal.grades.contains(.bounded))
    #expect(causal.grades.contains(.interpolated))
  }
}
