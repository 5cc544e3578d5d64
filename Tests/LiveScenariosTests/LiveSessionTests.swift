import Foundation
import GoldwireReplay
import GoldwireServer
import GoldwireTrace
import LiveScenarios
import Testing

/// Drivers on real sockets: what they did must be what a replay of their own trace says.
@Suite(.timeLimit(.minutes(5))) struct LiveSessionTests {
  private static func folder() throws -> String {
    let path = NSTemporaryDirectory() + "goldwire-live-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test(arguments: LiveFamily.allCases) func aSessionIsWhatItsReplaySays(_ family: LiveFamily) async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let session = try await LiveSession.run(LiveScenario(family, seed: 1), in: folder)
    let conformance = try session.conformance()
    #expect(conformance.departures.isEmpty, "\(conformance.text())")
    #expect(conformance.neverInStep.isEmpty)
    #expect(conformance.acts > 0, "nothing was judged")
    #expect(session.faults.isEmpty)
    #expect(session.served.lines.contains { $0.channel != nil }, "the server saw nothing")
  }

  /// Other parameters than those of the driver must show, or nothing was compared.
  @Test func anotherIntervalIsADeparture() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let session = try await LiveSession.run(LiveScenario(.calm, seed: 1), in: folder)
    var values = try #require(session.trace.header.inForce?[.heartbeat])
    values[.interval] = .span(TimeSpan(microseconds: 900_000))
    let conformance = try Conformance(session.trace, MachineParameters(.heartbeat, values))
    #expect(!conformance.departures.isEmpty)
  }

  @Test(arguments: LiveFamily.allCases) func everyScriptIsRead(_ family: LiveFamily) throws {
    for seed in UInt64(1)...100 {
      let scenario = LiveScenario(family, seed: seed)
      _ = try FaultScript(json: Array(scenario.script.utf8))
      #expect(LiveScenario(family, seed: seed).script == scenario.script)
    }
  }
}
