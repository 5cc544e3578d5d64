import Foundation
import GoldwireReplay
import GoldwireTrace
import Testing

@testable import GoldwireReplay

/// With the parameters that were in force, a prediction is the recording.
@Suite struct CausalIdentityTests {
  static let folder = CorpusConformanceTests.folder

  static let scenarios: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { FileManager.default.fileExists(atPath: folder + "/" + $0 + "/trace.jsonl") }.sorted()

  /// A trace of the corpus; what was in force on a written one is what its golden names.
  private static func trace(_ scenario: String) throws -> Trace {
    var trace = try Trace(bytes: AtomicFile.read(folder + "/" + scenario + "/trace.jsonl"))
    guard trace.header.inForce == nil else { return trace }
    var table = ParameterTable()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/" + scenario).sorted() {
      guard let golden = GoldenName(name, stems: ["trace"]) else { continue }
      let header = try Golden(bytes: AtomicFile.read(folder + "/" + scenario + "/" + name)).header
      switch header.parameters {
      case .literal(let values): table[golden.machine] = values
      case .set: try table.set(option: "heartbeat.interval=30s,heartbeat.timeout=10s")
      }
    }
    trace.header.inForce = table
    return trace
  }

  private static func hasHole(_ trace: Trace) -> Bool {
    trace.lines.contains { line in
      if case .recGap = line.event { return true }
      return line.event == .wsAttach
    }
  }

  @Test("with what was in force", arguments: scenarios)
  func isTheRecording(_ scenario: String) throws {
    let trace = try Self.trace(scenario)
    for machine in TraceReplay.machines(drivenBy: trace) {
      let inForce = try MachineParameters(machine, #require(trace.header.inForce?[machine]))
      let short = try CausalReplay(trace, inForce)
      let (replayed, _) = try TraceReplay.replay(
        trace, inForce, options: ReplayOptions(tick: .standard(for: trace.header.source)))
      #expect(short.actions.map(\.line.short) == replayed.short)
      let best: Grade = trace.header.at == .client ? .observed : .bounded
      #expect(short.grades.subtracting([best]) == [])
      // A client that departs from its machine was not what the model says it was.
      guard !Self.hasHole(trace), !CorpusConformanceTests.departing.contains(scenario) else { continue }
      // Woken exactly, a written request answers at the very instant of its send, and is not heard.
      if machine == .retry, trace.header.source == .written { continue }
      let model = try CausalReplay(
        trace, inForce, CausalAssumptions(), nil, Configuration(), isShort: false)
      // A client that is not the machine is told as one, and nothing is held for firm.
      if model.told.contains("the recorded client is not the machine with") {
        #expect(model.grades.max() ?? .assumed <= .assumed)
        continue
      }
      #expect(model.actions.map(\.line.short) == replayed.short)
      #expect(model.grades.subtracting([best]) == [])
    }
  }
}
