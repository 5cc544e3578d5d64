import GoldwireMachines
import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Perturb: what is written") struct PerturbFileTests {
  @Test func aFindingIsATraceWithTheRightMachinesGolden() throws {
    let folder = try Folder()
    let right = try CleanTraces.parameters(.heartbeat)
    let report = try PerturbFaultTests.report(FaultyHeartbeat.Fault.pongAtDeadline)
    let paths = try report.write(into: folder.path, tool: "goldwire 0.1.0", right: right)
    #expect(
      paths == ["deadline.heartbeat.golden.jsonl", "deadline.jsonl"].map { folder.path + "/heartbeat-" + $0 })
    let trace = try Trace.load(path: paths[1])
    #expect(trace.header.source == .mutant)
    #expect(trace.header.inForce?[.heartbeat] == right.values)
    #expect(trace.lines == report.findings[0].trace.lines)
    #expect(try AtomicFile.read(paths[1]) == trace.bytes())
    let golden = try Golden(bytes: AtomicFile.read(paths[0]))
    #expect(
      golden.lines.map(\.short) == [
        "30000 ws1#1 ping", "35000 ws1#1 close pongTimeout", "35000 end",
      ])
    // The gate takes them as they are, and so does the audit.
    let run = try folder.run()
    #expect(run.status == .expected, "\(run.text(isVerbose: true))")
    #expect(AuditRun([folder.path]).count == 0)
  }

  @Test func goldensOfAFixedCadenceAreExactToo() throws {
    let text = "interval=10s timeout=40s cadence=fixed"
    let parameters = try MachineParameters.of(.heartbeat, text)
    let own = try parameters.heartbeat(.ms)
    let report = Perturbation(invariants: [.heartbeat(own)]) { trace in
      AdapterSwap(HeartbeatAdapter(own, header: trace.header)) { FaultyHeartbeat(.pongAtDeadline, own) }
    }.run(try CleanTraces.trace(.heartbeat), seed: 1, count: 300)
    let folder = try Folder()
    let paths = try report.write(into: folder.path, tool: "goldwire 0.1.0", right: parameters)
    let golden = try Golden(bytes: AtomicFile.read(paths[0]))
    #expect(golden.header.tick == .exact)
    #expect(golden.lines.count { $0.action == .close } >= 1)
    #expect(try folder.run().status == .expected)
  }

  @Test func aMachineOfAUsersOwnHasNoGolden() throws {
    let folder = try Folder()
    let report = try PerturbFaultTests.report(FaultyStream.Fault.carriedIDs)
    let paths = try report.write(into: folder.path, tool: "goldwire 0.1.0")
    #expect(paths == [folder.path + "/ownID.jsonl"])
  }

  @Test func findingsPassTheAudit() throws {
    let reports = [
      try PerturbFaultTests.report(FaultyHeartbeat.Fault.secondClose),
      try PerturbFaultTests.report(FaultyRetry.Fault.budgetPerLayer),
      try PerturbFaultTests.report(FaultyStream.Fault.noGenerationCheck),
      try PerturbFaultTests.report(FaultyStream.Fault.noDeduplication),
    ]
    for report in reports {
      let folder = try Folder()
      let paths = try report.write(into: folder.path, tool: "goldwire 0.1.0")
      #expect(paths.count == report.findings.count)
      #expect(AuditRun([folder.path]).count == 0, "\(report.text())")
    }
  }

  @Test func aFolderThatIsNotThereIsNamed() throws {
    let report = try PerturbFaultTests.report(FaultyStream.Fault.carriedIDs)
    #expect(throws: ReplayError.self) { try report.write(into: "no/such/folder", tool: "goldwire 0.1.0") }
  }

  @Test func jsonHasAnObjectForEachRuleAndTheSums() throws {
    let report = try PerturbFaultTests.report(FaultyHeartbeat.Fault.pongAtDeadline)
    let lines = String(decoding: report.json(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("{\"rule\":\"deadline\",\"shown\":\"deadline\",\"mutants\":"))
    #expect(lines[1].hasSuffix("],\"status\":1}"))
    for line in lines { _ = try JSONValue.parse(Array(line.utf8)) }
  }
}
