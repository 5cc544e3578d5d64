import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireTap
import GoldwireTesting
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An executor with everything around it in a test's hands.
struct RetryBench {
  let clock: ManualClock
  let transport: ScriptedTransport
  let gate: SessionGate
  let executor: RetryExecutor
  private let written: Log

  private final class Log: Sendable {
    let records = Mutex<[RetryRecord]>([])
  }

  /// Makes a bench; the random unit is the largest unless said otherwise.
  init(
    _ script: [ScriptedTransport.Answer], parameters: Retry.Parameters = .standard(.milliseconds),
    unit: Int = 1_000_000, wall: Date = Date(timeIntervalSince1970: 0), clock: ManualClock = ManualClock(),
    tap: Tap? = nil, draw: RandomUnit? = nil
  ) {
    self.clock = clock
    transport = ScriptedTransport(script, clock: clock)
    gate = SessionGate(clock: clock, tap: tap)
    let written = Log()
    self.written = written
    executor = RetryExecutor(
      transport: transport, parameters: parameters, clock: clock, gate: gate, unit: draw ?? { unit },
      wall: WallTime { wall }, tap: tap, log: { record in written.records.withLock { $0.append(record) } })
  }

  var log: [RetryRecord] { written.records.withLock { $0 } }

  /// Runs a request to its end, moving the clock to each wait as it comes.
  func run(_ request: LogicalRequest) async throws -> RetryResult {
    try await withThrowingTaskGroup(of: RetryResult?.self) { group in
      group.addTask { try await executor.send(request) }
      group.addTask {
        while !Task.isCancelled { await clock.advanceToNextWait() }
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() { if let result { return result } }
      throw CancellationError()
    }
  }

  /// When each send came, in milliseconds.
  var instants: [Int] { transport.sends.map { milliseconds($0.at) } }

  /// The delay before each send but the first, in milliseconds.
  var delays: [Int] { transport.sends.compactMap { $0.delay.map(milliseconds) } }
}

func milliseconds(_ span: Duration) -> Int {
  Int(span.components.seconds) * 1_000 + Int(span.components.attoseconds / 1_000_000_000_000_000)
}

let address = URL(string: "http://127.0.0.1/orders") ?? URL(filePath: "/")

func get() -> LogicalRequest { LogicalRequest(URLRequest(url: address)) }

func write(
  _ method: String = "POST", body: String? = nil, fields: [String: String] = [:]
) -> URLRequest {
  var request = URLRequest(url: address)
  request.httpMethod = method
  request.httpBody = body.map { Data($0.utf8) }
  for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
  return request
}
