import Foundation
import GoldwireReplay
import GoldwireTrace
import Testing

/// Machines that hear and speak JSON alone do what the built-in ones do.
@Suite struct ForeignReplayTests {
  static let scenarios: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: CorpusConformanceTests.folder)) ?? [])
    .filter {
      FileManager.default.fileExists(atPath: CorpusConformanceTests.folder + "/" + $0 + "/trace.jsonl")
    }.sorted()

  private static func questions(_ scenario: String) throws -> (trace: Trace, [MachineParameters]) {
    let trace = try Trace(
      bytes: AtomicFile.read(CorpusConformanceTests.folder + "/" + scenario + "/trace.jsonl"))
    let machines = try TraceReplay.machines(drivenBy: trace).map { machine in
      let inForce = trace.header.inForce?[machine] ?? [:]
      let seconds: (Int) -> ParameterValue = { .span(TimeSpan(microseconds: $0 * 1_000_000)) }
      let standard: [ParameterName: ParameterValue] =
        machine == .heartbeat ? [.interval: seconds(30), .timeout: seconds(10)] : [:]
      return try MachineParameters(machine, standard.merging(inForce) { $1 })
    }
    return (trace, machines)
  }

  @Test("every trace of the corpus gives the same actions through the conversation", arguments: scenarios)
  func replays(scenario: String) throws {
    let (trace, machines) = try Self.questions(scenario)
    for parameters in machines {
      for tick in [TickMode.exact, .recorded] {
        let link = SpokenMachines(parameters.machine, copies: true)
        var options = ReplayOptions(tick: tick)
        let own = try TraceReplay.replay(trace, parameters, options: options).replayed
        options.foreign = ForeignSource(try ForeignSession(link, name: "spoken"))
        let foreign = try TraceReplay.replay(trace, parameters, options: options).replayed
        // A machine that starts anew after a hole keeps nothing of the one before: the built-in stream does.
        if parameters.machine == .stream,
          trace.lines.contains(where: { if case .recGap = $0.event { true } else { false } })
        {
          continue
        }
        #expect(foreign.actions == own.actions)
      }
    }
  }

  @Test(
    "the gate finds the same departures, whether machines can be copied or not", arguments: [true, false])
  func gates(copies: Bool) throws {
    for scenario in [
      "ws-aiohttp-messages", "ws-keepalive-slow-pongs", "ws-late-close-of-old", "http-retry-budget",
    ] {
      let (trace, machines) = try Self.questions(scenario)
      for parameters in machines {
        let link = SpokenMachines(parameters.machine, copies: copies)
        let source = ForeignSource(try ForeignSession(link, name: "spoken"))
        let own = try Conformance(trace, parameters)
        let foreign = try Conformance(trace, parameters, foreign: source)
        #expect(foreign.departures == own.departures, "\(scenario)")
        #expect(foreign.acts == own.acts)
        // Copies that were only tried are forgotten with the next one that is made.
        #expect(link.kept < 12, "\(link.kept)")
      }
    }
  }

  @Test("mutants break no rule of a machine that is right, and are told of one that is wrong")
  func perturbs() throws {
    let (trace, machines) = try Self.questions("ws-keepalive-slow-pongs")
    let parameters = try #require(machines.first)
    let right = ForeignSource(try ForeignSession(SpokenMachines(.heartbeat, copies: true), name: "spoken"))
    let report = try PerturbReport(trace, parameters, seed: 1, count: 60, foreign: right)
    #expect(report.status == .expected)
    #expect(report.tried.values.reduce(0, +) >= 60)
    let wrong = ForeignSource(try ForeignSession(Barking(), name: "barking"))
    #expect(try PerturbReport(trace, parameters, seed: 1, count: 5, foreign: wrong).status == .differs)
  }

  /// Pings at every event, and never closes.
  private final class Barking: ForeignLink {
    func abandon() {}
    func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8] {
      let text = String(decoding: line, as: UTF8.self)
      if text.contains("goldwire") {
        return Array(#"{"goldwire":1,"machine":"heartbeat","copies":true}"#.utf8)
      }
      return Array((text.contains("opened") ? #"{"do":[{"do":"ping","gen":1}],"wake":null}"# : "{}").utf8)
    }
  }
}
