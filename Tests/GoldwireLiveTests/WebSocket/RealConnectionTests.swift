import Foundation
import GoldwireMachines
import GoldwireReplay
import GoldwireServer
import GoldwireTap
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// The driver on real sockets, against the fault server: the four results, each with its cause, and messages after them.
@Suite(.timeLimit(.minutes(1))) struct RealConnectionTests {
  private struct Bench {
    let clock = HandClock()
    let serverClock = HandClock()
    let book = LogBook()
    let server: FaultServer
    let driver: HeartbeatDriver

    init(_ behaviours: String, tap: Tap? = nil, refused: Bool = false) throws {
      let script =
        #"{"script":1,"refusedPort":true,"rules":[{"path":"*","websocket":["# + behaviours + "]}]}"
      server = try FaultServer(script: try FaultScript(json: Array(script.utf8)), clock: serverClock)
      let port = refused ? server.refusedPort ?? 1 : server.port
      let url = try #require(URL(string: "ws://127.0.0.1:\(port)/chat"))
      driver = HeartbeatDriver(
        try Heartbeat.Parameters(interval: .seconds(30), timeout: .seconds(10)),
        transport: try SocketWebSocketTransport(url: url, clock: clock), clock: clock, tap: tap, log: book.add
      )
    }

    /// The next thing that the app is told.
    func next() async -> HeartbeatEvent? {
      let iterator = driver.events.makeAsyncIterator()
      return await iterator.next()
    }
  }

  @Test func aNormalAnswer() async throws {
    let bench = try Bench(
      #"{"steps":[{"afterPong":1,"send":"text","bytes":5},{"afterPong":2,"send":"binary","bytes":70000}]}"#)
    await bench.driver.connect()
    #expect(await bench.next() == .opened(generation: 1))
    for ordinal in 1...2 {
      bench.clock.advance(to: 30_000_000 * ordinal)
      await bench.book.wait(for: .pinged(.ok), count: ordinal)
      guard case .message(1, let content)? = await bench.next() else { throw SocketError.closed }
      #expect(content.byteCount == (ordinal == 1 ? 5 : 70_000))
    }
    try await bench.driver.send(.text("hello"))
    await bench.driver.close()
    #expect(await bench.next() == .ended(HeartbeatEnd(generation: 1, cause: .userClosed)))
    await bench.server.stop()
  }

  @Test func aDelayedAnswer() async throws {
    let bench = try Bench(
      #"{"pongs":[{"after":"9s"},{"after":"11s"}],"steps":[{"afterPong":1,"send":"text","bytes":5}]}"#)
    await bench.driver.connect()
    #expect(await bench.next() == .opened(generation: 1))
    bench.clock.advance(to: 30_000_000)
    await bench.book.wait(for: .ping)
    bench.clock.advance(to: 39_000_000)
    // In time: the receive loop goes on with what comes behind the pong.
    await bench.serverClock.advance(whenWaitedFor: 9_000_000)
    await bench.book.wait(for: .pinged(.ok))
    guard case .message(1, _)? = await bench.next() else { throw SocketError.closed }
    // Too late: the connection is closed, with its cause.
    bench.clock.advance(to: 69_000_000)
    await bench.book.wait(for: .ping, count: 2)
    bench.clock.advance(to: 79_000_000)
    #expect(await bench.next() == .ended(HeartbeatEnd(generation: 1, cause: .pongTimeout)))
    await bench.server.stop()
  }

  @Test func aDirectClose() async throws {
    let bench = try Bench(
      #"{"steps":[{"send":"text","bytes":5},{"beforePong":1,"close":4001}]},{"steps":[{"beforePong":1,"do":"reset"}]}"#
    )
    await bench.driver.connect()
    #expect(await bench.next() == .opened(generation: 1))
    guard case .message(1, _)? = await bench.next() else { throw SocketError.closed }
    bench.clock.advance(to: 30_000_000)
    #expect(
      await bench.next() == .ended(HeartbeatEnd(generation: 1, cause: .peerClosed, code: 4_001)))
    await bench.driver.connect()
    #expect(await bench.next() == .opened(generation: 2))
    bench.clock.advance(to: 60_000_000)
    #expect(await bench.next() == .ended(HeartbeatEnd(generation: 2, cause: .reset)))
    await bench.server.stop()
  }

  @Test func aFailedConnection() async throws {
    let refused = try Bench("{}", refused: true)
    await refused.driver.connect()
    #expect(
      await refused.next()
        == .ended(HeartbeatEnd(generation: 1, cause: .refused, refusal: WebSocketRefusal(.refused))))
    await refused.server.stop()
    let status = try Bench(#"{"open":{"status":503,"retryAfter":7}},{}"#)
    await status.driver.connect()
    guard case .ended(let end)? = await status.next() else { throw SocketError.closed }
    #expect(end.cause == .refused && end.refusal?.cause == .status && end.refusal?.status == 503)
    // The next one succeeds, and is not disturbed by what is left of the first.
    await status.driver.connect()
    #expect(await status.next() == .opened(generation: 2))
    #expect(await status.driver.phase == .open)
    await status.server.stop()
  }

  @Test func theRecordingOfARealSessionReplaysToWhatWasDone() async throws {
    let parameters = try Heartbeat.Parameters(interval: .seconds(30), timeout: .seconds(10))
    let recording = try HeartbeatRecording(parameters)
    let bench = try Bench(
      #"{"pongs":["answer","other"],"steps":[{"send":"text","bytes":5},{"ping":3},{"afterPong":1,"send":"text"}]}"#,
      tap: recording.tap)
    await bench.driver.connect()
    _ = await bench.next()
    _ = await bench.next()
    bench.clock.advance(to: 30_000_000)
    _ = await bench.next()
    await bench.driver.background()
    bench.clock.advance(to: 61_000_000)
    #expect(await bench.driver.foreground() == .reuse)
    await bench.book.wait(for: .strayPong)
    bench.clock.advance(to: 71_000_000)
    #expect(await bench.next() == .ended(HeartbeatEnd(generation: 1, cause: .pongTimeout)))
    await bench.server.stop()
    let trace = try recording.finish(at: bench.clock.now)
    let gate = try Conformance(
      trace, MachineParameters(.heartbeat, try #require(trace.header.inForce)[.heartbeat] ?? [:]))
    #expect(gate.departures == [])
    #expect(gate.acts == 3)
    #expect(gate.worstLateness == 0)
  }
}
