internal import Foundation
internal import GoldwireLive
internal import GoldwireMachines
public import GoldwireReplay
internal import GoldwireServer
internal import GoldwireTap
public import GoldwireTrace

/// A driver's session with the fault server, on real sockets, recorded by the driver's tap.
public struct LiveSession: Sendable {
  /// What was done.
  public let scenario: LiveScenario
  /// The trace of the driver's tap.
  public let trace: Trace
  /// The trace of the server.
  public let served: Trace
  /// What is wrong with what the app saw, in words: an effect that came twice, say.
  public let faults: [String]

  /// Runs a session.
  ///
  /// `before` is told the server's port before anything is sent to it. `folder` is where the tap writes while it runs.
  public static func run(
    _ scenario: LiveScenario, in folder: String, before: (Int) async throws -> Void = { _ in }
  ) async throws -> LiveSession {
    let server = try FaultServer(script: FaultScript(json: Array(scenario.script.utf8)))
    try await before(server.port)
    let path = folder + "/\(scenario.family.rawValue)-\(scenario.seed).jsonl"
    var faults: [String] = []
    switch scenario.client {
    case .heartbeat(let client): try await client.run(server, path)
    case .retry(let client): try await client.run(server, path)
    case .stream(let client): faults = try await client.run(server, path)
    }
    await server.stop()
    return LiveSession(
      scenario: scenario, trace: try Trace.load(path: path), served: server.log, faults: faults)
  }

  /// The trace held against the machine: what the driver did must be what a replay says it should have done.
  ///
  /// `slack` is how late its timers may be; without it, what `goldwire conform` allows.
  public func conformance(slack: TimeSpan? = nil) throws -> Conformance {
    let machine: MachineName =
      switch scenario.family.kind {
      case .heartbeat: .heartbeat
      case .retry: .retry
      case .stream: .stream
      }
    let values = trace.header.inForce?[machine] ?? [:]
    return try Conformance(trace, MachineParameters(machine, values), slack: slack)
  }
}

extension Int {
  /// So many milliseconds.
  var milliseconds: Duration { .milliseconds(self) }
}

extension FaultServer {
  /// An address on it.
  func url(_ scheme: String, _ path: String) -> URL? { URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") }
}

/// An address that cannot be made.
struct NoAddress: Error {}
