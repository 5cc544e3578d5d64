import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Order, ticks, pauses and the horizon") struct OrderTests {
  static let late = Written(
    "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101", "1100 ws1#1 ws.pong dir=in",
    "2000 rec.end why=written")

  @Test func aReplayJumpsFromWakeUpToWakeUp() throws {
    #expect(try replayed(Self.late, .quick()) == ["100 ws1#1 ping", "1100 ws1#1 close pongTimeout"])
  }

  @Test func atOneInstantTheLineComesBeforeTheTick() throws {
    // A connection that ends exactly when its ping is due sends none.
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "100 ws1#1 ws.end cause=reset dir=in",
      "500 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["100 ws1#1 ended reset"])
  }

  @Test func aRecordedTickStandsWhereItsLineStands() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "100 ws1#1 rec.tick", "100 ws1#1 ws.end cause=reset dir=in",
      "500 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["100 ws1#1 ping", "100 ws1#1 ended reset"])
  }

  @Test func aTimerOfAnOldConnectionWakesNothing() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "50 ws1#2 ws.connect", "50 ws1#2 ws.open",
      "160 ws1#1 rec.tick", "400 rec.end why=written")
    // In `recorded` nothing else would wake the second connection.
    #expect(try replayed(trace, .quick(), .recorded) == ["50 ws1#1 ended superseded"])
  }

  @Test(
    arguments: [
      ("exact", ["100 ws1#1 ping", "1100 ws1#1 close pongTimeout"]),
      ("every:30ms", ["120 ws1#1 ping", "1200 ws1#1 ping"]),
      ("every:7s", []), ("recorded", []),
    ] as [(String, [String])])
  func eachTickModeWakesAtItsInstants(_ mode: String, _ actions: [String]) throws {
    #expect(try replayed(Self.late, .quick(), TickMode(mode)) == actions)
  }

  @Test func wakeUpsRunUpToTheEndAndNoFurther() throws {
    var trace = Self.late
    trace.lines[3] = "1100 rec.end why=written"
    #expect(try replayed(trace, .quick()).last == "1100 ws1#1 close pongTimeout")
    trace.lines[2] = "1099 ws1#1 ws.ping dir=in"
    trace.lines[3] = "1099 rec.end why=written"
    #expect(try replayed(trace, .quick()) == ["100 ws1#1 ping"])
    // Without an end, as in a torn file, the last line is the horizon.
    trace.lines = Array(trace.lines[..<2]) + ["100 ws1#1 ws.message dir=in kind=text bytes=1"]
    #expect(try replayed(trace, .quick()) == ["100 ws1#1 ping"])
    trace.lines[2] = "99 ws1#1 ws.message dir=in kind=text bytes=1"
    #expect(try replayed(trace, .quick()) == [])
  }

  @Test func linesAfterTheEndAreNotRead() throws {
    var trace = Self.late
    trace.lines = Array(trace.lines[..<2]) + ["50 rec.end why=written", "100 ws1#1 ws.end cause=fin dir=in"]
    #expect(try replayed(trace, .quick()) == [])
  }

  @Test func noTickFallsIntoAPause() throws {
    // The process did not run from 50 to 400; the ping that was due comes at 400, after the lines of it.
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "400 rec.pause for=350", "400 ws1#1 ws.pong dir=in",
      "600 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["400 ws1#1 ping"])
    // A pong that waited in the socket meanwhile is handled first, and was late all the same.
    let asleep = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "2000 rec.pause for=1500", "2000 ws1#1 ws.pong dir=in",
      "3000 rec.end why=written")
    #expect(try replayed(asleep, .quick()) == ["100 ws1#1 ping", "2000 ws1#1 close pongTimeout"])
  }

  @Test func theEdgesOfAPauseAreNotInIt() throws {
    let starting = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "400 rec.pause for=300", "450 rec.end why=written")
    #expect(try replayed(starting, .quick()) == ["100 ws1#1 ping"])
    let ending = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "100 rec.pause for=80", "450 rec.end why=written")
    #expect(try replayed(ending, .quick()) == ["100 ws1#1 ping"])
  }

  @Test func pausesThatOverlapAreOne() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "300 rec.pause for=250", "400 rec.pause for=250",
      "500 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["400 ws1#1 ping"])
  }

  @Test func aPauseLongerThanTheRecordingDoesNotTrap() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "400 rec.pause for=9007199254740991",
      "500 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["400 ws1#1 ping"])
  }

  @Test func linesOfOtherChannelsMayStandInAnyOrder() throws {
    let one = Written(
      "0 ws1#1 ws.connect", "0 ws2#1 ws.connect", "0 ws1#1 ws.open", "0 ws2#1 ws.open",
      "150 ws2#1 ws.pong dir=in", "150 ws1#1 ws.pong dir=in", "1400 rec.end why=written")
    var two = one
    two.lines = [0, 2, 1, 3, 5, 4, 6].map { one.lines[$0] }
    let actions = try replayed(one, .quick())
    #expect(actions.count == 6 && actions[0] == "100 ws1#1 ping" && actions[1] == "100 ws2#1 ping")
    #expect(try replayed(two, .quick()) == actions)
  }

  @Test func aReplayIsTheSameRunAfterRun() throws {
    let trace = try Self.late.trace()
    let bytes = try (0..<20).map { _ in
      try ReplayReport(trace, file: "late.jsonl", .quick()).bytes()
    }
    #expect(Set(bytes).count == 1)
  }
}
