import GoldwireReplay
import GoldwireTrace
import Testing

/// Retries with another schedule, in the readings that a recording leaves open.
@Suite("A schedule of retries is firm where time and attempts say the same") struct CausalRequestTests {
  /// Refused so many times by 503, or by nobody, at instants of a schedule, then answered, or given up; instants in
  /// milliseconds.
  private static func episode(
    _ sends: [Int], answered: Bool, retryAfter: Int? = nil, isAway: Bool = false, rest: Int = 120_000
  ) throws -> Trace {
    var lines: [String] = []
    for (index, t) in sends.enumerated() {
      let attempt = index + 1
      lines.append("\(t) http1 http.send req=1 try=\(attempt) method=GET")
      let isLast = attempt == sends.count
      if isLast, answered {
        lines.append("\(t + 20) http1 http.response req=1 try=\(attempt) status=200")
      } else {
        let asked = retryAfter.map { " retryAfter=\($0)" } ?? ""
        lines.append(
          "\(t + 20) http1 "
            + (isAway
              ? "http.error req=1 try=\(attempt) cause=refused"
              : "http.response req=1 try=\(attempt) status=503\(asked)"))
        if !isLast {
          let span = sends[attempt] - t - 20
          lines.append("\(t + 20) http1 http.wait req=1 try=\(attempt + 1) for=\(span) unit=1000000")
        }
      }
    }
    let end = (sends.last ?? 0) + 20
    lines.append("\(end) http1 http.stop req=1 why=\(answered ? "delivered" : "budget")")
    lines.append("\(end + rest) rec.end why=stopped")
    return try Written(
      lines: lines, source: "tap", unit: "ms",
      header: ",\"inForce\":{\"retry\":{\"base\":\"1s\",\"transport\":true}},\"inForceBy\":\"driver\""
    ).trace()
  }

  private static func asked(_ trace: Trace, _ text: String) throws -> CausalReplay {
    var overrides = ParameterTable()
    for word in text.split(separator: " ") { try overrides.set(option: "retry.\(word)") }
    return try CausalReplay(trace, MachineParameters(asking: .retry, of: trace.header, overrides: overrides))
  }

  /// 1 s, 2 s and 4 s after answers that take 20 ms.
  private static let schedule = [0, 1_020, 3_040, 7_060]

  @Test func whatWasInForceIsTheRecording() throws {
    let causal = try Self.asked(Self.episode(Self.schedule, answered: true), "base=1s")
    #expect(causal.verdict == .same)
    #expect(causal.grades == [.observed])
    #expect(causal.actions.map(\.line.short).last == "7080 http1 r1 stop delivered")
  }

