import GoldwireReplay
import GoldwireTrace
import Testing

/// Readers with other parameters, on a stream that was cut and came back.
@Suite("Reconnections fail up to the last that failed, and are answered from the first that was")
struct CausalStreamTests {
  /// Events every second; a cut at 5.5 s, a failed request, and the stream again at 8.5 s; instants in milliseconds.
  private static func stream(failing: Bool, until end: Int = 30_000) throws -> Trace {
    var lines = ["0 sse1#1 sse.connect", "100 sse1#1 sse.open status=200 type=text/event-stream"]
    func events(_ gen: Int, _ range: ClosedRange<Int>) {
      for (place, number) in range.enumerated() {
        let t = number * 1_000
        lines.append("\(t) sse1#\(gen) sse.event n=\(place + 1) id=e\(number) bytes=9")
        lines.append("\(t) sse1#\(gen) sse.handled n=\(place + 1) ok=true")
        lines.append("\(t) sse1#\(gen) sse.commit cursor=e\(number)")
      }
    }
    events(1, 1...5)
    lines.append("5500 sse1#1 sse.cut cause=reset dir=in partial=0")
    if failing {
      lines.append("8500 sse1#2 sse.connect cursor=e5")
      lines.append("8520 sse1#2 sse.cut cause=error dir=in partial=0")
      lines.append("11520 sse1#3 sse.connect cursor=e5")
      lines.append("11600 sse1#3 sse.open status=200 type=text/event-stream")
      events(3, 12...20)
    } else {
      lines.append("8500 sse1#2 sse.connect cursor=e5")
      lines.append("8600 sse1#2 sse.open status=200 type=text/event-stream")
      events(2, 9...20)
    }
    lines.append("\(end) rec.end why=stopped")
    return try Written(
      lines: lines, source: "tap", unit: "ms",
      header: ",\"inForce\":{\"stream\":{\"delay\":\"3s\"}},\"inForceBy\":\"driver\""
    ).trace()
  }

  private static func asked(_ trace: Trace, _ text: String) throws -> CausalReplay {
    var overrides = ParameterTable()
    for word in text.split(separator: " ") { try overrides.set(option: "stream.\(word)") }
    return try CausalReplay(trace, MachineParameters(asking: .stream, of: trace.header, overrides: overrides))
  }

  @Test func aLongerDelayIsAnswered() throws {
    let causal = try Self.asked(Self.stream(failing: false), "delay=5s")
    #expect(causal.verdict == .same)
    #expect(causal.grades.min() == .interpolated)
    #expect(causal.actions.contains { $0.line.action == .connect && $0.line.t == 10_500 })
    #expect(causal.told.contains("17 events delivered"))
  }

