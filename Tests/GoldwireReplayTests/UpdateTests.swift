import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Writing goldens") struct UpdateTests {
  static let golden = TestRunTests.golden
  static let config =
    "{\"goldwire\":1,\"sets\":{\"prod\":{\"heartbeat\":{\"interval\":\"100ms\",\"timeout\":\"1s\"}}}}"

  /// A folder whose golden takes its parameters from a set.
  static func withSet() throws -> Folder {
    let folder = try Folder.lateClose()
    try folder.write(config, to: "goldwire.json")
    try folder.edit(golden, "\"parameters\":{\"interval\":\"100ms\",\"timeout\":\"1s\"}", "\"set\":\"prod\"")
    return folder
  }

  @Test func aShiftIsWrittenOnRequestAndOnlyThen() throws {
    let folder = try Folder.lateClose()
    try folder.edit(Self.golden, "{\"t\":100", "{\"t\":99")
    #expect(try folder.run().results.map(\.verdict) == [.shifted])
    #expect(try folder.read(Self.golden) != GoldenTests.text)
    let run = try folder.run(update: .actions)
    #expect(run.status == .expected)
    #expect(run.text().hasPrefix("UPDATED (shifted) "))
    #expect(!run.text().contains("to accept"))
    #expect(try folder.read(Self.golden) == GoldenTests.text)
  }

  @Test func aChangeIsWrittenToo() throws {
    let folder = try Folder.lateClose()
    try folder.edit(Self.golden, "{\"t\":100,\"ch\":\"ws1\",\"gen\":1,\"do\":\"ping\"}\n", "")
    #expect(try folder.run(update: .actions).status == .expected)
    #expect(try folder.read(Self.golden) == GoldenTests.text)
  }

  @Test func anOutcomeNeedsTheWordOrThePath() throws {
    let folder = try Folder.lateClose()
    let wrong = GoldenTests.text.replacing("pongTimeout", with: "reset")
    try folder.write(wrong, to: Self.golden)
    let refused = try folder.run(update: .actions)
    #expect(refused.status == .differs)
    #expect(refused.text().contains("--update=outcome"))
    #expect(try folder.read(Self.golden) == wrong)
    #expect(try folder.run("late-close.jsonl", update: .actions).status == .differs)
    #expect(try folder.run(Self.golden, update: .actions).status == .expected)
    #expect(try folder.read(Self.golden) == GoldenTests.text)
    try folder.write(wrong, to: Self.golden)
    #expect(try folder.run(update: .outcomes).status == .expected)
    #expect(try folder.read(Self.golden) == GoldenTests.text)
  }

  @Test func aMissingGoldenIsMadeOnRequest() throws {
    let folder = try Folder.lateClose()
    try folder.remove(Self.golden)
    // Nothing says with which parameters.
    let unknown = try folder.run(recordsMissing: true)
    #expect(unknown.status == .failed)
    #expect(unknown.text().contains("add a set to goldwire.json"))
    #expect(try folder.run(update: .outcomes).results.map(\.verdict) == [.missing])
    try folder.write(Self.config, to: "goldwire.json")
    let run = try folder.run(recordsMissing: true)
    #expect(run.status == .expected)
    #expect(run.text().hasPrefix("RECORDED "))
    #expect(try folder.run().status == .expected)
    #expect(try folder.read(Self.golden).contains("\"set\":\"prod\""))
  }

  @Test func machinesWithDefaultsNeedNoSet() throws {
    let folder = try Folder()
    try folder.write(
      Written("0 http1 http.send req=1 try=1 method=GET", "9 rec.end why=written").text, to: "a.jsonl")
    #expect(try folder.run(recordsMissing: true).status == .expected)
    #expect(
      try folder.read("a.retry.golden.jsonl") == """
        {"golden":1,"trace":"a.jsonl","machine":"retry","parameters":{},"mode":"recorded","tick":"exact","unit":"ms"}
        {"t":9,"do":"end"}

        """)
  }

  @Test func ofSeveralSetsOneMustBeChosen() throws {
    let folder = try Folder.lateClose()
    try folder.remove(Self.golden)
    try folder.write(
      Self.config.replacing(
        "\"sets\":{", with: "\"sets\":{\"test\":{\"heartbeat\":{\"interval\":\"1s\",\"timeout\":\"1s\"}},"),
      to: "goldwire.json")
    let run = try folder.run(recordsMissing: true)
    #expect(run.status == .failed)
    #expect(run.text().contains("several sets of goldwire.json have heartbeat"))
    // What the message says to do works: a first line by hand, then an update of that path.
    try folder.write(String(GoldenTests.text.split(separator: "\n")[0]) + "\n", to: Self.golden)
    #expect(try folder.run(Self.golden, update: .actions).status == .expected)
    #expect(try folder.read(Self.golden) == GoldenTests.text)
  }

  @Test func continuousIntegrationWritesNothing() throws {
    let folder = try Folder.lateClose()
    try folder.edit(Self.golden, "{\"t\":100", "{\"t\":99")
    #expect(throws: ReplayError.self) { try folder.run(update: .actions, isCI: true) }
    #expect(throws: ReplayError.self) { try folder.run(recordsMissing: true, isCI: true) }
    #expect(try folder.run(isCI: true).status == .differs)
    for (value, isCI) in [
      ("", false), ("0", false), ("false", false), ("1", true), ("true", true), ("x", true),
    ] {
      #expect(TestOptions.isCI(["CI": value]) == isCI)
    }
    #expect(!TestOptions.isCI([:]))
  }

  @Test func askingWithAnotherValueWritesNothing() throws {
    let folder = try Folder.lateClose()
    #expect(try folder.run(set: "heartbeat.interval=101ms").results.map(\.verdict) == [.outcome])
    #expect(throws: ReplayError.self) {
      try folder.run(update: .actions, set: "heartbeat.interval=101ms")
    }
    #expect(try folder.read(Self.golden) == GoldenTests.text)
    // Another machine's value does not concern it.
    #expect(try folder.run(set: "retry.base=2s").status == .expected)
  }

  @Test func theLockTellsWhatChangedSince() throws {
    let folder = try Self.withSet()
    #expect(try folder.run(update: .actions).status == .expected)
    #expect(
      try folder.read("goldwire.lock") == """
        {"goldwire":1}
        {"golden":"\(Self.golden)","machine":"heartbeat","parameters":{"interval":"100ms","timeout":"1s",\
        "connectTimeout":"off","policy":"pongOnly","cadence":"afterPong"}}

        """)
    try folder.edit("goldwire.json", "100ms", "120ms")
    let run = try folder.run()
    #expect(run.results.map(\.verdict) == [.outcome])
    #expect(run.text().contains("since heartbeat.interval 100ms → 120ms"))
    // Only an update writes the lock.
    #expect(try folder.read("goldwire.lock").contains("100ms"))
    _ = try folder.run(update: .outcomes)
    #expect(try folder.read("goldwire.lock").contains("120ms"))
    try folder.remove(Self.golden)
    try folder.remove("late-close.jsonl")
    try folder.write(OrderTests.late.text, to: "b.jsonl")
    _ = try folder.run(recordsMissing: true)
    #expect(try !folder.read("goldwire.lock").contains("late-close"))
  }

  @Test func aSetThatIsNotThereIsAnError() throws {
    let folder = try Self.withSet()
    try folder.edit("goldwire.json", "\"prod\"", "\"test\"")
    let run = try folder.run()
    #expect(run.status == .failed)
    #expect(run.text().contains("names a set that goldwire.json does not have for heartbeat"))
  }

  @Test func conflictsInAnyFileAreNamed() throws {
    let folder = try Self.withSet()
    try folder.write("{\"goldwire\":1}\n<<<<<<< HEAD\n", to: "goldwire.lock")
    #expect(try folder.run().text().contains("goldwire.lock:2:1: has a merge conflict"))
    try folder.remove("goldwire.lock")
    try folder.write("<<<<<<< HEAD\n" + Self.config, to: "goldwire.json")
    #expect(try folder.run().status == .failed)
  }

  @Test func aLongGoldenHasOutcomesAlone() throws {
    let folder = try Folder()
    var lines = ["0 ws1#1 ws.connect", "0 ws1#1 ws.open"]
    for count in 1...201 { lines.append("\(count * 110 - 5) ws1#1 ws.pong dir=in") }
    lines.append("30000 rec.end why=written")
    try folder.write(Written(lines: lines).text, to: "long.jsonl")
    try folder.write(Self.config, to: "goldwire.json")
    #expect(try folder.run(recordsMissing: true).status == .expected)
    let text = try folder.read("long.heartbeat.golden.jsonl")
    #expect(text.contains("\"tick\":\"exact\",\"detail\":\"outcomes\",\"unit\":\"ms\"}"))
    #expect(text.split(separator: "\n").count == 4)
    #expect(text.contains("\"do\":\"ping\",\"n\":"))
    #expect(try folder.run().status == .expected)
  }

  @Test func whatIsTakenForGrantedStandsInTheGolden() throws {
    let folder = try Folder()
    try folder.write(
      Written(
        "0 sse1#1 sse.connect", "9 rec.end why=written", header: ",\"blind\":[\"handler\"]"
      ).text, to: "a.jsonl")
    _ = try folder.run(recordsMissing: true)
    let golden = "a.stream.golden.jsonl"
    #expect(try folder.read(golden).contains("\"assume\":[\"handled\"]"))
    #expect(try folder.run().status == .expected)
    try folder.edit(golden, "\"assume\":[\"handled\"],", "")
    let run = try folder.run()
    #expect(run.results.map(\.verdict) == [.changed])
    #expect(run.text().contains("the replay now takes for granted: handled"))
  }
}
