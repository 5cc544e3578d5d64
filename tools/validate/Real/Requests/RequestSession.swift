internal import Foundation
internal import GoldwireLive
internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireServer
internal import GoldwireTap
internal import GoldwireTrace
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The executor and the fault server on real sockets, under one script: each request is an origin of the trace.
struct RequestSession: Sendable {
  let script: RequestScript
  let client: MachineParameters

  /// Runs it; the trace begins when the server does.
  func trace(in folder: String) async throws -> Trace {
    let parameters = try client.retry(.us)
    let path = folder + "/\(UUID().uuidString).jsonl"
    let tap = try Tap(writingTo: path, parameters: TapParameters(retry: parameters))
    let server = try FaultServer(script: try script.served())
    let start = TapInstant.now
    let clock = ContinuousDriverClock()
    let executors = script.requests.indices.map { number in
      let units = Units(script, number)
      return RetryExecutor(
        transport: URLSessionTransport(), parameters: parameters, unit: { units.next() }, tap: tap)
    }
    await withTaskGroup(of: Void.self) { group in
      for (number, request) in script.requests.enumerated() {
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/jobs/\(number)") else { continue }
        group.addTask {
          let due = TapInstant(microseconds: start.microseconds + request.start)
          guard (try? await clock.sleep(until: due)) != nil else { return }
          let result = try? await executors[number].send(LogicalRequest(URLRequest(url: url)))
          if let reply = result?.reply { _ = try? await reply.body.bytes() }
        }
      }
      group.addTask {
        try? await clock.sleep(until: TapInstant(microseconds: start.microseconds + RequestScript.horizon))
      }
      await group.waitForAll()
    }
    tap.finish()
    await server.stop()
    var trace = try Trace.load(path: path)
    try FileManager.default.removeItem(atPath: path)
    trace.move(by: (trace.header.wall ?? 0) - (server.log.header.wall ?? 0))
    return trace
  }
}

/// The random units of one request, in order.
private final class Units: Sendable {
  private let script: RequestScript
  private let request: Int
  private let attempt = Mutex(0)

  init(_ script: RequestScript, _ request: Int) { (self.script, self.request) = (script, request) }

  func next() -> Int {
    attempt.withLock { attempt in
      attempt += 1
      return script.unit(request, after: attempt)
    }
  }
}
