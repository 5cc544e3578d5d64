import GoldwireMachines
import GoldwireReplay
import GoldwireTrace
import Testing

/// Each planted fault is found from one clean trace, and shrunk to ten events or fewer.
@Suite("Perturb: planted faults") struct PerturbFaultTests {
  @Test(arguments: FaultyHeartbeat.Fault.allCases)
  func ofHeartbeats(_ fault: FaultyHeartbeat.Fault) throws {
    let report = try Self.report(fault)
    let rules = report.findings.map(\.rule.name)
    let expected: [FaultyHeartbeat.Fault: String] = [
      .noGenerationCheck: "oldGeneration", .pongAtDeadline: "deadline", .secondClose: "oneEnd",
      .secondPing: "onePing", .earlyClose: "earlyClose",
    ]
    try expect(report, expected[fault])
    #expect(rules.count <= 3, "\(rules)")
  }

  @Test(arguments: FaultyRetry.Fault.allCases)
  func ofRetries(_ fault: FaultyRetry.Fault) throws {
    let report = try Self.report(fault)
    let expected: [FaultyRetry.Fault: String] = [
      .earlyResend: "early", .budgetPerLayer: "budget", .cancelIsFailure: "cancelled",
      .replaysAnything: "replayable", .sendsStale: "stale",
    ]
    try expect(report, expected[fault])
  }

  @Test(arguments: FaultyStream.Fault.allCases)
  func ofStreams(_ fault: FaultyStream.Fault) throws {
    let report = try Self.report(fault)
    let expected: [FaultyStream.Fault: String] = [
      .commitsBeforeHandler: "cursor", .carriedIDs: "ownID", .noGenerationCheck: "oldGeneration",
      .noDeduplication: "oneEffect", .earlyConnect: "early",
    ]
    try expect(report, expected[fault])
  }

  private func expect(_ report: PerturbReport, _ rule: String?) throws {
    #expect(report.status == .differs)
    let finding = try #require(report.findings.first { $0.rule.name == rule }, "\(report.text())")
    #expect(finding.trace.lines.count <= 10, "\(report.text())")
  }

  // MARK: The machines

  static func report(_ fault: FaultyHeartbeat.Fault?) throws -> PerturbReport {
    let parameters = try CleanTraces.parameters(.heartbeat).heartbeat(.ms)
    return Perturbation(invariants: [.heartbeat(parameters)]) { trace in
      AdapterSwap(HeartbeatAdapter(parameters, header: trace.header)) { FaultyHeartbeat(fault, parameters) }
    }.run(try CleanTraces.trace(.heartbeat), seed: 1, count: 300)
  }

  static func report(_ fault: FaultyRetry.Fault?) throws -> PerturbReport {
    let parameters = try CleanTraces.parameters(.retry).retry(.ms)
    return Perturbation(invariants: [.retry(parameters)]) { trace in
      AdapterSwap(RetryAdapter(parameters, trace)) { FaultyRetry(fault, parameters) }
    }.run(try CleanTraces.trace(.retry), seed: 1, count: 300)
  }

  static func report(_ fault: FaultyStream.Fault?) throws -> PerturbReport {
    let parameters = try CleanTraces.parameters(.stream).stream(.ms)
    let own = try FaultyStream.parameters(fault)
    return Perturbation(invariants: [.stream(parameters)]) { trace in
      AdapterSwap(StreamAdapter(parameters, trace)) { FaultyStream(fault, own) }
    }.run(try CleanTraces.trace(.stream), seed: 1, count: 300)
  }
}
