import GoldwireMachines
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// What waits is bounded, and what finds no room is told.
@Suite(.timeLimit(.minutes(1))) struct HeartbeatLimitTests {
  private static func limits(_ change: (inout HeartbeatLimits) -> Void) -> HeartbeatLimits {
    var limits = HeartbeatLimits()
    change(&limits)
    return limits
  }

  private static func told(_ bench: DriverBench, _ count: Int) async -> [HeartbeatEvent] {
    var told: [HeartbeatEvent] = []
    let iterator = bench.driver.events.makeAsyncIterator()
    while told.count < count, let event = await iterator.next() { told.append(event) }
    return told
  }

  @Test func messagesForWhichThereIsNoRoomAreCountedInTheirPlace() async throws {
    let bench = try DriverBench(limits: Self.limits { $0.waitingEvents = 4 })
    await bench.open(at: 0)
    for number in 1...10 { await bench.put(.message(.text("\(number)")), on: 1, at: number) }
    await bench.put(.ended(.fin, .in), on: 1, at: 20)
    #expect(
      await Self.told(bench, 6) == [
        .opened(generation: 1), .message(generation: 1, .text("1")), .message(generation: 1, .text("2")),
        .message(generation: 1, .text("3")), .missed(generation: 1, events: 7),
        .ended(HeartbeatEnd(generation: 1, cause: .fin)),
      ])
  }

  @Test func theirBytesAreLimitedToo() async throws {
    let bench = try DriverBench(limits: Self.limits { $0.waitingBytes = 10 })
    await bench.open(at: 0)
    // One alone may be larger.
    await bench.put(.message(.text("a large message")), on: 1, at: 1)
    await bench.put(.message(.text("b")), on: 1, at: 2)
    #expect(await Self.told(bench, 2).last == .message(generation: 1, .text("a large message")))
    await bench.put(.message(.text("c")), on: 1, at: 3)
    #expect(
      await Self.told(bench, 2) == [
        .missed(generation: 1, events: 1), .message(generation: 1, .text("c")),
      ])
  }

  @Test func byOptionTheConnectionIsClosed() async throws {
    let bench = try DriverBench(
      limits: Self.limits {
        $0.waitingEvents = 2
        $0.overflow = .close
      })
    await bench.open(at: 0)
    for number in 1...5 { await bench.put(.message(.text("\(number)")), on: 1, at: number) }
    #expect(bench.asked == ["2 close 1 1008"])
    #expect(
      await Self.told(bench, 4) == [
        .opened(generation: 1), .message(generation: 1, .text("1")), .missed(generation: 1, events: 1),
        .ended(HeartbeatEnd(generation: 1, cause: .userClosed)),
      ])
  }

  @Test func anAppThatNeverReadsIsToldHowMuchItMissed() async throws {
    let bench = try DriverBench(limits: Self.limits { $0.waitingEvents = 4 })
    for _ in 1...100 { await bench.driver.connect() }
    // 99 ends: the last ones stand, the others are one event.
    var (missed, ended) = (0, 0)
    for event in await Self.told(bench, 5) {
      switch event {
      case .missed(_, let events): missed += events
      case .ended: ended += 1
      default: Issue.record("\(event)")
      }
    }
    #expect(missed + ended < 99 && missed > 80)
  }

  @Test func aTransportThatDoesNotWaitIsGivenUp() async throws {
    let bench = try DriverBench(limits: Self.limits { $0.waitingCallbacks = 100 })
    await bench.open(at: 0)
    // The mailbox is filled from within the driver's isolation, which thus cannot take anything meanwhile.
    await bench.driver.flood(bench[1], 1_000)
    await bench.driver.takeMail()
    #expect(bench.ends == ["0 ended 1 error"])
    #expect(bench.book.entries.count { $0.event == .message } == 100)
    #expect(bench.asked == ["0 cancel 1"])
    // The next connection is not concerned.
    await bench.open(at: 10)
    #expect(await bench.driver.phase == .open)
  }

  @Test func aTransportThatWaitsIsLetIn() async throws {
    let bench = try DriverBench(limits: Self.limits { $0.waitingCallbacks = 100 })
    await bench.open(at: 0)
    for _ in 0..<1_000 {
      await bench[1].room()
      bench[1].put(.message(.text("a")))
    }
    await bench.driver.takeMail()
    #expect(bench.book.entries.count { $0.event == .message } == 1_000)
    #expect(await bench.driver.phase == .open)
  }

  // MARK: Sending

  @Test func sendsEndOnceWhateverTheTransportDoes() async throws {
    let bench = try DriverBench(limits: Self.limits { $0.sends = 2 })
    await #expect(throws: HeartbeatSendError.notOpen) { try await bench.driver.send(.text("a")) }
    await bench.open(at: 0)
    try await bench.driver.send(.text("a"))
    bench[1].acceptsSends = false
    let driver = bench.driver
    let first = Task { try await driver.send(.text("b")) }
    let second = Task { try await driver.send(.text("c")) }
    await bench[1].asked(sends: 3)
    await #expect(throws: HeartbeatSendError.full) { try await driver.send(.text("d")) }
    bench[1].completeSends(false)
    bench[1].completeSends(true)
    await #expect(throws: HeartbeatSendError.failed) { try await first.value }
    await #expect(throws: HeartbeatSendError.failed) { try await second.value }
    let third = Task { try await driver.send(.text("e")) }
    await bench[1].asked(sends: 4)
    await bench.put(.ended(.reset, .in), on: 1, at: 1)
    await #expect(throws: HeartbeatSendError.ended) { try await third.value }
    bench[1].completeSends(true)
    await driver.takeMail()
  }

  // MARK: Redaction

  @Test func nothingOfAMessageIsInTheRecordingOrTheLog() async throws {
    let secret = "4929-canary-7731"
    let parameters = try Heartbeat.Parameters(interval: .seconds(30), timeout: .seconds(10))
    let recording = try HeartbeatRecording(parameters)
    let bench = DriverBench(parameters, tap: recording.tap)
    await bench.open(at: 0)
    await bench.put(.message(.text(secret)), on: 1, at: 1)
    await bench.put(.message(.binary(Array(secret.utf8))), on: 1, at: 2)
    try await bench.driver.send(.text(secret))
    await bench.advance(to: 50_000)
    _ = try recording.finish(at: bench.clock.now)
    let log = bench.book.entries.map(\.description).joined(separator: "\n")
    for part in [secret, "canary", "4929", "7731"] {
      #expect(!recording.text.contains(part))
      #expect(!log.contains(part))
    }
    #expect(recording.text.contains(#""bytes":\#(secret.utf8.count)"#))
  }
}

extension HeartbeatDriver {
  /// Puts messages into a connection's inbox within one step of the driver.
  fileprivate func flood(_ connection: ScriptedWebSocketConnection, _ count: Int) {
    for _ in 0..<count { connection.put(.message(.text("a"))) }
  }
}
