import GoldwireTrace
import Testing

@testable import GoldwireReplay

@Suite("A sweep adds predictions up, the same on one core and on many") struct SweepTests {
  private static func field() throws -> Folder {
    let folder = try Folder()
    for number in 0..<6 {
      var recorded = Recorded()
      recorded.connect(at: 0.001)
      recorded.pings(5 + number)
      recorded.unanswered()
      recorded.answer(after: number == 3 ? 4.2 : 0.05)
      recorded.pings(4)
      if number == 5 {
        recorded.unanswered()
        recorded.giveUp()
        recorded.connect(at: recorded.now + 2)
        recorded.pings(6)
      }
      try folder.write(recorded.text(), to: "field-\(number).jsonl")
    }
    return folder
  }

  private static func sweep(_ folder: Folder, _ options: [String], workers: Int = 2) throws -> Sweep {
    var grid = SweepGrid()
    for option in options { try grid.add(option: option) }
    var question = Sweep.Question(paths: [folder.path], grid: grid)
    question.workers = workers
    return try Sweep(question)
  }

  @Test func itCountsPingsClosesAndDetection() throws {
    let sweep = try Self.sweep(
      Self.field(), ["heartbeat.interval=15s,30s", "heartbeat.timeout=4s,10s"])
    #expect(sweep.traces == 6)
    #expect(sweep.tallies.count == 4)
    // 30 s and 4 s: the slow reply of one trace is taken for a death.
    let short = sweep.tallies[2]
    #expect(short.failures == 1)
    #expect(short.regressions == 1)
    let asRecorded = sweep.tallies[3]
    #expect(asRecorded.failures == 0 && asRecorded.closes == 1 && asRecorded.regressions == 0)
    #expect(asRecorded.delays.count == 1)
    #expect(sweep.tallies[1].sends > asRecorded.sends)
    #expect(!sweep.best.isEmpty)
    #expect(sweep.text().contains("heartbeat: 4 points over 6 traces, 6 channels; * no other point beats it"))
    #expect(sweep.csv().hasPrefix("interval,timeout,pings,closes,falseCloses,"))
    #expect(sweep.csv().split(separator: "\n").count == 5)
  }

  @Test func deathsThatNobodyNoticesAreCountedAgainstAPoint() throws {
    let folder = try Folder()
    var recorded = Recorded(interval: 20, timeout: 5)
    recorded.connect(at: 0.001)
    recorded.pings(4)
    recorded.unanswered()
    recorded.giveUp()
    recorded.connect(at: recorded.now + 1)
    recorded.pings(14)
    try folder.write(recorded.text(), to: "death.jsonl")
    var grid = SweepGrid()
    try grid.add(option: "heartbeat.interval=20s,60s")
    var question = Sweep.Question(paths: [folder.path], grid: grid)
    question.assumptions.idle = TimeSpan("300s")
    let sweep = try Sweep(question)
    let (recordedPoint, rare) = (sweep.tallies[0], sweep.tallies[1])
    #expect(recordedPoint.missed == 0 && recordedPoint.delays.count == 1)
    // Fewer pings, and no delay at all, since nothing was noticed: it beats nothing by that. Whether the connection outlived
    // the outage nobody knows.
    #expect(rare.missed == 1 && rare.delays.isEmpty && rare.inconclusive == 1)
    #expect(rare.sends < recordedPoint.sends)
    #expect(sweep.best == [0])
    #expect(sweep.csv().contains(",detectionWorst,missedDeaths,"))
  }

  @Test func aPointThatNoticesNothingBeatsNothingByThat() {
    var (often, rare) = (SweepTally(), SweepTally())
    (often.parts, often.sends, often.delays) = (1, 20, [5_000_000])
    (rare.parts, rare.sends, rare.missed) = (1, 6, 1)
    #expect(Sweep.best([often, rare], .heartbeat, hasHerd: false) == [0, 1])
    rare.missed = 0
    #expect(Sweep.best([often, rare], .heartbeat, hasHerd: false) == [1])
  }

  @Test func whatIsNamedTwiceIsAskedOnce() throws {
    let folder = try Self.field()
    var grid = SweepGrid()
    try grid.add(option: "heartbeat.interval=30s")
    let paths = [folder.path, folder.path + "/field-0.jsonl", folder.path]
    #expect(try Sweep(Sweep.Question(paths: paths, grid: grid)).traces == 6)
  }

