import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Checking a folder") struct TestRunTests {
  static let golden = "late-close.heartbeat.golden.jsonl"

  /// The verdicts of a run.
  static func verdicts(_ run: GoldwireReplay.TestRun) -> [TestResult.Verdict] { run.results.map(\.verdict) }

  @Test func whatIsAsExpectedIsGreenAndQuiet() throws {
    let run = try Folder.lateClose().run()
    #expect(run.status == .expected)
    #expect(run.text() == "1 golden: 1 same\n")
  }

  @Test func anIntervalOneMillisecondLongerIsTold() throws {
    let folder = try Folder.lateClose()
    try folder.edit(Self.golden, "100ms", "101ms")
    let run = try folder.run()
    #expect(run.status == .differs)
    let text = run.text()
    #expect(text.hasPrefix("OUTCOME \(folder.path)/\(Self.golden)\n"))
    #expect(text.contains("0.100s  ws1#1 ping"))
    #expect(text.contains("0.101s  ws1#1 ping"))
    #expect(text.contains("101ms after line 3: ws1#1 opened at 0.000s"))
    #expect(text.contains("1 × ping shifted by +1ms"))
    #expect(text.contains("to accept: goldwire test --update \(folder.path)/\(Self.golden)"))
  }

  @Test func anotherNumberOfAnActionIsNamed() throws {
    let folder = try Folder.lateClose()
    try folder.edit(Self.golden, "\"gen\":1,\"do\":\"ping\"", "\"gen\":7,\"do\":\"ping\"")
    #expect(try folder.run().text().contains("1 × ping has another connection"))
  }

  @Test func anActionThatIsDroppedFromTheGoldenIsTold() throws {
    let folder = try Folder.lateClose()
    try folder.edit(Self.golden, "{\"t\":100,\"ch\":\"ws1\",\"gen\":1,\"do\":\"ping\"}\n", "")
    let run = try folder.run()
    #expect(Self.verdicts(run) == [.changed])
    #expect(run.status == .differs)
    #expect(run.results[0].first?.got?.short == "100 ws1#1 ping")
    #expect(run.results[0].first?.want == nil)
    #expect(run.results[0].first?.line == 3)
    #expect(run.text().contains("1 × ping new"))
    try folder.edit(Self.golden, "\"pongTimeout\"", "\"reset\"")
    #expect(Self.verdicts(try folder.run()) == [.outcome])
  }

  @Test func aGoldenThatIsGoneIsTold() throws {
    let folder = try Folder.lateClose()
    try folder.remove(Self.golden)
    let run = try folder.run()
    #expect(Self.verdicts(run) == [.missing])
    #expect(run.status == .differs)
    #expect(run.text().contains("to make it: goldwire test --record missing \(folder.path)/late-close.jsonl"))
  }

  @Test func aTraceThatIsGoneIsTold() throws {
    let folder = try Folder.lateClose()
    try folder.remove("late-close.jsonl")
    for run in [try folder.run(), try folder.run(Self.golden)] {
      #expect(Self.verdicts(run) == [.orphan])
      #expect(run.status == .differs)
      #expect(run.text().contains("restore the trace, or delete the golden: rm "))
    }
  }

  @Test func aFolderOfNothingIsAFailure() throws {
    let folder = try Folder()
    #expect(Self.verdicts(try folder.run()) == [.empty])
    #expect(try folder.run().status == .failed)
    #expect(Self.verdicts(try folder.run("nowhere")) == [.error])
    #expect(try folder.run("nowhere").status == .failed)
  }

  @Test func aTraceThatDrivesNothingIsAFailure() throws {
    let folder = try Folder()
    try folder.write(Written("0 app.background", "9 rec.end why=eof").text, to: "a.jsonl")
    let run = try folder.run()
    #expect(Self.verdicts(run) == [.empty])
    #expect(run.status == .differs)
  }

  @Test func everyMachineThatIsDrivenNeedsAGolden() throws {
    let folder = try Folder()
    try folder.write(
      Written(
        "0 ws1#1 ws.connect", "0 http1 http.send req=1 try=1 method=GET", "0 sse1#1 sse.connect",
        "9 rec.end why=eof"
      ).text, to: "a.jsonl")
    #expect(try folder.run().results.map(\.machine) == [.heartbeat, .retry, .stream])
    try folder.write("{\"goldwire\":1,\"machines\":[\"stream\"]}", to: "goldwire.json")
    #expect(try folder.run().results.map(\.machine) == [.stream])
  }

  @Test func machinesThatLeaveOutATracesOwnAreNoWayToGreen() throws {
    let folder = try Folder.lateClose()
    try folder.write("{\"goldwire\":1,\"machines\":[\"stream\"]}", to: "goldwire.json")
    // A golden that is there counts all the same.
    #expect(try folder.run().status == .expected)
    try folder.remove(Self.golden)
    let run = try folder.run()
    #expect(Self.verdicts(run) == [.empty])
    #expect(run.status == .differs)
    #expect(run.text().contains("drives heartbeat alone, which the machines of goldwire.json leave out"))
    try folder.write("{\"goldwire\":1,\"machines\":[]}", to: "goldwire.json")
    let none = try folder.run()
    #expect(none.status == .failed)
    #expect(none.results.count == 1)
    #expect(none.text().contains("goldwire.json:1:26: expected at least one machine"))
  }

  @Test func theGravestResultDecides() throws {
    let folder = try Folder.lateClose()
    try folder.write("{", to: "broken.jsonl")
    try folder.edit(Self.golden, "100ms", "101ms")
    let run = try folder.run()
    #expect(run.results.map(\.verdict) == [.error, .outcome])
    #expect(run.status == .failed)
    #expect(run.text().contains("broken.jsonl:1:"))
  }

  @Test func namesSpeakTheTruth() throws {
    let folder = try Folder.lateClose()
    try folder.write(GoldenTests.text.replacing("late-close.jsonl", with: "other.jsonl"), to: Self.golden)
    #expect(try folder.run().text().contains("is of another trace than its name says"))
    try folder.write(GoldenTests.text, to: "late-close.retry.golden.jsonl")
    #expect(try folder.run().text().contains("is of another machine than its name says"))
    try folder.write(GoldenTests.text.replacing("\"ms\"}", with: "\"us\"}"), to: Self.golden)
    #expect(try folder.run().text().contains("counts in another unit than its trace"))
  }

  @Test func twoTracesOfOneNameAreRefused() throws {
    let folder = try Folder.lateClose()
    try folder.write("", to: "late-close.jsonl.gz")
    let run = try folder.run()
    #expect(run.status == .failed)
    #expect(run.text().contains("late-close.jsonl: has the same goldens as late-close.jsonl.gz beside it"))
    #expect(run.text().contains("keep one of the two traces"))
  }

  @Test func aTraceMayBeCompressedAfterwards() throws {
    let folder = try Folder.lateClose()
    let output = try ByteOutput(path: folder.path + "/late-close.jsonl.gz")
    try output.write(Array(OrderTests.late.text.utf8).span)
    try output.finish()
    try folder.remove("late-close.jsonl")
    #expect(try folder.run().text() == "1 golden: 1 same\n")
    #expect(try folder.run(Self.golden).status == .expected)
    try folder.edit(Self.golden, "late-close.jsonl", "late-close.jsonl.gz")
    #expect(try folder.run().status == .expected)
    try folder.remove("late-close.jsonl.gz")
    try folder.write(OrderTests.late.text, to: "late-close.jsonl")
    #expect(try folder.run().status == .expected)
  }

  @Test func scenariosInFoldersBelowAreFound() throws {
    let folder = try Folder()
    for name in ["b", "a/deep"] {
      try folder.write(OrderTests.late.text, to: "\(name)/trace.jsonl")
      try folder.write(
        GoldenTests.text.replacing("late-close.jsonl", with: "trace.jsonl"),
        to: "\(name)/trace.heartbeat.golden.jsonl")
    }
    try folder.write("x", to: ".hidden/trace.jsonl")
    let run = try folder.run()
    #expect(run.results.map(\.trace) == ["a/deep", "b"].map { "\(folder.path)/\($0)/trace.jsonl" })
    #expect(run.status == .expected)
  }

  @Test func aPathGivenTwiceIsLookedAtOnce() throws {
    let folder = try Folder.lateClose()
    #expect(try folder.run("late-close.jsonl", Self.golden, "late-close.jsonl").results.count == 1)
  }

  @Test func workersDoNotChangeTheReport() throws {
    let folder = try Folder()
    for number in 10..<40 {
      try folder.write(OrderTests.late.text, to: "\(number).jsonl")
      let text = GoldenTests.text.replacing("late-close.jsonl", with: "\(number).jsonl")
      try folder.write(
        number % 3 == 0 ? text.replacing("100ms", with: "101ms") : text,
        to: "\(number).heartbeat.golden.jsonl")
    }
    let reports = try [1, 2, 7].map { try folder.run(workers: $0).text(isVerbose: true) }
    #expect(Set(reports).count == 1)
    #expect(reports[0].contains("30 goldens: 20 same, 10 outcome"))
  }

  @Test func jsonSaysTheSame() throws {
    let folder = try Folder.lateClose()
    try folder.edit(Self.golden, "{\"t\":100", "{\"t\":99")
    let text = String(decoding: try folder.run().json(), as: UTF8.self)
    #expect(
      text == """
        {"trace":"\(folder.path)/late-close.jsonl","golden":"\(folder.path)/\(Self.golden)",\
        "machine":"heartbeat","verdict":"shifted","first":{"t":99,"ch":"ws1",\
        "want":{"t":99,"ch":"ws1","gen":1,"do":"ping"},"got":{"t":100,"ch":"ws1","gen":1,"do":"ping"},\
        "line":3},"actions":2,"shifted":1,"changed":0,"outcomes":0,"ties":0}
        {"totals":{"same":0,"shifted":1,"changed":0,"outcome":0,"missing":0,"orphan":0,"empty":0,\
        "regression":0,"improvement":0,"inconclusive":0,"error":0,"forgotten":0,"written":0},"status":1}

        """)
  }

  @Test func whatAFileHoldsIsNeverQuoted() throws {
    let folder = try Folder.lateClose()
    let secret = "s3cr3t"
    for (from, to) in [
      ("\"exact\"", "\"\(secret)\""), ("\"heartbeat\"", "\"\(secret)\""), ("\"ms\"", "\"\(secret)\""),
      ("\"late-close.jsonl\"", "\"\(secret)\""), ("\"interval\"", "\"\(secret)\""),
      ("\"100ms\"", "\"\(secret)\""), ("\"unit\"", "\"\(secret)\""),
    ] {
      try folder.write(GoldenTests.text.replacing(from, with: to), to: Self.golden)
      let run = try folder.run()
      #expect(run.status == .failed)
      #expect(!run.text().contains(secret))
      #expect(!String(decoding: run.json(), as: UTF8.self).contains(secret))
    }
  }
}
