import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireStore
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The code of docs/retry.md and docs/streams.md, so that it compiles; `DocumentedCodeTests` holds the two together.
enum DocumentedCode {
  static func retries(_ url: URL, show: ([UInt8]) -> Void) async throws {
    let gate = SessionGate()
    let executor = RetryExecutor(transport: URLSessionTransport(), gate: gate)

    let result = try await executor.send(LogicalRequest(URLRequest(url: url)))
    if result.outcome == .delivered, let body = try await result.reply?.body.bytes() {
      show(body)
    }
    gate.raise()
  }

  static func writes(_ post: URLRequest, _ put: URLRequest, _ file: URL) -> [LogicalRequest] {
    let order = LogicalRequest(post, idempotency: .serverKeepsKeys())
    let upload = LogicalRequest(put, idempotency: .serverKeepsKeys(), body: { InputStream(url: file) })
    return [order, upload]
  }

  static func tested(_ url: URL) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport(
      [.status(503), .status(429, retryAfter: "10"), .status(200)], clock: clock)
    let executor = RetryExecutor(transport: transport, clock: clock, unit: { 0 })

    async let result = executor.send(LogicalRequest(URLRequest(url: url)))
    await clock.advanceToNextWait()
    await clock.advanceToNextWait()
    #expect(try await result.outcome == .delivered)
    #expect(transport.sends.compactMap(\.delay) == [.milliseconds(500), .seconds(10)])
  }

  static func stream(_ url: URL, _ databasePath: String) throws -> Task<StreamEnd, any Error> {
    let store = try SQLiteCursorStore(path: databasePath, stream: "orders")
    let reader = EventStreamReader(URLRequest(url: url), transport: URLSessionTransport(), store: store) {
      event, transaction in
      try await transaction.run(
        "INSERT INTO orders VALUES (?, ?)", .text(event.lastEventID), .text(event.data))
    }
    let task = Task { try await reader.run() }
    return task
  }

  static func recorded(_ request: URLRequest, _ tracePath: String) throws {
    let tap = try Tap(writingTo: tracePath, blind: [.handler, .unit, .tick])
    let recorder = URLSessionTap(tap)
    let session = URLSession(configuration: .default, delegate: recorder, delegateQueue: nil)
    recorder.resume(session.dataTask(with: request))
  }
}
