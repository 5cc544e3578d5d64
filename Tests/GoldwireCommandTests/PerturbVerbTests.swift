import Foundation
import GoldwireCommand
import GoldwireReplay
import GoldwireTrace
import Testing

@Suite struct PerturbVerbTests {
  @Test func theRightMachineBreaksNoRule() throws {
    try ReplayVerbsTests.inFolder { folder in
      let words = ["perturb", folder + "/late.jsonl", "--count", "200"] + ReplayVerbsTests.set
      let run = TestRun(words)
      #expect(run.status == .expected)
      #expect(
        run.output.hasPrefix(
          "heartbeat with interval 100ms, timeout 1s: no rule is broken by 200 mutants of seed 1\ntried:\n"))
      #expect(run.errors == "")
      #expect(TestRun(words).output == run.output)
      #expect(TestRun(words + ["--seed", "2"]).output != run.output)
      let json = TestRun(words + ["--json"]).output
      #expect(
        json.hasPrefix(
          "{\"machine\":\"heartbeat\",\"seed\":1,\"mutants\":200,\"broken\":0,\"tried\":{\"late\":"))
      #expect(json.hasSuffix("\"status\":0}\n"))
    }
  }

  @Test func aBrokenRuleIsToldWrittenAndStatusOne() throws {
    try ReplayVerbsTests.inFolder { folder in
      // What is asked of a machine that pings too early, by rules for an interval that is longer than its own.
      let trace = try Trace.load(path: folder + "/late.jsonl")
      let (quick, slow) = (try Self.parameters("100ms"), try Self.parameters("200ms"))
      let own = try quick.heartbeat(.ms)
      let rules = try slow.heartbeat(.ms)
      let report = Perturbation(HeartbeatAdapter(own, header: trace.header), invariants: [.heartbeat(rules)])
        .run(trace, count: 50)
      let verb = try PerturbVerb(
        Arguments(["a.jsonl", "-w", folder], verb: "perturb", flags: PerturbVerb.flags))
      let (out, err) = (Collected(), Collected())
      let console = Console(output: out.output(), errors: err.output())
      #expect(try verb.tell(report, console) == .differs)
      try console.output.flush()
      try console.errors.flush()
      #expect(out.text.contains("BROKEN earlyPing: no ping is sent before it is due\n"))
      #expect(err.text.contains("goldwire: wrote \(folder)/earlyPing.jsonl\n"))
      #expect(try Trace.load(path: folder + "/earlyPing.jsonl").header.source == .mutant)
    }
  }

  @Test func aFolderThatIsNotThereIsSaidBeforeTheRun() throws {
    try ReplayVerbsTests.inFolder { folder in
      let words = ["perturb", folder + "/late.jsonl", "--count", "20"] + ReplayVerbsTests.set
      let run = TestRun(words + ["-w", folder + "/none"])
      #expect(run.status == .failed && run.output == "")
      #expect(run.errors == "goldwire: \(folder)/none: -w wants a folder that is there; make it first\n")
      #expect(TestRun(words + ["-w", folder]).status == .expected)
    }
  }

  private static func parameters(_ interval: String) throws -> MachineParameters {
    var table = ParameterTable()
    try table.set(option: "heartbeat.interval=\(interval),heartbeat.timeout=1s")
    return try MachineParameters(.heartbeat, table[.heartbeat] ?? [:])
  }

  @Test(arguments: [
    ["perturb"], ["perturb", "a", "--count", "0"], ["perturb", "a", "--seed", "x"],
    ["perturb", "a", "-w", "-"],
    ["perturb", "a", "--machine", "x"],
  ])
  func wrongUsageIsOneLine(_ words: [String]) {
    let run = TestRun(words)
    #expect(run.status == .failed)
    #expect(run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