  @Test func aShorterDelayMayComeTooEarly() throws {
    let causal = try Self.asked(Self.stream(failing: false), "delay=1s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("it matters when the server was back"))
  }

  @Test func aSilenceThatWasLivedThroughIsARegression() throws {
    let causal = try Self.asked(Self.stream(failing: false, until: 20_000), "idle=900ms")
    #expect(causal.verdict != .same)
    let quiet = try Self.asked(Self.stream(failing: false), "idle=15s")
    #expect(quiet.verdict == .same)
    let idle = try Self.asked(Self.stream(failing: false), "idle=5s")
    #expect(idle.verdict == .regression)
    #expect(idle.told.contains("given up for silence"))
  }

  /// An answer that came after seconds, or a silence that another reader would not have lived through, may have been the
  /// path's: who asks meanwhile is answered at once, or at its end.
  @Test(
    arguments: [
      (
        "delay=4s", 13_080,
        [
          "2000 sse1#1 sse.cut cause=reset dir=in partial=0", "5000 sse1#2 sse.connect cursor=e1",
          "13080 sse1#2 sse.open status=200 type=text/event-stream",
          "13090 sse1#2 sse.event n=1 id=e2 bytes=9",
          "13090 sse1#2 sse.handled n=1 ok=true", "13090 sse1#2 sse.commit cursor=e2",
        ]
      ),
      (
        "idle=4s", 13_080,
        [
          "13080 sse1#1 sse.event n=2 id=e2 bytes=9", "13080 sse1#1 sse.handled n=2 ok=true",
          "13080 sse1#1 sse.commit cursor=e2",
        ]
      ),
    ] as [(String, Int, [String])])
  func whoAsksInAStallMayWaitForItsEnd(asked: String, end: Int, rest: [String]) throws {
    let lines =
      [
        "0 sse1#1 sse.connect", "100 sse1#1 sse.open status=200 type=text/event-stream",
        "1000 sse1#1 sse.event n=1 id=e1 bytes=9", "1000 sse1#1 sse.handled n=1 ok=true",
        "1000 sse1#1 sse.commit cursor=e1",
      ] + rest + ["16000 rec.end why=stopped"]
    let trace = try Written(
      lines: lines, source: "tap", unit: "ms",
      header: ",\"inForce\":{\"stream\":{\"delay\":\"3s\"}},\"inForceBy\":\"driver\""
    ).trace()
    let causal = try Self.asked(trace, asked)
    let event = try #require(causal.actions.last { $0.line.action == .deliver })
    #expect(event.line.grade == .assumed || event.line.grade == .unidentified)
    #expect(event.latest >= end)
    // That the connection is given up for the silence is sure.
    #expect(causal.verdict == (asked.hasPrefix("idle") ? .regression : .inconclusive))
  }

  /// After the recorded reader gave a connection up, nobody knows whether more would have come on it.
  @Test func whoBearsALongerSilenceMayHearMore() throws {
    var lines = ["0 sse1#1 sse.connect", "100 sse1#1 sse.open status=200 type=text/event-stream"]
    func event(_ t: Int, _ gen: Int, _ n: Int, _ id: Int) {
      lines.append("\(t) sse1#\(gen) sse.event n=\(n) id=e\(id) bytes=9")
      lines.append("\(t) sse1#\(gen) sse.handled n=\(n) ok=true")
      lines.append("\(t) sse1#\(gen) sse.commit cursor=e\(id)")
    }
    event(1_000, 1, 1, 1)
    lines.append("3000 sse1#1 sse.cut cause=local dir=out partial=0")
    lines.append("6000 sse1#2 sse.connect cursor=e1")
    lines.append("6100 sse1#2 sse.open status=200 type=text/event-stream")
    for number in 2...8 { event(4_200 + number * 1_000, 2, number - 1, number) }
    lines.append("13000 rec.end why=stopped")
    let trace = try Written(
      lines: lines, source: "tap", unit: "ms",
      header: ",\"inForce\":{\"stream\":{\"delay\":\"3s\",\"idle\":\"2s\"}},\"inForceBy\":\"driver\""
    ).trace()
    let same = try Self.asked(trace, "delay=3s")
    #expect(same.verdict == .same)
    #expect(same.grades == [.observed])
    let longer = try Self.asked(trace, "idle=4s")
    #expect(longer.verdict == .inconclusive)
    let later = longer.actions.filter { $0.line.t > 3_000 }
    #expect(!later.isEmpty)
    #expect(later.allSatisfy { ($0.line.grade ?? .observed) <= .assumed })
  }

  @Test func whatWasInForceIsTheRecordingInTheModelToo() throws {
    for failing in [false, true] {
      let trace = try Self.stream(failing: failing)
      let causal = try Self.asked(trace, "delay=3s")
      #expect(causal.verdict == .same)
      #expect(causal.grades == [.observed])
    }
  }

  /// A server that answered the first request after a cut is taken to have been there; what it then said at once, to have
  /// come up evenly since it was heard last.
  @Test func whoIsSoonerIsLikelyAnswered() throws {
    var lines = ["0 sse1#1 sse.connect", "100 sse1#1 sse.open status=200 type=text/event-stream"]
    func event(_ t: Int, _ gen: Int, _ n: Int, _ id: Int) {
      lines.append("\(t) sse1#\(gen) sse.event n=\(n) id=e\(id) bytes=9")
      lines.append("\(t) sse1#\(gen) sse.handled n=\(n) ok=true")
      lines.append("\(t) sse1#\(gen) sse.commit cursor=e\(id)")
    }
    for number in 1...5 { event(number * 1_000, 1, number, number) }
    lines.append("5500 sse1#1 sse.cut cause=reset dir=in partial=0")
    lines.append("8500 sse1#2 sse.connect cursor=e5")
    lines.append("8600 sse1#2 sse.open status=200 type=text/event-stream")
    for number in 6...8 { event(8_600, 2, number - 5, number) }
    for number in 9...12 { event(number * 1_000, 2, number - 5, number) }
    lines.append("20000 rec.end why=stopped")
    let trace = try Written(
      lines: lines, source: "tap", unit: "ms",
      header: ",\"inForce\":{\"stream\":{\"delay\":\"3s\"}},\"inForceBy\":\"driver\""
    ).trace()
    let causal = try Self.asked(trace, "delay=1s")
    #expect(causal.actions.filter { $0.line.action == .connect }.map(\.line.t) == [6_500])
    let delivered = causal.actions.filter { $0.line.action == .deliver }
    #expect(delivered.map(\.line.t).dropFirst(5) == [6_600, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000])
    #expect(delivered.dropFirst(5).allSatisfy { ($0.line.grade ?? .observed) <= .assumed })
    // One of them may have been there from the cut on, or no sooner than it was heard.
    #expect(delivered[6].earliest == 6_600)
    #expect(delivered[6].latest == 8_600)
  }

  /// Between a request that failed at 8.5 s and one that did not, at 11.52 s, the middle decides.
  @Test(
    arguments: [("delay=2s", [7_500, 9_520, 11_540]), ("delay=2500ms", [8_000, 10_520])]
      as [(
        String, [Int]
      )])
  func betweenFailureAndSuccessTheMiddleDecides(asked: String, connects: [Int]) throws {
    let causal = try Self.asked(Self.stream(failing: true), asked)
    #expect(causal.actions.filter { $0.line.action == .connect }.map(\.line.t) == connects)
    #expect(causal.verdict == .inconclusive)
  }

  /// Who bears a silence that the recorded reader did not bear likely hears on what its next connection heard.
  @Test func whoBearsTheSilenceLikelyHearsOn() throws {
    let lines = [
      "0 sse1#1 sse.connect", "100 sse1#1 sse.open status=200 type=text/event-stream",
      "1000 sse1#1 sse.event n=1 id=e1 bytes=9", "1000 sse1#1 sse.handled n=1 ok=true",
      "1000 sse1#1 sse.commit cursor=e1", "3000 sse1#1 sse.cut cause=local dir=out partial=0",
      "6000 sse1#2 sse.connect cursor=e1", "6100 sse1#2 sse.open status=200 type=text/event-stream",
      "6200 sse1#2 sse.event n=1 id=e2 bytes=9", "6200 sse1#2 sse.handled n=1 ok=true",
      "6200 sse1#2 sse.commit cursor=e2", "7000 rec.end why=stopped",
    ]
    let trace = try Written(
      lines: lines, source: "tap", unit: "ms",
      header: ",\"inForce\":{\"stream\":{\"delay\":\"3s\",\"idle\":\"2s\"}},\"inForceBy\":\"driver\""
    ).trace()
    let causal = try Self.asked(trace, "idle=8s")
    let last = try #require(causal.actions.last { $0.line.action == .deliver })
    #expect(last.line.short == "6200 sse1#1 deliver n=2 id=e2")
    #expect(last.line.grade == .unidentified)
    #expect(causal.verdict == .inconclusive)
  }
}