  @Test func aConfigurationThatCannotBeReadIsNamed() throws {
    let folder = try Self.field()
    try folder.write(#"{"goldwire":1,"pools":{"chat":["../elsewhere"]}}"#, to: "goldwire.json")
    let error = #expect(throws: ReplayError.self) { try Self.sweep(folder, ["heartbeat.interval=30s"]) }
    #expect(error?.path?.hasSuffix("/goldwire.json") == true)
  }

  @Test func percentilesAreDelaysThatSoManyDoNotExceed() {
    var tally = SweepTally()
    #expect(tally.delay(perMille: 500) == nil)
    tally.delays = [20, 10]
    #expect(tally.delay(perMille: 500) == 10 && tally.delay(perMille: 950) == 20)
    tally.delays = Array((1...20).reversed())
    #expect(tally.delay(perMille: 500) == 10 && tally.delay(perMille: 950) == 19 && tally.worst == 20)
    #expect(tally.delay(perMille: 1_000) == 20 && tally.delay(perMille: 0) == 1)
  }

  @Test func whatNobodyKnowsIsNotMarkedAsBest() throws {
    let folder = try Folder()
    try folder.write(Recorded.healthyHour.text(), to: "hour.jsonl")
    // No silence of a minute was survived: fewer pings, but nothing is known of them.
    let sweep = try Self.sweep(folder, ["heartbeat.interval=25s,60s"])
    #expect(sweep.tallies[0].inconclusive == 0 && sweep.tallies[1].inconclusive == 1)
    #expect(sweep.tallies[1].sends < sweep.tallies[0].sends)
    #expect(sweep.best == [0])
  }

  @Test func whatIsLeftOutIsToldInOneLineForEachReason() throws {
    let folder = try Self.field()
    for number in 0..<5 {
      try folder.write(
        Written(lines: ["0 http1 http.send req=1 try=1 method=GET", "9 rec.end why=stopped"]).text,
        to: "other-\(number).jsonl")
    }
    try folder.write(
      Written(lines: ["0 ws1#1 ws.connect", "9 rec.end why=stopped"]).text, to: "silent.jsonl")
    let warnings = try Self.sweep(folder, ["heartbeat.interval=20s"]).warnings
    #expect(warnings.count == 2)
    #expect(
      warnings[0].hasPrefix("5 traces not asked: no heartbeat is driven by \(folder.path)/other-0.jsonl, "))
    #expect(warnings[0].hasSuffix(" and 2 more"))
    #expect(warnings[1] == "1 trace not asked: what was in force is not said by \(folder.path)/silent.jsonl")
  }

  @Test func theNumberOfWorkersChangesNothing() throws {
    let folder = try Self.field()
    let grid = ["heartbeat.interval=10s,20s,30s,45s", "heartbeat.timeout=3s,5s,10s"]
    let one = try Self.sweep(folder, grid, workers: 1)
    for workers in [2, 5] {
      let many = try Self.sweep(folder, grid, workers: workers)
      #expect(many.text() == one.text())
      #expect(many.json() == one.json())
      #expect(many.csv() == one.csv())
    }
  }

  @Test func jitterSpreadsAHerd() throws {
    let folder = try HerdTests.folder()
    var grid = SweepGrid()
    try grid.add(option: "retry.base=1s,2s,4s")
    var question = Sweep.Question(paths: [folder.path], grid: grid)
    question.herd = SweepHerd(clients: 500, seed: 3)
    let sweep = try Sweep(question)
    #expect(sweep.hasHerd)
    #expect(sweep.tallies.allSatisfy { $0.herdPeak > 0 && $0.herdPeak <= 1_000 && $0.herdSpread > 0 })
    #expect(sweep.tallies[0].herdPeak > sweep.tallies[2].herdPeak)
    #expect(try Sweep(question).json() == sweep.json())
  }

  @Test func gridsAreRead() throws {
    var grid = SweepGrid()
    try grid.add(option: "heartbeat.interval=10s,20s")
    try grid.add(option: "heartbeat.timeout=5s,6s,7s")
    #expect(grid.count == 6)
    #expect(
      grid.values(at: 4) == [
        .span(TimeSpan(microseconds: 20_000_000)), .span(TimeSpan(microseconds: 6_000_000)),
      ])
    for wrong in [
      "heartbeat.interval=9s", "retry.base=1s", "heartbeat.policy", "heartbeat.nothing=1s",
      "heartbeat.cadence=", "", "heartbeat.connectTimeout=4s,9s,4s", "heartbeat.connectTimeout=4s,4000ms",
    ] {
      #expect(throws: ReplayError.self) { try grid.add(option: wrong) }
    }
    #expect(throws: ReplayError.self) { try Sweep(Sweep.Question(paths: ["nowhere"], grid: grid)) }
  }
}
