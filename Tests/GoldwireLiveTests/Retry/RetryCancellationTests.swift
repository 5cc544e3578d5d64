import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireTap
import GoldwireTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Cancellation before, during and exactly at the end of a wait, and a session that changes meanwhile.
@Suite(.timeLimit(.minutes(1))) struct RetryCancellationTests {
  @Test func cancelledBeforeTheFirstSend() async throws {
    let bench = RetryBench([.status(200)])
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await bench.executor.send(get())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.transport.sends.isEmpty)
  }

  @Test func cancelledBeforeTheWait() async throws {
    let bench = RetryBench([.status(503).held(), .status(200)])
    let task = Task { try await bench.executor.send(get()) }
    try await bench.transport.held()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.transport.sends.count == 1)
    #expect(bench.clock.waiting == 0)
    #expect(bench.log.map(\.stop) == [.cancelled])
  }

  @Test func cancelledDuringTheWait() async throws {
    let bench = RetryBench([.status(503), .status(200)])
    let task = Task { try await bench.executor.send(get()) }
    _ = await bench.clock.waits()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.transport.sends.count == 1)
    #expect(bench.clock.waiting == 0)
    #expect(bench.log.map(\.stop) == [nil, .cancelled])
  }

  @Test func cancelledExactlyAtTheEndOfTheWait() async throws {
    // The clock ends the wait and cancels the task before it goes on: the wait itself has ended well.
    let bench = RetryBench([.status(503), .status(200)])
    let clock = TieClock(bench.clock)
    let executor = RetryExecutor(
      transport: bench.transport, clock: clock, gate: SessionGate(clock: clock), unit: { 1_000_000 })
    let task = Task { try await executor.send(get()) }
    await bench.clock.advanceToNextWait()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.cancelledAtTheEnd == 1)
    #expect(bench.transport.sends.count == 1)
  }

  @Test func aCancelledRequestStaysSo() async throws {
    let bench = RetryBench([.status(503), .status(200)])
    let request = get()
    let task = Task { try await bench.executor.send(request) }
    _ = await bench.clock.waits()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: CancellationError.self) { try await bench.executor.send(request) }
    #expect(bench.transport.sends.count == 1)
  }

  @Test func cancelledWhileTheReplyCame() async throws {
    let bench = RetryBench([.status(200, body: "secret")])
    let transport = CancellingTransport(bench.transport)
    let executor = RetryExecutor(transport: transport, clock: bench.clock)
    let task = Task { try await executor.send(get()) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.transport.open == 0, "the reply is dropped")
  }

  @Test func aTransportThatGivesUpByItselfIsACancellationToo() async throws {
    struct Closed: HTTPTransport {
      func send(
        _ request: URLRequest, onHop: @escaping @Sendable (ReplyHead) -> Void
      ) async throws -> HTTPReply { throw CancellationError() }
    }
    let parameters = try Retry.Parameters(unit: .microseconds, transport: true)
    let executor = RetryExecutor(transport: Closed(), parameters: parameters)
    await #expect(throws: CancellationError.self) { try await executor.send(get()) }
  }

  // MARK: Sessions

  @Test func aSessionThatChangedDuringTheWaitSendsNothing() async throws {
    let bench = RetryBench([.status(503), .status(200)])
    async let result = bench.executor.send(get())
    _ = await bench.clock.waits()
    bench.gate.raise()
    await bench.clock.advanceToNextWait()
    #expect(try await result.outcome == .stale)
    #expect(bench.transport.sends.count == 1)
    #expect(bench.log.last?.stop == .stale)
  }

  @Test func aSessionThatChangedDuringTheSendDeliversNothing() async throws {
    let bench = RetryBench([.status(200, body: "of the old account").held()])
    async let result = bench.executor.send(get())
    try await bench.transport.held()
    bench.gate.raise()
    bench.transport.release()
    #expect(try await result.outcome == .stale)
    #expect(try await result.reply == nil)
    #expect(bench.transport.open == 0)
  }

  @Test func aSessionThatChangedDuringTheBodyDeliversNoMore() async throws {
    let bench = RetryBench([.stream([.text("one"), .hold, .text("two")])])
    let result = try await bench.executor.send(get())
    let body = try #require(result.reply?.body)
    #expect(try await body.next() == Array("one".utf8))
    let rest = Task { try await body.next() }
    try await bench.transport.held()
    bench.gate.raise()
    bench.transport.release()
    await #expect(throws: StaleSession()) { try await rest.value }
    #expect(bench.transport.open == 0)
  }

  @Test func aSessionThatChangedDuringTheHeaderSendsNothing() async throws {
    let bench = RetryBench([.status(200)])
    let request = LogicalRequest(
      URLRequest(url: address),
      header: { request, _ in
        bench.gate.raise()
        return request
      })
    #expect(try await bench.executor.send(request).outcome == .stale)
    #expect(bench.transport.sends.isEmpty)
  }
}

/// A clock that cancels the task in which a wait has just ended.
private final class TieClock: DriverClock {
  private let clock: ManualClock
  private let count = Watched(0)

  init(_ clock: ManualClock) { self.clock = clock }

  var now: TapInstant { clock.now }
  var cancelledAtTheEnd: Int { count.value }

  func sleep(until instant: TapInstant) async throws {
    try await clock.sleep(until: instant)
    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
    count.update { $0 += 1 }
  }
}

/// A transport whose task is cancelled at the very moment of its reply.
private struct CancellingTransport: HTTPTransport {
  let transport: ScriptedTransport

  init(_ transport: ScriptedTransport) { self.transport = transport }

  func send(
    _ request: URLRequest, onHop: @escaping @Sendable (ReplyHead) -> Void
  ) async throws -> HTTPReply {
    let reply = try await transport.send(request, onHop: onHop)
    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
    return reply
  }
}
