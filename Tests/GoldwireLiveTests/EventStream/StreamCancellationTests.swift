import GoldwireLive
import GoldwireMachines
import GoldwireReplay
import GoldwireTap
import GoldwireTestSupport
import GoldwireTesting
import GoldwireTrace
import Testing

/// What a reader leaves behind, and what silence is.
@Suite(.timeLimit(.minutes(1))) struct StreamCancellationTests {
  @Test func cancelledWhileItReads() async throws {
    let parameters = try EventStream.Parameters(unit: .microseconds, idle: 60_000_000)
    let bench = try StreamBench([.stream([.text(blocks(1)), .hold]), .over], parameters: parameters)
    let task = Task { try await bench.reader.run() }
    try await bench.transport.held()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.leftovers == 0)
    #expect(bench.transport.sends.count == 1)
    #expect(bench.events == ["1=d1"])
    #expect(try bench.taps.finish().text.contains(#""ev":"sse.cancel""#))
  }

  @Test func cancelledWhileItWaitsToReconnect() async throws {
    let bench = try StreamBench([.events(blocks(1)), .over])
    let task = Task { try await bench.reader.run() }
    _ = await bench.clock.waits()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.leftovers == 0)
    bench.clock.advance(by: .seconds(3_600))
    #expect(bench.transport.sends.count == 1)
  }

  @Test func cancelledWhileItConnects() async throws {
    let bench = try StreamBench([.events(blocks(1)).held(), .over])
    let task = Task { try await bench.reader.run() }
    try await bench.transport.held()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.leftovers == 0)
    #expect(bench.transport.cancelled == 1)
  }

  @Test func cancelledWhileAHandlerRuns() async throws {
    let entered = Watched(false)
    let bench = try StreamBench([.stream([.text(blocks(1, 2)), .hold]), .over]) { _, _ in
      entered.update { $0 = true }
      try await Watched(0).wait { _ in Void?.none }
    }
    let task = Task { try await bench.reader.run() }
    try await entered.wait { $0 ? () : nil }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.calls == 1, "the second event is not handled")
    #expect(await bench.store.cursor == "")
    #expect(bench.log == [], "a cancellation is no failure")
    #expect(bench.leftovers == 0)
  }

  @Test func aHandlerThatDoesNotEndKeepsNoRequest() async throws {
    let (entered, left) = (Signal(), Signal())
    let bench = try StreamBench([.stream([.text(blocks(1, 2)), .hold]), .over]) { _, _ in
      entered.fire()
      await left.wait()
    }
    let task = Task { try await bench.reader.run() }
    await entered.wait()
    task.cancel()
    #expect(bench.transport.open == 0, "the request ends, whatever the handler does")
    left.fire()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.calls == 1)
  }

  @Test func anotherSessionEndsTheReaderAtOnce() async throws {
    let bench = try StreamBench([.stream([.text(blocks(1)), .hold]), .over])
    let task = Task { try await bench.reader.run() }
    try await bench.transport.held()
    bench.gate.raise()
    #expect(try await task.value == .stale)
    #expect(bench.leftovers == 0)
  }

  @Test func whatAHandlerDidForASessionThatIsOverIsNotKept() async throws {
    let gate = Watched<SessionGate?>(nil)
    let bench = try StreamBench([.events(blocks(1, 2)), .over]) { _, _ in gate.value?.raise() }
    gate.update { $0 = bench.gate }
    #expect(try await bench.reader.run() == .stale)
    #expect(await bench.store.cursor == "")
    #expect(bench.calls == 1)
  }

  // MARK: Silence

  private static let idle = try? EventStream.Parameters(unit: .microseconds, idle: 10_000_000)

  @Test func silenceEndsAConnection() async throws {
    let bench = try StreamBench(
      [.stream([.text(blocks(1)), .hold]), .over], parameters: #require(Self.idle))
    let task = Task { try await bench.reader.run() }
    try await bench.transport.held()
    for second in [10, 13] {
      await bench.clock.waits(until: bench.clock.instant(after: .seconds(second)))
      bench.clock.advance(to: bench.clock.instant(after: .seconds(second)))
    }
    #expect(try await task.value == .stopped(.noContent))
    #expect(bench.instants == [0, 13_000])
    #expect(bench.transport.cancelled == 2, "the silent stream, and the rest of the last answer")
    #expect(bench.leftovers == 0)
  }

  @Test func aCommentIsLife() async throws {
    let bench = try StreamBench(
      [.stream([.text(blocks(1)), .hold, .text(": life\n"), .hold]), .over], parameters: #require(Self.idle))
    let task = Task { try await bench.reader.run() }
    try await bench.transport.held()
    _ = await bench.clock.waits()
    bench.clock.advance(to: bench.clock.instant(after: .seconds(9)))
    bench.transport.release()
    for second in [19, 22] {
      await bench.clock.waits(until: bench.clock.instant(after: .seconds(second)))
      bench.clock.advance(to: bench.clock.instant(after: .seconds(second)))
    }
    #expect(try await task.value == .stopped(.noContent))
    #expect(bench.instants == [0, 22_000])
  }

  @Test func aSlowHandlerIsNoSilence() async throws {
    let steps = Watched(0)
    let bench = try StreamBench([.events(blocks(1, 2)), .over], parameters: #require(Self.idle)) { _, _ in
      try await steps.wait { $0 > 0 ? () : nil }
    }
    let task = Task { try await bench.reader.run() }
    try await bench.called(1)
    bench.clock.advance(by: .seconds(100))
    steps.update { $0 = 1 }
    await bench.clock.waits(until: bench.clock.instant(after: .seconds(103)))
    bench.clock.advance(by: .seconds(3))
    #expect(try await task.value == .stopped(.noContent))
    #expect(bench.events == ["1=d1", "2=d2"])
    #expect(bench.instants == [0, 103_000])
    let conformance = try bench.taps.finish().conformance(.stream)
    #expect(conformance.status == .expected, "\(conformance.text())")
  }
}
