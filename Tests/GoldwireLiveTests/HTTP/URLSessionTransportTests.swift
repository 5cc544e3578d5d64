import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireProtocols
import GoldwireServer
import GoldwireTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server with a script, and a transport to it.
struct RealBench {
  let server: FaultServer
  let transport = URLSessionTransport()

  init(_ script: String) throws {
    server = try FaultServer(script: FaultScript(json: Array(script.utf8)))
  }

  init(named name: String) throws {
    server = try FaultServer(script: #require(FaultScript(named: name)))
  }

  func request(_ path: String, port: Int? = nil) throws -> URLRequest {
    URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port ?? server.port)\(path)")))
  }

  func send(_ path: String, port: Int? = nil) async throws -> HTTPReply {
    try await transport.send(request(path, port: port)) { _ in }
  }

  /// Returns once no request is under way.
  func idle() async throws { try await transport.open.wait { $0 == 0 ? () : nil } }
}

/// The transport of every platform, on real sockets.
@Suite(.timeLimit(.minutes(1))) struct URLSessionTransportTests {
  private static func script(_ rules: String) -> String {
    #"{"script":1,"refusedPort":true,"rules":[\#(rules)]}"#
  }

  @Test func aReplyHasHeadAndBody() async throws {
    let bench = try RealBench(
      Self.script(#"{"path":"/a","http":{"status":503,"retryAfter":7,"body":100000}}"#))
    let reply = try await bench.send("/a")
    #expect(reply.head.status == 503)
    #expect(reply.head.retryAfter(now: 0) == .seconds(7))
    #expect(reply.head.date != nil)
    #expect(!reply.head.isEventStream)
    #expect(try await reply.body.bytes().count == 100_000)
    try await bench.idle()
    await bench.server.stop()
  }

  @Test func aRedirectIsAHopAndNotAReply() async throws {
    let bench = try RealBench(
      Self.script(
        #"{"path":"/a","http":{"status":307,"location":"/b"}},{"path":"/b","http":{"status":404}}"#))
    let hops = Watched<[Int]>([])
    let reply = try await bench.transport.send(bench.request("/a")) { head in
      hops.update { $0.append(head.status) }
    }
    #expect(reply.head.status == 404)
    #expect(hops.value == [307])
    _ = try await reply.body.bytes()
    try await bench.idle()
    await bench.server.stop()
  }

  @Test func failuresHaveTheirCause() async throws {
    let bench = try RealBench(
      Self.script(#"{"path":"/reset","http":{"do":"reset"}},{"path":"/close","http":{"do":"close"}}"#))
    let refused = try #require(bench.server.refusedPort)
    await #expect(throws: TransportFailure(.refused)) { try await bench.send("/", port: refused) }
    for path in ["/reset", "/close"] {
      let error = await #expect(throws: TransportFailure.self) { try await bench.send(path) }
      #expect(
        [.reset, .fin, .protocol].contains(try #require(error).cause), "\(path): \(String(describing: error))"
      )
    }
    try await bench.idle()
    await bench.server.stop()
  }

  @Test func aBodyThatBreaksOffIsAFailureAfterItsBytes() async throws {
    let bench = try RealBench(Self.script(#"{"path":"/a","http":{"body":1000,"cut":10}}"#))
    let reply = try await bench.send("/a")
    var count = 0
    await #expect(throws: TransportFailure.self) {
      while let piece = try await reply.body.next() { count += piece.count }
    }
    #expect(count <= 10)
    try await bench.idle()
    await bench.server.stop()
  }

  @Test func cancellingLeavesNoRequestBehind() async throws {
    let bench = try RealBench(
      Self.script(
        #"{"path":"/silent","http":{"do":"silent"}},{"path":"/open","events":{"end":"open","events":[{"id":"1","data":"a"}]}}"#
      ))
    let task = Task { try await bench.send("/silent") }
    try await bench.transport.open.wait { $0 == 1 ? () : nil }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await bench.idle()
    let reply = try await bench.send("/open")
    #expect(try await reply.body.next()?.isEmpty == false)
    let reader = Task { try await reply.body.next() }
    reply.body.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    try await bench.idle()
    await bench.server.stop()
  }

  @Test func aBodyThatNobodyReadsIsGivenUpAtItsLimit() async throws {
    let bench = try RealBench(Self.script(#"{"path":"/a","http":{"body":3000000}}"#))
    var limits = URLSessionTransport.Limits()
    limits.pause = 4_000_000
    limits.most = 100_000
    let transport = URLSessionTransport(limits: limits)
    let reply = try await transport.send(bench.request("/a")) { _ in }
    try await transport.open.wait { $0 == 0 ? () : nil }
    await #expect(throws: TransportFailure(.other)) { while try await reply.body.next() != nil {} }
    await bench.server.stop()
  }

  // MARK: Retries on real sockets

  @Test func aRequestIsRetriedAsTheServerAsks() async throws {
    let bench = try RealBench(named: "retry")
    let clock = ManualClock()
    let log = Watched<[RetryRecord]>([])
    let executor = RetryExecutor(
      transport: bench.transport, clock: clock, unit: { 0 },
      log: { record in log.update { $0.append(record) } })
    let request = LogicalRequest(try bench.request("/retry"))
    async let result = executor.send(request)
    for _ in 1...2 { await clock.advanceToNextWait() }
    #expect(try await result.outcome == .delivered)
    #expect(try await result.reply?.body.bytes().count == 16)
    #expect(log.value.map(\.status) == [503, 429, 200])
    #expect(log.value.compactMap(\.plannedDelay).first == .seconds(1))
    try await bench.idle()
    await bench.server.stop()
  }

  @Test func twoLayersAndARedirectSendFourTimes() async throws {
    let bench = try RealBench(named: "retry")
    let clock = ManualClock()
    let inner = RetryExecutor(transport: bench.transport, clock: clock, unit: { 1_000_000 })
    let outer = RetryExecutor(transport: inner, clock: clock, unit: { 1_000_000 })
    let request = LogicalRequest(try bench.request("/moved"))
    async let result = outer.send(request)
    for _ in 1...3 { await clock.advanceToNextWait() }
    #expect(try await result.outcome == .budget)
    #expect(clock.elapsed == .seconds(7))
    try await result.reply?.body.cancel()
    try await bench.idle()
    await bench.server.stop()
  }
}
