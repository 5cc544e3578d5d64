internal import Foundation
internal import GoldwireLive
internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireServer
internal import GoldwireTap
internal import GoldwireTrace

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The reader and the fault server on real sockets, under one script.
struct StreamSession: Sendable {
  let script: StreamScript
  let client: MachineParameters

  /// Runs it; the trace begins when the server does.
  func trace(in folder: String) async throws -> Trace {
    let parameters = try client.stream(.us)
    let path = folder + "/\(UUID().uuidString).jsonl"
    let tap = try Tap(writingTo: path, parameters: TapParameters(stream: parameters))
    let server = try FaultServer(script: try script.served())
    let start = TapInstant.now
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/events") else {
      throw RealFailure("no address")
    }
    let reader = EventStreamReader(
      URLRequest(url: url), transport: URLSessionTransport(), store: MemoryCursorStore(),
      parameters: parameters, tap: tap
    ) { _, _ in }
    let task = Task { _ = try? await reader.run() }
    let end = TapInstant(microseconds: start.microseconds + StreamScript.horizon)
    try await ContinuousDriverClock().sleep(until: end)
    tap.finish()
    task.cancel()
    await task.value
    await server.stop()
    var trace = try Trace.load(path: path)
    try FileManager.default.removeItem(atPath: path)
    trace.move(by: (trace.header.wall ?? 0) - (server.log.header.wall ?? 0))
    return trace
  }
}
