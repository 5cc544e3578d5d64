import GoldwireMachines
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// What the driver promises, on a scripted transport and a clock that is moved by hand.
@Suite(.timeLimit(.minutes(1))) struct HeartbeatDriverTests {
  // MARK: The articles' assertions, through the driver

  @Test func theBoundaryIsWithoutAmbiguity() async throws {
    let bench = try DriverBench(interval: 100, timeout: 1_000)
    await bench.open(at: 0)
    await bench.advance(to: 99)
    #expect(bench.asked == [])
    // Exactly at the deadline is late, though it comes before the timer's tick.
    await bench.advance(to: 1_099)
    bench.clock.hold(true)
    bench.clock.advance(to: 1_100_000)
    bench[1].put(.pong(ordinal: 1, bytes: 8))
    await bench.driver.takeMail()
    #expect(bench.asked == ["100 ping 1", "1100 cancel 1"])
    #expect(bench.ends == ["1100 close 1 pongTimeout"])
  }

  @Test func aPongOfTheOldConnectionDoesNotKeepTheNewOneAlive() async throws {
    let bench = try DriverBench(interval: 100, timeout: 1_000)
    await bench.open(at: 0)
    await bench.connect(at: 1_150)
    await bench.put(.opened(deflate: nil), on: 1, at: 1_200)
    #expect(await bench.driver.phase == .connecting)
    await bench.put(.opened(deflate: nil), on: 2, at: 2_000)
    await bench.put(.pong(ordinal: nil, bytes: nil), on: 1, at: 2_150)
    await bench.advance(to: 3_100)
    #expect(bench.asked == ["100 ping 1", "1100 cancel 1", "2100 ping 2", "3100 cancel 2"])
    await bench.open(at: 4_000)
    await bench.put(.pong(ordinal: nil, bytes: nil), on: 3, at: 4_200)
    await bench.advance(to: 4_299)
    #expect(bench.asked.last == "4100 ping 3")
    await bench.advance(to: 4_300)
    #expect(bench.asked.last == "4300 ping 3")
  }

  // MARK: Generations

  @Test func anOldActionDoesNotReachTheNewConnection() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.open(at: 1_000)
    #expect(bench.asked == ["1000 cancel 1"])
    let now = TapInstant(microseconds: 1_500_000)
    for action in [Heartbeat.Action.close(1), .ended(1), .ping(1)] {
      await bench.driver.carryOut(action, at: now, from: .open)
    }
    #expect(bench.asked == ["1000 cancel 1"])
    #expect(bench.ends == ["1000 ended 1 superseded"])
    #expect(await bench.driver.phase == .open)
  }

  @Test func nothingOfAnOldConnectionReachesTheApp() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.open(at: 1_000)
    await bench.put(.message(.text("old")), on: 1, at: 1_100)
    await bench.put(.refused(WebSocketRefusal(.dns)), on: 1, at: 1_200)
    await bench.put(.message(.text("new")), on: 2, at: 1_300)
    await bench.driver.close(generation: 1)
    #expect(await bench.driver.phase == .open)
    var told: [HeartbeatEvent] = []
    for await event in bench.driver.events {
      told.append(event)
      if told.count == 4 { break }
    }
    #expect(
      told == [
        .opened(generation: 1), .ended(HeartbeatEnd(generation: 1, cause: .superseded)),
        .opened(generation: 2), .message(generation: 2, .text("new")),
      ])
  }

  @Test func anOldTimerDoesNothing() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.open(at: 1_000)
    bench.clock.hold(true)
    bench.clock.advance(to: 31_000_000)
    await bench.driver.timerFired(for: 1)
    #expect(bench.asked == ["1000 cancel 1"])
    await bench.driver.timerFired(for: 2)
    #expect(bench.asked == ["1000 cancel 1", "31000 ping 2"])
  }

  // MARK: Ticks

  @Test func lateAndBunchedTicksActOnce() async throws {
    let bench = try DriverBench(interval: 100, timeout: 50)
    await bench.open(at: 0)
    bench.clock.hold(true)
    bench.clock.advance(to: 740_000)
    for _ in 0..<5 { await bench.driver.timerFired(for: 1) }
    #expect(bench.asked == ["740 ping 1"])
    bench.clock.advance(to: 789_000)
    for _ in 0..<5 { await bench.driver.timerFired(for: 1) }
    #expect(bench.asked == ["740 ping 1"])
    bench.clock.advance(to: 900_000)
    for _ in 0..<5 { await bench.driver.timerFired(for: 1) }
    #expect(bench.asked == ["740 ping 1", "900 cancel 1"])
    #expect(bench.ends == ["900 close 1 pongTimeout"])
  }

  @Test func missingTicksAreMadeGoodWithWhateverComesFirst() async throws {
    let bench = try DriverBench(interval: 100, timeout: 50)
    await bench.open(at: 0)
    bench.clock.hold(true)
    bench.clock.advance(to: 300_000)
    bench[1].put(.message(.text("hello")))
    await bench.driver.takeMail()
    #expect(bench.asked == ["300 ping 1"])
  }

  @Test func timersOfTheSystemDriveIt() async throws {
    let bench = try DriverBench(interval: 100, timeout: 1_000)
    await bench.open(at: 0)
    for ordinal in 1...20 {
      await bench.put(.pong(ordinal: ordinal, bytes: 8), on: 1, at: 110 * ordinal - 5)
    }
    #expect(bench.asked.count == 20)
    #expect(bench.asked.last == "2185 ping 1")
  }

  @Test func aFixedCadenceCountsFromThePing() async throws {
    let bench = try DriverBench(interval: 100, timeout: 90, cadence: .fixed)
    await bench.open(at: 0)
    await bench.put(.pong(ordinal: 1, bytes: 8), on: 1, at: 150)
    await bench.put(.pong(ordinal: 2, bytes: 8), on: 1, at: 289)
    await bench.advance(to: 300)
    #expect(bench.asked == ["100 ping 1", "200 ping 1", "300 ping 1"])
  }

  @Test func aHandshakeThatDoesNotEndIsGivenUp() async throws {
    let bench = try DriverBench(connectTimeout: 500)
    await bench.connect(at: 0)
    await bench.advance(to: 10_000)
    #expect(bench.asked == ["500 cancel 1"])
    #expect(bench.ends == ["500 close 1 connectTimeout"])
    await bench.put(.opened(deflate: nil), on: 1, at: 10_001)
    #expect(await bench.driver.phase == .idle)
  }

  // MARK: Completions

  @Test func eachPingIsCompletedOnceThoughTheTransportNeverCalls() async throws {
    let bench = try DriverBench(interval: 100, timeout: 50)
    await bench.open(at: 0)
    await bench.complete(1, .ok, on: 1, at: 110)
    await bench.complete(1, .error(.reset), on: 1, at: 120)
    await bench.advance(to: 1_000)
    await bench.complete(2, .cancelled, on: 1, at: 1_100)
    await bench.complete(2, .ok, on: 1, at: 1_100)
    #expect(bench.asked == ["100 ping 1", "210 ping 1", "260 cancel 1"])
    let completed = bench.book.entries.compactMap { entry -> Heartbeat.PingResult? in
      if case .pinged(let result) = entry.event { result } else { nil }
    }
    #expect(completed == [.ok, .cancelled])
  }

  @Test func onlyTheFirstCompletionReachesTheMachineAndTheRecording() async throws {
    let parameters = try Heartbeat.Parameters(interval: .milliseconds(100), timeout: .milliseconds(50))
    let recording = try HeartbeatRecording(parameters)
    let bench = DriverBench(parameters, tap: recording.tap)
    await bench.open(at: 0)
    for _ in 0..<3 { await bench.complete(1, .ok, on: 1, at: 110) }
    await bench.advance(to: 210)
    for result in [WebSocketPingCompletion.error(.reset), .cancelled, .ok] {
      await bench.complete(2, result, on: 1, at: 220)
    }
    let trace = try recording.finish(at: bench.clock.now)
    let completions = trace.lines.compactMap { line -> String? in
      if case .wsPinged(let id, let result, _) = line.event { "\(id ?? 0) \(result.rawValue)" } else { nil }
    }
    #expect(completions == ["1 ok", "2 error"])
  }

  @Test func anErrorOfAnOldPingDoesNotEndTheNewConnection() async throws {
    let bench = try DriverBench(interval: 100, timeout: 500)
    await bench.open(at: 0)
    await bench.advance(to: 100)
    await bench.open(at: 150)
    await bench.complete(1, .error(.reset), on: 1, at: 260)
    #expect(bench.asked == ["100 ping 1", "150 cancel 1", "250 ping 2"])
    #expect(await bench.driver.phase == .open)
  }

  // MARK: The app's wishes

  @Test func theUserClosesOnce() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.advance(to: 30_000)
    let code = try #require(WebSocketCloseCode(4_000))
    await bench.driver.close(code)
    await bench.driver.close()
    await bench.put(.closeReceived(code: 4_000), on: 1, at: 30_010)
    await bench.put(.ended(.fin, .in), on: 1, at: 30_011)
    await bench.advance(to: 100_000)
    #expect(bench.asked == ["30000 ping 1", "30000 close 1 4000"])
    #expect(bench.ends == ["30000 close 1 userClosed"])
  }

  @Test func aChangeOfTheNetworkIsAnsweredWithAProbe() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.advance(to: 5_000)
    await bench.driver.network(.none)
    await bench.driver.network(.cell)
    await bench.driver.network(.wifi)
    await bench.advance(to: 20_000)
    #expect(bench.asked == ["5000 ping 1", "15000 cancel 1"])
    #expect(bench.ends == ["15000 close 1 pongTimeout"])
  }

  @Test func theForegroundSaysWhatIsLeft() async throws {
    let bench = try DriverBench()
    #expect(await bench.driver.foreground() == .makeAnew)
    await bench.connect(at: 10)
    await bench.driver.background()
    #expect(await bench.driver.foreground() == .wait)
    await bench.put(.opened(deflate: nil), on: 1, at: 20)
    #expect(await bench.driver.foreground() == .reuse)
    #expect(bench.asked == [])
  }

  @Test func theFourResultsHaveTheirCauses() async throws {
    let bench = try DriverBench(interval: 100, timeout: 1_000)
    await bench.open(at: 0)
    await bench.put(.pong(ordinal: 1, bytes: 8), on: 1, at: 105)
    await bench.put(.pong(ordinal: 2, bytes: 8), on: 1, at: 1_100)
    await bench.put(.message(.text("after")), on: 1, at: 1_101)
    await bench.put(.closeReceived(code: 1_001), on: 1, at: 1_150)
    await bench.connect(at: 1_200)
    await bench.put(.refused(WebSocketRefusal(.status, answer: Answer(status: 403))), on: 2, at: 1_210)
    var told: [HeartbeatEvent] = []
    for await event in bench.driver.events {
      told.append(event)
      if told.count == 4 { break }
    }
    #expect(
      told == [
        .opened(generation: 1), .message(generation: 1, .text("after")),
        .ended(HeartbeatEnd(generation: 1, cause: .peerClosed, code: 1_001)),
        .ended(
          HeartbeatEnd(
            generation: 2, cause: .refused, refusal: WebSocketRefusal(.status, answer: Answer(status: 403)))),
      ])
    // After the peer's close frame the transport ends by itself.
    #expect(!bench[1].asked.contains { $0.wish == .cancel })
  }

  // MARK: The log

  @Test func theLogHasPhasesAndNothingElse() async throws {
    let bench = try DriverBench(interval: 100, timeout: 50)
    await bench.open(at: 0)
    await bench.advance(to: 150)
    let entries = bench.book.entries
    #expect(
      entries.map(\.description) == [
        "generation 1 connect at 0.000000 s: idle → connecting",
        "generation 1 opened at 0.000000 s: connecting → open",
        "generation 1 tick at 0.100000 s: open",
        "generation 1 ping at 0.100000 s: open",
        "generation 1 tick at 0.150000 s: open → idle",
        "generation 1 pinged cancelled at 0.150000 s: open → idle",
        "generation 1 close pongTimeout at 0.150000 s: open → idle",
      ])
    let names = Mirror(reflecting: try #require(entries.first)).children.map { $0.label ?? "" }
    #expect(names == ["generation", "event", "instant", "before", "after"])
  }

  @Test func aDriverThatIsGoneLeavesNothingBehind() async throws {
    let clock = HandClock()
    let transport = ScriptedWebSocketTransport(clock: clock)
    var driver: HeartbeatDriver? = HeartbeatDriver(
      try .init(interval: .seconds(1), timeout: .seconds(1)), transport: transport, clock: clock)
    await driver?.connect()
    let events = try #require(driver?.events)
    driver = nil
    // Its sequence ends, and its connection is given up.
    for await event in events { Issue.record("told \(event)") }
    #expect(transport.asked.map(\.wish) == [.cancel])
    transport.connections[0].put(.opened(deflate: nil))
  }
}
