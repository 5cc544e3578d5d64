import GoldwireReplay
import GoldwireTrace
import Testing

/// Changes of which it is known what they do.
@Suite("A prediction says what a change would do, or what to record in order to know")
struct CausalVerdictTests {
  @Test func aTimeoutBelowARecordedRoundTripIsARegression() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(5)
    recorded.unanswered()
    recorded.answer(after: 3.2)
    recorded.pings(10)
    let causal = try recorded.asked("timeout=3s")
    #expect(causal.verdict == .regression)
    let gained = try #require(causal.parts[0].branches.first)
    #expect(gained.kind == .gained)
    #expect(gained.line.action == .close && gained.line.why == "pongTimeout")
    #expect(gained.line.grade == .observed)
    #expect(causal.text().contains("rests on line 15: ws1#1 pong 6 came"))
    #expect(causal.told.contains("close: pongTimeout (observed) at"))
    #expect(causal.told.contains("where the recorded connection lived on"))
    #expect(try recorded.asked("timeout=4s").verdict == .same)
  }

  @Test func aHealthyHourBearsAShorterInterval() throws {
    let causal = try Recorded.healthyHour.asked("interval=25s")
    #expect(causal.verdict == .same)
    #expect(causal.grades.min() == .interpolated)
    #expect(causal.told.contains("141 pings in place of 118; every connection ends as it was recorded"))
    #expect(causal.text().contains("taken for given: the server bears pings however fast they come"))
    #expect(causal.told.contains("to rule that out, record a round trip every 4."))
  }

  @Test func aLongerIntervalIsSameOnlyWhereTrafficCoversTheSilence() throws {
    let alone = try Recorded.healthyHour.asked("interval=31s")
    #expect(alone.verdict == .inconclusive)
    #expect(alone.told.contains("31s of silence, and no silence over 30.001s (up to "))
    #expect(alone.told.contains("record a session with silences of 31s or more"))
    #expect(alone.told.contains("--assume idle=LENGTH"))

    // Messages at ever other instants; once there are none.
    var busy = Recorded()
    busy.connect(at: 0.001)
    for number in 0..<118 {
      let start = busy.now
      if number != 20 {
        busy.message(at: start + 4 + Double(number * 7 % 9), "in")
        busy.message(at: start + 14 + Double(number * 5 % 11), "out")
      }
      busy.event(at: start + 30.001, "ws.ping dir=out id=\(busy.count + 1)")
      busy.event(at: start + 30.041, "ws.pong dir=in id=\(busy.count)")
    }
    #expect(try busy.asked("interval=31s").verdict == .same)
  }

  @Test func aDeclaredLimitMakesItARegression() throws {
    var recorded = Recorded(interval: 20)
    recorded.connect(at: 0.001)
    recorded.pings(60)
    let undeclared = try recorded.asked("interval=30s")
    #expect(undeclared.verdict == .inconclusive)
    #expect(undeclared.told.contains("no silence over 20.001s"))
    let declared = try recorded.asked("interval=30s", assume: "idle=30s")
    #expect(declared.verdict == .regression)
    #expect(declared.parts[0].branches[0].line.grade == .interpolated)
    #expect(
      declared.text().contains("declared: what lies between forgets a connection after a silence of 30s"))
    // What keeps below the limit is borne, and rests on the premise.
    let below = try recorded.asked("interval=25s", assume: "idle=30s")
    #expect(below.verdict == .same)
    #expect(below.grades.min() == .interpolated)
  }

  @Test func aDeclaredLimitThatTheRecordingContradictsDecidesNothing() throws {
    let causal = try Recorded.healthyHour.asked("interval=25s", assume: "idle=20s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("contradicts the declared limit: a silence of 30.001s was survived"))
  }

  @Test func pooledTracesOfWhichOneWasKilledMakeItARegression() throws {
    var healthy = Recorded(interval: 20)
    healthy.connect(at: 0.001)
    healthy.pings(60)
    for times in [1, 5] {
      var pool = EvidencePool()
      pool.add(try healthy.trace())
      pool.add(try Recorded.killed(interval: 30, times: times).trace())
      pool.holdsAsked = true
      let causal = try healthy.asked("interval=30s", pool: pool)
      #expect(causal.verdict == .regression, "\(times)")
      #expect(causal.parts[0].branches[0].line.grade == .interpolated)
      #expect(causal.text().contains("pooled: what 2 traces of the server tell of silences"))
      #expect(try healthy.asked("interval=25s", pool: pool).verdict == .inconclusive)
    }
    // Without the killed one nobody knows.
    var pool = EvidencePool()
    pool.add(try healthy.trace())
    pool.holdsAsked = true
    #expect(try healthy.asked("interval=30s", pool: pool).verdict == .inconclusive)
  }

  @Test func theKilledOneItselfWouldHaveLivedWithAShorterInterval() throws {
    let killed = Recorded.killed(interval: 30, times: 8)
    let causal = try killed.asked("interval=15s", assume: "idle=30s")
    #expect(causal.verdict == .improvement)
    #expect(causal.told.contains("no longer: ws1#1 close: pongTimeout"))
  }

  @Test func fasterPingsCanBeDoubted() throws {
    let causal = try Recorded.healthyHour.asked("interval=25s", assume: "ping-rate=unknown")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("pings come 25.04s apart, closer than any that were recorded (30.041s)"))
  }

  @Test func anEndCloseToTheRecordingsOwnSettlesNothing() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(9)
    recorded.unanswered()
    recorded.giveUp()
    let causal = try recorded.asked("timeout=15s", until: recorded.now + 1)
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("the recording ends before it shows whether the asked client too"))
  }

  @Test func aReplyThatIsStillOutIsNoRegression() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(9)
    recorded.unanswered()
    let causal = try recorded.asked("timeout=3s", until: recorded.now + 6)
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("the recording ends before it shows whether the reply would have come"))
  }
}
