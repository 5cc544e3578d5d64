import GoldwireReplay
import GoldwireTrace
import Testing

/// A capture's acknowledgements: they prove the path and the peer's host, not the server behind it.
@Suite struct AcknowledgementTests {
  /// A client that sends a message every so many seconds, acknowledged after a round trip and echoed, besides its pings.
  private static func talk(every pause: Double, acknowledged: Bool = true, echoed: Bool = true) -> Recorded {
    var recorded = Recorded(interval: 20, timeout: 5)
    recorded.connect(at: 0.001)
    var next = recorded.now + pause
    for number in 0..<60 {
      let ping = recorded.now + 20.001
      next = max(next, recorded.now + 0.1)
      while next < ping - 0.2 {
        let trip = 0.04 + Double(number * 7 % 11) / 1_000
        recorded.message(at: next, "out")
        if acknowledged { recorded.acknowledged(at: next + trip) }
        if echoed { recorded.message(at: next + trip, "in") }
        next += pause
      }
      recorded.event(at: ping, "ws.ping dir=out id=\(recorded.count + 1)")
      recorded.event(at: ping + 0.04, "ws.pong dir=in id=\(recorded.count)")
      recorded.rest(until: ping + 0.04)
    }
    return recorded
  }

  private static func proofs(_ causal: CausalReplay) -> (own: Int, of: Int) {
    let pings = causal.actions.filter { $0.line.action == .ping }
    return (pings.count { $0.proof >= .bounded }, pings.count)
  }

  @Test("With a round trip every 2 s most answers are proved by themselves", arguments: [5, 8, 10])
  func aRoundTripEveryTwoSecondsProves(_ timeout: Int) throws {
    let causal = try Self.talk(every: 2).asked("interval=25s timeout=\(timeout)s")
    let (own, of) = Self.proofs(causal)
    #expect(of > 40)
    #expect(2 * own >= of)
    let alone = Self.proofs(
      try Self.talk(every: 2, acknowledged: false).asked("interval=25s timeout=\(timeout)s"))
    #expect(alone.own < own)
  }

  @Test func anAcknowledgementAloneProvesNoServer() throws {
    // Nothing that the server itself sent but the pongs: it may have hung meanwhile.
    let (own, of) = Self.proofs(try Self.talk(every: 2, echoed: false).asked("interval=25s timeout=5s"))
    #expect(3 * own < of)
  }

  @Test func theReportCountsProofs() throws {
    let told = try Self.talk(every: 6).asked("interval=25s timeout=5s").told
    #expect(told.contains("to rule that out, record a round trip every 1."))
    #expect(told.contains(" answers are proved"))
    #expect(!(try Self.talk(every: 1).asked("interval=25s timeout=5s").told.contains("are proved")))
  }

  @Test func aPingThatArrivedAndWasNotAnsweredIsTheServers() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(5)
    recorded.unanswered()
    let sent = recorded.now
    recorded.acknowledged(at: sent + 0.04)
    recorded.rest(until: sent)
    recorded.giveUp()
    // The server answers the next handshake when it is there again.
    recorded.raw(recorded.now + 2, "ws1#2 ws.connect")
    recorded.raw(recorded.now + 3, "ws1#2 ws.open status=101")
    recorded.raw(recorded.now + 40, "ws1#2 ws.ping dir=out id=1")
    let text = try CausalModel(recorded.trace()).text()
    #expect(
      text.contains(
        "a ping of connection 1 arrived, and was never answered: the server was silent from between"))
    #expect(!text.contains("an outage, a stall or a slow path"))
    // The server's silence is known to have lasted as long as the client waited: a proof.
    let causal = try recorded.asked("timeout=5s")
    let close = try #require(causal.actions.first { $0.line.action == .close })
    #expect(close.line.grade == .observed)
  }

  @Test func anAcknowledgementAfterTheDeadlineIsAnOutages() throws {
    // The hole ends after the client gave up: what was held comes through, and the end that waited behind it.
    var recorded = Recorded(interval: 20, timeout: 5)
    recorded.connect(at: 0.001)
    recorded.pings(5)
    recorded.unanswered()
    let sent = recorded.now
    recorded.acknowledged(at: sent + 7)
    recorded.event(at: sent + 7, "ws.end cause=fin dir=out")
    recorded.connect(at: sent + 7.5)
    recorded.pings(5)
    let text = try CausalModel(recorded.trace()).text()
    #expect(text.contains("a ping of connection 1 was never answered: an outage, a stall or a slow path"))
    #expect(!text.contains("the server was silent"))
  }

  @Test func whatArrivedIsNotOutstandingWhenAConnectionEnds() throws {
    func ended(acknowledged: Bool) throws -> Trace {
      var recorded = Recorded()
      recorded.connect(at: 0.001)
      recorded.pings(6)
      recorded.message(at: recorded.now + 10, "out")
      if acknowledged { recorded.acknowledged(at: recorded.now + 0.04) }
      recorded.event(at: recorded.now + 9, "ws.end cause=reset dir=in")
      recorded.connect(at: recorded.now + 2)
      recorded.pings(8)
      return try recorded.trace()
    }
    let known = try CausalModel(ended(acknowledged: true)).text()
    #expect(known.contains("connection 1 ended by reset, with nothing outstanding: by itself"))
    let unknown = try CausalModel(ended(acknowledged: false)).text()
    #expect(unknown.contains("connection 1 ended by reset, with data outstanding"))
  }

  @Test func whatMayHaveEndedAConnectionStaysSuspect() throws {
    // The host has the ping, and the server ends the connection for it: a round trip after it.
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(6)
    recorded.unanswered()
    recorded.acknowledged(at: recorded.now + 0.04)
    recorded.event(at: recorded.now + 0.001, "ws.end cause=fin dir=in")
    let text = try CausalModel(recorded.trace()).text()
    #expect(text.contains("ended by fin, a round trip after a send: by itself, or as the answer to it"))
  }

  @Test func anAcknowledgementAfterTheEndIsNone() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(5)
    recorded.unanswered()
    recorded.giveUp()
    recorded.acknowledged(at: recorded.now + 0.5)
    #expect(try CausalModel(recorded.trace()).text().contains("an outage, a stall or a slow path"))
  }
}
