import GoldwireReplay
import GoldwireTrace
import Testing

/// Many clients that fail together, at a server that is down for a while.
@Suite("A herd comes back as its jitter has spread it") struct HerdTests {
  /// Refused at once, and answered 2.66 s later; instants in milliseconds.
  static func folder() throws -> Folder {
    let folder = try Folder()
    let lines = [
      "0 http1 http.send req=1 try=1 method=GET", "20 http1 http.response req=1 try=1 status=503",
      "20 http1 http.wait req=1 try=2 for=600 unit=200000",
      "620 http1 http.send req=1 try=2 method=GET", "640 http1 http.response req=1 try=2 status=503",
      "640 http1 http.wait req=1 try=3 for=2000 unit=1000000",
      "2640 http1 http.send req=1 try=3 method=GET", "2660 http1 http.response req=1 try=3 status=200",
      "2660 http1 http.stop req=1 why=delivered", "60000 rec.end why=stopped",
    ]
    try folder.write(
      Written(
        lines: lines, source: "tap", unit: "ms",
        header: ",\"inForce\":{\"retry\":{\"base\":\"1s\"}},\"inForceBy\":\"driver\""
      ).text, to: "field.jsonl")
    return folder
  }

  private static func sweep(
    _ options: String..., clients: Int = 1_000, seed: UInt64 = 1, outage: String? = "60s"
  ) throws -> Sweep {
    var grid = SweepGrid()
    for option in options { try grid.add(option: option) }
    let folder = try folder()
    var question = Sweep.Question(paths: [folder.path], grid: grid)
    question.herd = SweepHerd(clients: clients, seed: seed, outage: outage.flatMap { TimeSpan($0) })
    return try withExtendedLifetime(folder) { try Sweep(question) }
  }

  @Test func jitterBeforeTheCapBringsThemBackTogether() throws {
    let sweep = try Self.sweep(
      "retry.jitter=afterCap,beforeCap", "retry.base=8s", "retry.cap=4s", "retry.count=50")
    let (spread, herd) = (sweep.tallies[0], sweep.tallies[1])
    // Every delay is the cap: they all come at one instant.
    #expect(herd.herdReturn == 1_000 && herd.herdSpread == 0 && herd.herdLost == 0)
    // Delays between 2 and 4 s, 3 in the middle, for long: a third of them a second.
    #expect((300...400).contains(spread.herdReturn))
    #expect((1_500_000...4_000_000).contains(spread.herdSpread) && spread.herdLost == 0)
    #expect(sweep.text().contains("back/s"))
    #expect(sweep.csv().hasPrefix("jitter,base,cap,count,"))
  }

  @Test func theFirstDelaysStillSpreadThem() throws {
    // 1, 2 and 4 s are random, what follows is the cap: the spread of those three stays, whatever the outage.
    let herds = try ["60s", "120s"].map { outage in
      try Self.sweep("retry.jitter=beforeCap", "retry.cap=4s", "retry.count=50", outage: outage).tallies[0]
    }
    // Random spans of 0.5, 1 and 2 s: half of them within a second.
    for herd in herds { #expect((470...530).contains(herd.herdReturn)) }
    let other = try Self.sweep("retry.jitter=afterCap", "retry.cap=4s", "retry.count=50").tallies[0]
    #expect(other.herdReturn < 400)
  }

  @Test func whatIsLongerThanTheCapIsDeferredAsItIs() throws {
    let tally = try Self.sweep("retry.base=8s", "retry.cap=4s", "retry.count=50").tallies[0]
    #expect(tally.herdLost == 1_000 && tally.herdReturn == 0 && tally.herdSpread == 0)
  }

  @Test func theSeedDrawsThem() throws {
    let options = ["retry.jitter=afterCap", "retry.cap=4s", "retry.count=50"]
    let one = try Self.sweep(options[0], options[1], options[2], seed: 1)
    #expect(try Self.sweep(options[0], options[1], options[2], seed: 1).json() == one.json())
    #expect(try Self.sweep(options[0], options[1], options[2], seed: 2).json() != one.json())
  }

  @Test func withoutADeclaredOutageTheRecordedOneCounts() throws {
    // Back at 2.64 s: after delays of 0.5 to 1 s and 1 to 2 s some are there, the rest comes with the third.
    let tally = try Self.sweep("retry.base=1s", outage: nil).tallies[0]
    #expect(tally.herdLost == 0 && tally.herdReturn > 0 && tally.herdPeak >= tally.herdReturn)
    #expect(try Self.sweep("retry.count=1", outage: nil).tallies[0].herdLost == 1_000)
  }

  @Test func anOutageThatIsNoWholeUnitIsAnError() throws {
    #expect(throws: ReplayError.self) { try Self.sweep("retry.base=1s", outage: "1500us") }
  }
}
