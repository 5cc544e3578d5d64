import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("A golden can hold a prediction, with a grade on each line") struct CausalGoldenTests {
  static let golden = "hour/trace.heartbeat.golden.jsonl"

  private static func hour() throws -> Folder {
    let folder = try Folder.healthyHour()
    #expect(try folder.run(recordsMissing: true).status == .expected)
    return folder
  }

  @Test func optionsAskWhichSessionsGoOtherwise() throws {
    let run = try Self.hour().run(set: "heartbeat.interval=25s")
    #expect(run.results.map(\.verdict) == [.same])
    #expect(run.status == .expected)
    #expect(run.text(isVerbose: true).contains("heartbeat.interval 30s → 25s: same"))
  }

  @Test func aRegressionFailsAndSaysWhy() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(4)
    recorded.unanswered()
    recorded.answer(after: 3.2)
    recorded.pings(8)
    let folder = try Folder()
    try folder.write(recorded.text(), to: "field.jsonl")
    #expect(try folder.run(recordsMissing: true).status == .expected)
    let run = try folder.run(set: "heartbeat.timeout=3s")
    #expect(run.results.map(\.verdict) == [.regression])
    #expect(run.status == .differs)
    let text = run.text()
    #expect(text.contains("REGRESSION \(folder.path)/field.heartbeat.golden.jsonl"))
    #expect(text.contains("heartbeat.timeout 10s → 3s: regression"))
    #expect(
      text.contains(
        "ws1: ws1#1 close: pongTimeout (observed) at 153.246000s, where the recorded connection lived on"))
    #expect(text.contains("1 golden: 1 regression"))
    let json = String(decoding: run.json(), as: UTF8.self)
    #expect(json.contains("\"verdict\":\"regression\",\"first\":{\"t\":153246000,"))
  }

  @Test func anUpdateMakesAPredictionOfIt() throws {
    let folder = try Self.hour()
    try folder.edit(Self.golden, "\"30s\"", "\"25s\"")
    let run = try folder.run()
    #expect(run.results.map(\.verdict) == [.changed])
    #expect(run.text().contains("to accept: goldwire test --update"))
    #expect(try folder.run(update: .actions).status == .expected)
    let text = try folder.read(Self.golden)
    #expect(text.contains("\"mode\":\"causal\",\"tick\":\"exact\",\"unit\":\"us\"}"))
    #expect(text.contains("\"do\":\"ping\",\"grade\":\"interpolated\"}"))
    #expect(try folder.run().results.map(\.verdict) == [.same])
    #expect(try Golden(bytes: Array(text.utf8)).lines.count == 144)
  }

  @Test func aLowerGradeIsAnOutcome() throws {
    let folder = try Self.hour()
    try folder.edit(Self.golden, "\"30s\"", "\"25s\"")
    _ = try folder.run(update: .actions)
    try folder.edit(Self.golden, "interpolated", "bounded")
    #expect(try folder.run().results.map(\.verdict) == [.outcome])
    #expect(try folder.run(update: .actions).status == .differs)
    #expect(try folder.run(update: .outcomes).status == .expected)
    #expect(try folder.run().status == .expected)
  }

  @Test func theCommandsGoldenIsChecked() throws {
    let folder = try Folder.healthyHour()
    let trace = try Trace(bytes: Array(folder.read("hour/trace.jsonl").utf8))
    let asked = try MachineParameters.of(.heartbeat, "interval=25s timeout=10s")
    let golden = try CausalReplay(trace, asked).golden(file: "trace.jsonl")
    try folder.write(String(decoding: golden.bytes(), as: UTF8.self), to: Self.golden)
    #expect(try folder.run().results.map(\.verdict) == [.same])
  }

  @Test func aConfigurationNamesThePool() throws {
    var healthy = Recorded(interval: 20)
    healthy.connect(at: 0.001)
    healthy.pings(60)
    let folder = try Folder()
    try folder.write(healthy.text(), to: "field/healthy.jsonl")
    try folder.write(Recorded.killed(interval: 30, times: 1).text(), to: "field/killed.jsonl")
    try folder.write("{\"goldwire\":1}", to: "goldwire.json")
    #expect(try folder.run(recordsMissing: true).status == .expected)
    let alone = try folder.run("field/healthy.jsonl", set: "heartbeat.interval=30s")
    #expect(alone.results.map(\.verdict) == [.inconclusive])
    try folder.write("{\"goldwire\":1,\"pools\":{\"chat\":[\"field\"]}}", to: "goldwire.json")
    let pooled = try folder.run("field/healthy.jsonl", set: "heartbeat.interval=30s")
    #expect(pooled.results.map(\.verdict) == [.regression])
    #expect(pooled.text().contains("pooled: what 2 traces of the server tell of silences"))
    try folder.write("{\"goldwire\":1,\"pools\":{\"chat\":[\"field\",\"gone\"]}}", to: "goldwire.json")
    let broken = try folder.run("field/healthy.jsonl", set: "heartbeat.interval=30s")
    #expect(broken.status == .failed)
    #expect(broken.text().contains("which is no trace and no folder; mend its paths"))
  }
}
