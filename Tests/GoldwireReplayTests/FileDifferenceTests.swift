import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Two files are told apart") struct FileDifferenceTests {
  private static let session = [
    "0 ws1#1 ws.connect", "10 ws1#1 ws.open status=101", "1010 ws1#1 ws.ping dir=out id=1",
    "1050 ws1#1 ws.pong dir=in id=1", "2050 ws1#1 ws.ping dir=out id=2",
    "4050 ws1#1 ws.close dir=out code=1001 by=machine", "9000 rec.end why=written",
  ]

  private static func text(
    _ one: Written, _ two: Written, within: Int = 0, aligns: Bool = false, channels: Set<Channel>? = nil
  ) throws -> [String] {
    var options = FileDifference.Options()
    options.within = TimeSpan(microseconds: within)
    options.aligns = aligns
    options.channels = channels
    options.showsAll = true
    return try FileDifference(.trace(one.trace()), .trace(two.trace()), options).text("one", "two")
  }

  @Test func equalFilesDoNotDiffer() throws {
    let one = Written(lines: Self.session)
    #expect(try Self.text(one, one) == ["no difference in 7 lines"])
  }

  @Test func aLaterLineIsShiftedAndAMissingOneIsMissing() throws {
    var lines = Self.session
    lines[3] = "1053 ws1#1 ws.pong dir=in id=1"
    lines.remove(at: 5)
    #expect(
      try Self.text(Written(lines: Self.session), Written(lines: lines)) == [
        "    one                               two",
        "    0.010s  ws1#1 opened              0.010s  ws1#1 opened",
        "    1.010s  ws1#1 ping 1 sent         1.010s  ws1#1 ping 1 sent",
        "  ~ 1.050s  ws1#1 pong 1 came         1.053s  ws1#1 pong 1 came",
        "        lines 5 and 5",
        "    2.050s  ws1#1 ping 2 sent         2.050s  ws1#1 ping 2 sent",
        "  ! 4.050s  ws1#1 close 1001 sent     —",
        "        line 7, and nothing",
        "    9.000s  recording ends: written   9.000s  recording ends: written",
        "1 × ws.pong shifted by +3ms", "1 × ws.close no longer there", "5 lines the same",
      ])
  }

  @Test func whatIsWithinALengthIsTheSame() throws {
    var lines = Self.session
    lines[3] = "1053 ws1#1 ws.pong dir=in id=1"
    let (one, two) = (Written(lines: Self.session), Written(lines: lines))
    #expect(try Self.text(one, two, within: 3_000) == ["no difference in 7 lines"])
    #expect(try Self.text(one, two, within: 2_000).contains("1 × ws.pong shifted by +3ms"))
    #expect(try Self.text(two, one, within: 2_000).contains("1 × ws.pong shifted by -3ms"))
  }

  @Test func aLengthOfAWaitIsNoInstant() throws {
    func wait(_ length: Int) -> Written {
      Written("0 http1 http.send req=1 try=1 method=GET", "5 http1 http.wait req=1 try=2 for=\(length)")
    }
    #expect(
      try Self.text(wait(500), wait(700)).suffix(2) == [
        "1 × http.wait of 500ms is now of 700ms", "1 line the same",
      ])
    #expect(try Self.text(wait(500), wait(700), within: 200_000) == ["no difference in 2 lines"])
  }

  @Test func unitsAreConverted() throws {
    let fine = Self.session.map { line in
      let words = line.split(separator: " ", maxSplits: 1)
      return "\((Int(words[0]) ?? 0) * 1_000) \(words[1])"
    }
    let (one, two) = (Written(lines: Self.session), Written(lines: fine, unit: "us"))
    #expect(try Self.text(one, two) == ["  unit ms → us", "7 lines the same"])
    #expect(try Self.text(two, one) == ["  unit us → ms", "7 lines the same"])
  }

  @Test func oneRecordingBeganLater() throws {
    let late = Self.session.map { line in
      let words = line.split(separator: " ", maxSplits: 1)
      return "\((Int(words[0]) ?? 0) + 250) \(words[1])"
    }
    let (one, two) = (Written(lines: Self.session), Written(lines: late))
    #expect(try Self.text(one, two).contains("1 × ws.ping shifted by +250ms") == false)
    #expect(try Self.text(one, two).contains("2 × ws.ping shifted by +250ms"))
    #expect(
      try Self.text(one, two, aligns: true) == [
        "  the second is moved by -250ms", "no difference in 7 lines",
      ])
  }

  @Test func firstLinesAreComparedButForTheirWriter() throws {
    let stated = #","inForce":{"heartbeat":{"interval":"1s","timeout":"2s"}},"inForceBy":"stated""#
    let other = #","inForce":{"heartbeat":{"interval":"1s","timeout":"3s"}},"inForceBy":"stated""#
    let (one, two) = (
      Written(lines: Self.session, header: stated), Written(lines: Self.session, header: other)
    )
    #expect(try Self.text(one, two) == ["  heartbeat.timeout 2s → 3s", "7 lines the same"])
    let told = try Self.text(Written(lines: Self.session), one)
    #expect(told.first == "  in force by unsaid → stated")
    #expect(told.contains("  heartbeat.interval unsaid → 1s"))
    let walled = Written(lines: Self.session, header: #","wall":7"#)
    #expect(try Self.text(Written(lines: Self.session), walled) == ["no difference in 7 lines"])
  }

  @Test func requestsPairByThemselves() throws {
    let one = Written(
      "0 http1 http.send req=1 try=1 method=GET", "1 http1 http.send req=2 try=1 method=GET",
      "9 http1 http.response req=1 try=1 status=200")
    let two = Written(
      "0 http1 http.send req=2 try=1 method=GET", "1 http1 http.send req=1 try=1 method=GET",
      "9 http1 http.response req=1 try=1 status=503")
    #expect(
      try Self.text(one, two).suffix(3) == [
        "2 × http.send shifted by -1ms to +1ms", "1 × http.response is another", "0 lines the same",
      ])
  }

  /// A connection that begins at an instant and pings so often.
  private static func connection(_ number: Int, at t: Int, pings: Int) -> [String] {
    let link = "ws1#\(number)"
    return ["\(t) \(link) ws.connect", "\(t + 10) \(link) ws.open status=101"]
      + (1...pings).flatMap { id in
        let at = t + 10 + id * 1_000
        return ["\(at) \(link) ws.ping dir=out id=\(id)", "\(at + 40) \(link) ws.pong dir=in id=\(id)"]
      } + ["\(t + 60 + pings * 1_000) \(link) ws.end cause=reset dir=in"]
  }

  @Test func oneConnectionMoreMovesNoneBehindIt() throws {
    let one = Self.connection(1, at: 0, pings: 3) + Self.connection(2, at: 10_000, pings: 5)
    let two =
      Self.connection(1, at: 0, pings: 3) + Self.connection(2, at: 4_000, pings: 1)
      + Self.connection(3, at: 10_000, pings: 5)
    let text = try Self.text(Written(lines: one), Written(lines: two))
    #expect(text.prefix(2) == ["  ws1#2 of the second is new", "  ws1#2 is ws1#3 in the second"])
    #expect(
      text.suffix(6) == [
        "1 × ws.connect new", "1 × ws.open new", "1 × ws.ping new", "1 × ws.pong new", "1 × ws.end new",
        "22 lines the same",
      ])
    let back = try Self.text(Written(lines: two), Written(lines: one))
    #expect(back.prefix(2) == ["  ws1#2 is no longer there", "  ws1#3 is ws1#2 in the second"])
    #expect(back.last == "22 lines the same")
    // Another number is a difference, whatever else is the same.
    let gap = Self.connection(1, at: 0, pings: 3) + Self.connection(3, at: 10_000, pings: 5)
    #expect(
      try Self.text(Written(lines: one), Written(lines: gap)) == [
        "  ws1#2 is ws1#3 in the second", "22 lines the same",
      ])
  }

  @Test func oneConnectionMoreAmongManyMovesNone() throws {
    var (one, two): ([String], [String]) = ([], [])
    for number in 1...600 {
      let at = number * 20_000
      one += Self.connection(number, at: at, pings: number % 7 + 1)
      if number == 300 { two += Self.connection(300, at: at - 10_000, pings: 8) }
      two += Self.connection(number < 300 ? number : number + 1, at: at, pings: number % 7 + 1)
    }
    let text = try Self.text(Written(lines: one), Written(lines: two))
    #expect(
      text.prefix(2) == [
        "  ws1#300 of the second is new", "  ws1#300 is ws1#301 in the second, and so with 300 more",
      ]
    )
    #expect(text.last == "\(one.count) lines the same")
  }

  @Test func oneRequestMoreMovesNoneBehindIt() throws {
    func request(_ number: Int, at t: Int, _ method: String = "GET") -> [String] {
      [
        "\(t) http1 http.send req=\(number) try=1 method=\(method)",
        "\(t + 9) http1 http.response req=\(number) try=1 status=200",
      ]
    }
    let one = request(1, at: 0) + request(2, at: 100)
    let two = request(1, at: 0) + request(2, at: 50, "POST") + request(3, at: 100)
    let text = try Self.text(Written(lines: one), Written(lines: two))
    #expect(text.prefix(2) == ["  http1 r2 of the second is new", "  http1 r2 is http1 r3 in the second"])
    #expect(text.suffix(3) == ["1 × http.send new", "1 × http.response new", "4 lines the same"])
    #expect(!text.contains { $0.contains("~") })
  }

  @Test func longFilesWithLittleBetweenThemPairByTheirLines() throws {
    let one = Self.connection(1, at: 0, pings: 6_000)
    var two = one
    for index in [9_000, 5_001, 77] { two.remove(at: index) }
    #expect(
      try Self.text(Written(lines: one), Written(lines: two)).suffix(3) == [
        "2 × ws.pong no longer there", "1 × ws.ping no longer there", "12000 lines the same",
      ])
    #expect(try Self.text(Written(lines: two), Written(lines: one)).last == "12000 lines the same")
  }

  @Test func onlySomeChannels() throws {
    let one = Written("0 ws1#1 ws.connect", "5 ws2#1 ws.connect", "6 rec.end why=written")
    let two = Written("0 ws1#1 ws.connect", "6 ws2#1 ws.connect", "6 rec.end why=written")
    #expect(try Self.text(one, two, channels: [Channel(.ws, 1)]) == ["no difference in 2 lines"])
    #expect(try Self.text(one, two, channels: [Channel(.ws, 2)]).last == "1 line the same")
  }

  @Test func actionsAreToldInTheWordsOfAGolden() throws {
    func golden(_ lines: [GoldenLine], timeout: Int) -> DiffFile {
      let values: [ParameterName: ParameterValue] = [
        .interval: .span(TimeSpan(microseconds: 100_000)), .timeout: .span(TimeSpan(microseconds: timeout)),
      ]
      return .actions(
        Golden(
          header: GoldenHeader(
            trace: "t.jsonl", machine: "heartbeat", parameters: .literal(values), tick: .exact, unit: .ms),
          lines: lines))
    }
    let want = [ComparisonTests.ping(100), ComparisonTests.close(1_200), GoldenLine(.end, t: 2_000)]
    let got = [ComparisonTests.ping(100), ComparisonTests.close(700), GoldenLine(.end, t: 2_000)]
    let difference = try FileDifference(
      golden(want, timeout: 1_100_000), golden(got, timeout: 600_000))
    #expect(!difference.isSame)
    #expect(difference.headers == ["heartbeat.timeout 1100ms → 600ms"])
    #expect(
      difference.text("a", "b").suffix(2) == [
        "1 × close (pongTimeout) shifted by -500ms", "2 lines the same",
      ])
    let trace = try Written(lines: Self.session).trace()
    #expect(throws: ReplayError.self) { try FileDifference(golden(want, timeout: 1), .trace(trace)) }
  }
}
