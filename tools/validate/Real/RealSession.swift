internal import Foundation
internal import GoldwireLive
internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireServer
internal import GoldwireTap
internal import GoldwireTrace
internal import ValidationScoring
internal import ValidationSimulator

/// A driver and the fault server on real sockets, in scaled time, under one script.
struct RealSession: Sendable {
  let script: RealScript
  let client: MachineParameters
  let scale: Int
  /// 0, or 1 for the same once more with other jitter.
  let run: Int
  /// The address of the path to the server; nil where the server plays the path itself.
  var host: String?

  /// Runs it; the trace is in the time that it stands for, and begins when the server does.
  ///
  /// `begun` is told when that is.
  func trace(in folder: String, begun: (TapInstant) -> Void = { _ in }) async throws -> Trace {
    let full = try client.heartbeat(.us)
    func scaled(_ microseconds: Int) -> Duration { .microseconds(microseconds / scale) }
    let parameters = try Heartbeat.Parameters(
      interval: scaled(full.interval), timeout: scaled(full.timeout),
      connectTimeout: full.connectTimeout.map(scaled))
    let path = folder + "/\(UUID().uuidString).jsonl"
    let tap = try Tap(writingTo: path, parameters: TapParameters(heartbeat: parameters))
    let seed = UInt64(script.plan.seed) &* 2 &+ UInt64(run)
    let server = try FaultServer(script: try script.served(scale: scale, seed: seed, hasPath: host == nil))
    let start = TapInstant.now
    begun(start)
    guard let url = URL(string: "ws://\(host ?? "127.0.0.1"):\(server.port)/chat") else {
      throw RealFailure("no address")
    }
    let driver = HeartbeatDriver(parameters, transport: try SocketWebSocketTransport(url: url), tap: tap)
    await live(driver, start)
    tap.finish()
    await driver.close()
    await server.stop()
    var trace = try Trace.load(path: path)
    try FileManager.default.removeItem(atPath: path)
    trace.move(by: (trace.header.wall ?? 0) - (server.log.header.wall ?? 0))
    trace.header.wall = server.log.header.wall
    trace.header.inForce = ParameterTable([.heartbeat: client.values])
    return trace.stretched(by: scale)
  }

  /// Keeps the session up to the script's horizon.
  private func live(_ driver: HeartbeatDriver, _ start: TapInstant) async {
    let clock = ContinuousDriverClock()
    let pause = 2_000_000 / scale
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await event in driver.events {
          guard case .ended = event else { continue }
          let again = TapInstant(microseconds: clock.now.microseconds + pause)
          guard (try? await clock.sleep(until: again)) != nil else { return }
          await driver.connect()
        }
      }
      group.addTask {
        for t in (script.faults.sends + script.faults.exchanges).sorted() {
          let due = TapInstant(microseconds: start.microseconds + t / scale)
          guard (try? await clock.sleep(until: due)) != nil else { return }
          try? await driver.send(.text("hello"))
        }
      }
      await driver.connect()
      let end = TapInstant(microseconds: start.microseconds + script.faults.horizon / scale)
      try? await clock.sleep(until: end)
      group.cancelAll()
    }
  }
}

/// A run that did not come about.
struct RealFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Trace {
  /// The same trace with an origin that is so many microseconds earlier.
  mutating func move(by offset: Int) {
    for index in lines.indices { lines[index].t = Swift.max(0, lines[index].t + offset) }
  }
}
