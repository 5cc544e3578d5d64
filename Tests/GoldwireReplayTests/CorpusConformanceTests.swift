import Foundation
import GoldwireReplay
import GoldwireTrace
import Testing

/// The clients that the corpus was recorded from do what the machines say, with the parameters that were in force.
@Suite struct CorpusConformanceTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces").path

  static let scenarios: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { FileManager.default.fileExists(atPath: folder + "/" + $0 + "/capture.pcap") }.sorted()

  /// Clients that do what no parameter of a machine says, recorded to show just that.
  static let departing: Set<String> = ["http-retry-urllib3-backoff", "ws-aiohttp-messages"]

  @Test(
    "a recorded client conforms, but for those that were recorded because they do not", arguments: scenarios)
  func conforms(scenario: String) throws {
    let trace = try Trace(bytes: AtomicFile.read(Self.folder + "/" + scenario + "/trace.jsonl"))
    let machines = TraceReplay.machines(drivenBy: trace)
    #expect(!machines.isEmpty)
    for machine in machines {
      let named = try #require(trace.header.inForce?[machine])
      let conformance = try Conformance(trace, MachineParameters(machine, named))
      #expect(
        conformance.departures.isEmpty != Self.departing.contains(scenario), "\(conformance.departures)")
      #expect(conformance.neverInStep == [])
    }
  }
}
