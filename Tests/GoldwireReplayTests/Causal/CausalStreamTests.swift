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
    #expect(causal.verdict == .inconclusive)
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
}
