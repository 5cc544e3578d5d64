import GoldwireTrace
import Testing

@testable import GoldwireReplay

@Suite("A recording answers for the parameters that were in force") struct ModeTests {
  static let golden = "hour/trace.heartbeat.golden.jsonl"

  @Test func askedWithItsOwnParametersItIsGreen() throws {
    let folder = try Folder.healthyHour()
    let recorded = try folder.run(recordsMissing: true)
    #expect(recorded.status == .expected)
    #expect(
      try folder.read(Self.golden).contains("\"mode\":\"recorded\",\"tick\":\"recorded\",\"unit\":\"us\"}"))
    #expect(try folder.read(Self.golden).split(separator: "\n").count == 121)
    let run = try folder.run()
    #expect(run.status == .expected)
    #expect(run.results.map(\.verdict) == [.same])
  }

  @Test func whereTheRecordingCannotTellItIsNeitherFalselyRedNorGreen() throws {
    let folder = try Folder.healthyHour()
    _ = try folder.run(recordsMissing: true)
    let run = try folder.run(set: "heartbeat.interval=31s")
    #expect(run.results.map(\.verdict) == [.inconclusive])
    #expect(run.status == .inconclusive)
    let text = run.text()
    #expect(text.contains("heartbeat.interval 30s → 31s: inconclusive"))
    #expect(text.contains("no silence over 30.000833s"))
    #expect(text.contains("the recorded replies answered other pings"))
    #expect(text.contains("the first action that differs is at 30.030007s"))
    // The same by the header; and what cannot be told is never written.
    try folder.edit(Self.golden, "\"30s\"", "\"31s\"")
    let before = try folder.read(Self.golden)
    #expect(try folder.run(update: .outcomes).results.map(\.verdict) == [.inconclusive])
    #expect(try folder.read(Self.golden) == before)
  }

  @Test func inconclusiveIsLetPassOnRequestAndSaysSo() throws {
    let folder = try Folder.healthyHour()
    _ = try folder.run(recordsMissing: true)
    try folder.edit(Self.golden, "\"30s\"", "\"31s\"")
    let run = try folder.run(allowsInconclusive: true)
    #expect(run.status == .expected)
    #expect(run.text().contains("inconclusive ones are let pass, as asked"))
  }

  @Test func withoutAWordOnWhatWasInForceItCannotTell() throws {
    let folder = try Folder.healthyHour(inForce: nil)
    let recorded = try folder.run(recordsMissing: true)
    #expect(recorded.results.map(\.verdict) == [.inconclusive])
    #expect(!folder.has(Self.golden))
    #expect(
      recorded.text().contains(
        "goldwire cut TRACE -w FILE --in-force heartbeat.interval=TIME,heartbeat.timeout=TIME"))
    try folder.write(
      GoldenTests.text.replacing("late-close.jsonl", with: "trace.jsonl").replacing(
        "\"ms\"}", with: "\"us\"}"),
      to: Self.golden)
    #expect(try folder.run().status == .inconclusive)
  }

  @Test func whatASetNamesIsOfferedAndNothingIsMadeUp() throws {
    let folder = try Folder.healthyHour(inForce: nil)
    try folder.write(
      #"{"goldwire":1,"sets":{"prod":{"heartbeat":{"interval":"17s","timeout":"3s"}}}}"#, to: "goldwire.json")
    let text = try folder.run(recordsMissing: true).text()
    #expect(
      text.contains(
        "if they are those of the set prod: goldwire cut TRACE -w FILE --in-force "
          + "heartbeat.interval=17s,heartbeat.timeout=3s; "))
    #expect(text.contains("what the trace shows of them: goldwire conform --infer TRACE"))
    for source in Source.allCases {
      let lines = Telling.unknownInForce(.retry, source)
      #expect(lines.count == 3)
      #expect(lines.contains { $0.contains("goldwire record takes") } == (source == .pcap))
      #expect(lines.contains { $0.contains("TapParameters") } == (source == .tap))
      #expect(lines.contains { $0.firstMatch(of: /=[0-9]/) != nil } == false)
    }
  }

  @Test func equalMeaningIsEqualWhateverItsSpelling() throws {
    let folder = try Folder.healthyHour(
      inForce:
        "\"interval\":\"30000ms\",\"timeout\":\"10s\",\"policy\":\"pongOnly\",\"connectTimeout\":\"off\"")
    try folder.write(
      "{\"goldwire\":1,\"sets\":{\"prod\":{\"heartbeat\":{\"interval\":\"30s\",\"timeout\":\"10s\"}}}}",
      to: "goldwire.json")
    #expect(try folder.run(recordsMissing: true).status == .expected)
    #expect(try folder.read(Self.golden).contains("\"set\":\"prod\""))
    #expect(try folder.run().status == .expected)
    // One line changed in the set, and the recording cannot tell any more.
    try folder.edit("goldwire.json", "30s", "31s")
    let run = try folder.run()
    #expect(run.status == .inconclusive)
    #expect(run.text().contains("since heartbeat.interval 30s → 31s"))
  }

  @Test func aCausalGoldenIsNotGuessedAt() throws {
    let folder = try Folder.lateClose()
    try folder.edit(TestRunTests.golden, "\"recorded\"", "\"causal\"")
    #expect(try folder.run().status == .inconclusive)
  }

  @Test func aFixedCadenceOfARecordingIsAlwaysWokenAsRecorded() {
    let fixed: [ParameterName: ParameterValue] = [.cadence: .word(.fixed)]
    #expect(TickMode.resolve(.exact, source: .tap, parameters: fixed) == .recorded)
    #expect(TickMode.resolve(.exact, source: .written, parameters: fixed) == .exact)
    #expect(TickMode.resolve(nil, source: .pcap, parameters: [:]) == .recorded)
    #expect(TickMode.resolve(nil, source: .written, parameters: [:]) == .exact)
    #expect(TickMode.resolve(.exact, source: .pcap, parameters: [:]) == .exact)
  }

  @Test func aChannelNeverInStepCannotTell() throws {
    let folder = try Folder()
    try folder.write(Written("0 ws1#1 ws.attach", "900 rec.end why=eof").text, to: "a.jsonl")
    try folder.write(
      GoldenTests.text.split(separator: "\n")[0].replacing("late-close.jsonl", with: "a.jsonl")
        + "\n{\"t\":0,\"ch\":\"ws1\",\"gen\":1,\"do\":\"unsync\"}\n{\"t\":900,\"do\":\"end\"}\n",
      to: "a.heartbeat.golden.jsonl")
    let run = try folder.run()
    #expect(run.results.map(\.verdict) == [.inconclusive])
    #expect(run.text().contains("never in step with the recorded client: ws1"))
  }
}
