import Foundation
import GoldwireCommand
import Testing

/// `replay --causal`, `show --model` and `sweep` on a trace of the corpus.
@Suite struct CausalVerbsTests {
  private static let trace = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces/heartbeat-slow-reply/trace.jsonl").path

  @Test func aRegressionIsStatusOne() {
    let run = TestRun(["replay", "--causal", Self.trace, "--set", "heartbeat.timeout=3s"])
    #expect(run.status == .differs)
    #expect(run.output.contains("heartbeat.timeout 10s → 3s: regression\n"))
    #expect(run.output.contains("ws1#1 close: pongTimeout (observed)"))
  }

  @Test func sameIsStatusZeroAndInconclusiveThree() {
    let same = TestRun(["replay", "--causal", Self.trace, "--set", "heartbeat.timeout=4s"])
    #expect(same.status == .expected)
    let longer = TestRun(["replay", "--causal", Self.trace, "--set", "heartbeat.interval=31s"])
    #expect(longer.status == .inconclusive)
    #expect(longer.output.contains("was survived here"))
    let declared = TestRun([
      "replay", "--causal", Self.trace, "--set", "heartbeat.interval=31s", "--assume", "idle=30500ms",
    ])
    #expect(declared.status == .differs)
    #expect(
      declared.output.contains("declared: what lies between forgets a connection after a silence of 30500ms"))
  }

  @Test func jsonEndsWithTheVerdict() throws {
    let run = TestRun(["replay", "--causal", "--json", Self.trace, "--set", "heartbeat.timeout=3s"])
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix(
        "{\"action\":{\"t\":30080,\"ch\":\"ws1\",\"gen\":1,\"do\":\"ping\",\"grade\":\"observed\"}") == true)
    #expect(lines.last?.hasSuffix("\"verdict\":\"regression\",\"status\":1}") == true)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }

  @Test func aGoldenIsWrittenWithGrades() throws {
    let file = FileManager.default.temporaryDirectory.path + "/golden-\(UInt64.random(in: 0 ... .max)).jsonl"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let run = TestRun(["replay", "--causal", Self.trace, "--set", "heartbeat.timeout=4s", "-w", file])
    #expect(run.status == .expected)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"mode\":\"causal\""))
    #expect(text.contains("\"do\":\"ping\",\"grade\":\"observed\"}"))
  }

  @Test func theModelNamesItsLines() {
    let run = TestRun(["show", "--model", Self.trace])
    #expect(run.status == .expected)
    #expect(run.output.contains("a reply came after 3.2s"))
    #expect(
      TestRun(["show", "--model", "--json", Self.trace]).output.hasPrefix("{\"ch\":\"ws1\",\"inferred\":"))
  }

  @Test func aSweepMarksWhatNothingBeats() {
    let words = [
      "sweep", Self.trace, "--grid", "heartbeat.interval=15s,30s", "--grid", "heartbeat.timeout=3s,5s",
    ]
    let run = TestRun(words)
    #expect(run.status == .expected)
    #expect(run.output.contains("heartbeat: 4 points over 1 trace, 1 channel; * no other point beats it"))
    let csv = TestRun(words + ["--csv"]).output
    #expect(csv.hasPrefix("interval,timeout,pings,closes,falseCloses,detectionMedian"))
    #expect(
      TestRun(words + ["--json", "--jobs", "1"]).output == TestRun(words + ["--json", "--jobs", "4"]).output)
  }

  @Test(arguments: [
    (["replay", "x", "--assume", "idle=30s"], "--assume needs --causal"),
    (["replay", "--causal", "x", "--ties"], "--tick and --ties are of a replay as recorded"),
    (["replay", "--causal", "x", "--assume", "luck=good"], "expected idle=LENGTH or ping-rate=unknown"),
    (["sweep", "x"], "--grid is missing"),
    (["sweep", "x", "--grid", "heartbeat.interval=9"], "--grid: "),
    (
      ["sweep", "x", "--grid", "heartbeat.interval=9s", "--clients", "4"],
      "--clients is of a sweep of retry alone"
    ),
    (
      ["sweep", "x", "--grid", "heartbeat.interval=9s,9000ms"],
      "heartbeat.interval has 9s twice; name each value once"
    ),
    (
      ["sweep", "x", "--grid", "retry.base=9s", "--clients", "100001"], "--clients wants at most 100000"
    ),
    (
      ["sweep", "x", "--grid", "retry.base=9s", "--clients", "9", "--outage", "0s"],
      "--outage wants"
    ),
    (["show", "x", "--assume", "idle=3s"], "--assume needs --model"),
  ])
  func wrongUsageIsSaid(_ words: [String], _ message: String) {
    let run = TestRun(words)
    #expect(run.status == .failed)
    #expect(run.errors.contains(message), "\(run.errors)")
  }
}