  @Test func aSlowerScheduleIsAnsweredWhereBothReadingsSaySo() throws {
    // 2 s, 4 s: its third attempt comes at 6.04 s, before the recorded answer; its fourth at 14 s.
    let causal = try Self.asked(Self.episode(Self.schedule, answered: true), "base=2s")
    #expect(causal.actions.first?.line.grade == .observed)
    #expect(causal.actions.last?.line.why == "delivered")
    #expect(causal.verdict == .inconclusive)
    #expect(
      causal.told.contains("whether the server was back at an instant, or after so many attempts")
        || causal.told.contains("assumed"))
  }

  @Test func theSamePressureAndALaterLastAttemptIsFirm() throws {
    // The cap is no matter; the last wait alone is longer.
    let causal = try Self.asked(Self.episode([0, 1_020], answered: true), "base=2s")
    #expect(causal.verdict == .same)
    #expect(causal.grades.min() == .interpolated)
    #expect(causal.told.contains("delivered at 2.040s in place of 1.040s"))
  }

  @Test func fewerRetriesAreARegression() throws {
    let causal = try Self.asked(Self.episode(Self.schedule, answered: true), "count=2")
    #expect(causal.verdict == .regression)
    #expect(causal.parts[0].branches.first?.line.why == "budget")
    #expect(
      causal.told.contains("budget at 3.060s, where the recorded client's ended as delivered at 7.080s"))
  }

  @Test func oneMoreAfterGivingUpIsNotKnown() throws {
    let causal = try Self.asked(Self.episode(Self.schedule, answered: false), "count=6")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("the recorded client gave up after 4 sends: nobody knows"))
  }

  @Test func whatIsStillUnderWayIsNotAsItWas() throws {
    // The recording ends a second after the client gave up: the next of ten retries would come later.
    let patient = try Self.asked(Self.episode(Self.schedule, answered: false, rest: 1_000), "count=10")
    #expect(patient.verdict == .inconclusive)
    #expect(patient.told.contains("where the recorded client's ended as budget at 7.080s"))
    let slow = try Self.asked(Self.episode(Self.schedule, answered: true, rest: 1_000), "base=10s")
    #expect(slow.verdict == .inconclusive)
    #expect(!slow.told.contains("as it was"))
  }

  @Test func fasterRetriesFailUpToTheLastRefusal() throws {
    let causal = try Self.asked(Self.episode(Self.schedule, answered: true), "base=500ms")
    // 0.5, 1.5 and 3.6 s: the first three are refused in both readings, the fourth is not known.
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("it ends as budget or delivered"))
  }

  @Test func aStatedDelayIsHonoured() throws {
    let trace = try Self.episode([0, 5_020], answered: true, retryAfter: 5)
    let causal = try Self.asked(trace, "base=200ms")
    #expect(causal.actions.map(\.line.t) == [20, 5_020, 5_040])
    #expect(causal.verdict == .same)
  }

  @Test func jitterBeforeTheCapIsAsked() throws {
    // Refused by 503 at each send; units of one, so that each delay is the longest.
    let trace = try Self.episode([0, 1_020, 3_040, 7_060], answered: true)
    func waits(_ text: String) throws -> [Int?] {
      try Self.asked(trace, text).actions.filter { $0.line.action == .wait }.map(\.line.wait)
    }
    #expect(try waits("cap=1500ms jitter=beforeCap") == [1_000, 1_500, 1_500])
    #expect(try waits("cap=1500ms jitter=afterCap") == [1_000, 1_500, 1_500])
    #expect(try waits("cap=1500ms") == [1_000])
    #expect(try Self.asked(trace, "cap=1500ms").actions.last?.line.why == "deferred")
    #expect(try Self.asked(trace, "jitter=beforeCap").verdict == .same)
    #expect(
      try Self.asked(trace, "cap=1500ms jitter=beforeCap").text().contains(
        "retry.jitter uncapped → beforeCap"))
  }

  /// What is the likeliest where the recording does not tell: by the number of attempts if a server was there to count
  /// them; else refused up to 3.04 s, answered from 7.06 s on, and in between by the middle, 5.05 s.
  @Test(
    arguments: [
      // The fourth attempt is answered, the third is not, whenever they come.
      ("base=100ms count=6", false, [120, 340, 760], 780),
      ("base=3s", false, [3_020, 9_040, 21_060], 21_080),
      ("base=500ms", false, [520, 1_540, 3_560], 3_580),
      ("base=1700ms", false, [1_720, 5_140, 11_960], 11_980),
      // With nobody there, what is before the middle fails, and what is after it does not.
      ("base=500ms count=6", true, [520, 1_540, 3_560, 6_580], 6_600),
      ("base=1700ms", true, [1_720, 5_140], 5_160),
    ] as [(String, Bool, [Int], Int)])
  func theLikeliestReadingIsTold(asked: String, isAway: Bool, sends: [Int], end: Int) throws {
    let causal = try Self.asked(Self.episode(Self.schedule, answered: true, isAway: isAway), asked)
    #expect(causal.actions.filter { $0.line.action == .send }.map(\.line.t) == sends)
    #expect(causal.actions.last?.line.short == "\(end) http1 r1 stop delivered")
    #expect((causal.actions.last?.line.grade ?? .observed) <= .assumed)
    #expect(causal.verdict != .regression)
  }

  /// A server that says when to come again goes by the instant: the fourth attempt, at 4.06 s, is before the middle.
  @Test func whoSaysWhenIsTakenAtItsWord() throws {
    let causal = try Self.asked(Self.episode(Self.schedule, answered: true, retryAfter: 1), "base=500ms")
    #expect(causal.actions.last?.line.short == "4080 http1 r1 stop budget")
    #expect(causal.actions.last?.line.grade == .unidentified)
    #expect(causal.verdict == .inconclusive)
  }

  /// What other requests met meanwhile tells what a server goes by.
  @Test func otherRequestsTellWhatAServerGoesBy() throws {
    /// Another request, refused at these instants, and answered at the last.
    func stop(_ sends: [Int], retryAfter: Int? = nil) throws -> GoldenLine? {
      let alone = try Self.episode(Self.schedule, answered: true, retryAfter: retryAfter)
      var lines: [String] = []
      for (place, t) in sends.enumerated() {
        let attempt = place + 1
        let isLast = attempt == sends.count
        lines.append("\(t) http2 http.send req=1 try=\(attempt) method=GET")
        lines.append("\(t + 20) http2 http.response req=1 try=\(attempt) status=\(isLast ? 200 : 503)")
        guard !isLast else { continue }
        let wait = sends[attempt] - t - 20
        lines.append("\(t + 20) http2 http.wait req=1 try=\(attempt + 1) for=\(wait) unit=1000000")
      }
      lines.append("\((sends.last ?? 0) + 20) http2 http.stop req=1 why=delivered")
      let other = try Written(lines: lines, source: "tap", unit: "ms").trace()
      let all = (alone.lines.dropLast() + other.lines).enumerated().sorted {
        ($0.element.t, $0.offset) < ($1.element.t, $1.offset)
      }
      let trace = Trace(header: alone.header, lines: all.map(\.element) + alone.lines.suffix(1))
      return try Self.asked(trace, "base=500ms").actions.last { $0.line.channel?.number == 1 }?.line
    }
    // One that is answered between two refusals: the server was there, and counts, whatever it says.
    #expect(try stop([2_000], retryAfter: 1)?.short == "4080 http1 r1 stop delivered")
    #expect(try stop([5_000], retryAfter: 1)?.short == "4080 http1 r1 stop budget")
    // Refused once, and answered when the first was still to be: both were refused up to an instant.
    #expect(try stop([4_000, 5_020])?.short == "3580 http1 r1 stop budget")
    #expect(try stop([8_000, 9_020])?.short == "3580 http1 r1 stop delivered")
    // No line is firmer for it.
    #expect(try stop([2_000])?.grade == .unidentified)
  }

  /// Where all attempts were refused, what either reading has refused is; nothing beyond is told.
  @Test func whoGaveUpIsToldOfAsFarAsOneReadingGoes() throws {
    let trace = try Self.episode(Self.schedule, answered: false)
    let slower = try Self.asked(trace, "base=2s")
    #expect(slower.actions.last?.line.short == "14080 http1 r1 stop budget")
    #expect(slower.actions.last?.line.grade == .unidentified)
    #expect(slower.verdict == .inconclusive)
    let more = try Self.asked(trace, "base=100ms count=9")
    // All up to the seventh, at 5.02 s, come before the last refusal; of the eighth nothing is known.
    #expect(more.actions.last?.line.short == "9840 http1 r1 send try=8")
  }
}
