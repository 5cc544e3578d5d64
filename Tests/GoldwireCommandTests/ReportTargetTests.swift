import Foundation
import GoldwireCommand
import Testing

/// Reports stand beside what is read, and never in its place.
@Suite struct ReportTargetTests {
  private static let set = ReplayVerbsTests.set

  @Test("no report is written over a trace, a golden, settings or the other report")
  func refusals() throws {
    try ReplayVerbsTests.inFolder { folder in
      let (trace, golden) = (folder + "/late.jsonl", folder + "/late.heartbeat.golden.jsonl")
      let (link, settings) = (folder + "/page.html", folder + "/goldwire.json")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "late.jsonl")
      try Data("{}".utf8).write(to: URL(filePath: settings))
      let before = try Data(contentsOf: URL(filePath: trace))
      for target in [trace, golden, link, settings] {
        for words in [
          ["test", folder, "--junit", target], ["test", folder, "--report", target],
          ["replay", trace, "--report", target] + Self.set,
          ["sweep", folder, "--grid", "heartbeat.interval=1s,2s", "--report", target],
        ] {
          let run = TestRun(words)
          #expect(run.status == .failed && run.output.isEmpty, "\(words)")
          #expect(run.errors.hasPrefix("goldwire: \(target): "), "\(words) \(run.errors)")
        }
      }
      try FileManager.default.removeItem(atPath: settings)
      #expect(try Data(contentsOf: URL(filePath: trace)) == before)
      #expect(try String(contentsOfFile: golden, encoding: .utf8) == ReplayVerbsTests.golden)
      let (one, other) = (
        folder + "/out.xml", folder + "/../" + (folder.split(separator: "/").last ?? "") + "/out.xml"
      )
      let both = TestRun(["test", folder, "--junit", one, "--report", other])
      #expect(
        both.status == .failed && both.errors.contains("--junit and --report both name it; give each a file"))
      let written = TestRun(["replay", trace, "-w", one, "--report", other] + Self.set)
      #expect(written.status == .failed && written.errors.contains("--write and --report both name it"))
      #expect(!FileManager.default.fileExists(atPath: one))
      let sound = TestRun(["test", folder, "--junit", one, "--report", folder + "/out.html"])
      #expect(sound.status == .expected && sound.errors.isEmpty)
      // Nothing runs in vain.
      let nowhere = TestRun(["test", folder, "--report", folder + "/none/page.html"])
      #expect(nowhere.status == .failed && nowhere.output.isEmpty)
      #expect(nowhere.errors.hasSuffix("page.html: cannot replace: no such file or folder\n"))
      // A report takes the place of an older one.
      #expect(
        TestRun(["test", folder, "--junit", one, "--report", folder + "/out.html"]).status == .expected)
    }
  }

  @Test("a set of a machine that has no golden asks nothing, and says so")
  func unasked() throws {
    try ReplayVerbsTests.inFolder { folder in
      let none = TestRun(["test", folder, "--set", "retry.base=2s"])
      #expect(none.status == .failed && none.output.isEmpty)
      #expect(
        none.errors
          == "goldwire: no golden of a retry is there: --set asks nothing; name a folder that has one\n")
      let some = TestRun(["test", folder, "--set", "retry.base=2s", "--set", "heartbeat.timeout=1s"])
      #expect(some.status == .expected && some.output == "1 golden: 1 same\n")
      #expect(
        some.errors
          == "goldwire: warning: no golden of a retry is there: what --set says of it asks nothing\n")
      #expect(TestRun(["test", folder, "--set", "heartbeat.timeout=1s"]).errors.isEmpty)
      // Where nothing can be read, that is why.
      let absent = TestRun(["test", folder + "/none", "--set", "retry.base=2s"])
      #expect(absent.status == .failed && !absent.output.isEmpty)
    }
  }

  @Test("an assumption is given once", arguments: ["replay", "test", "sweep"])
  func assumptions(verb: String) {
    let words = [
      "replay": ["replay", "--causal", "x.jsonl"], "test": ["test", "x"],
      "sweep": ["sweep", "x", "--grid", "retry.base=1s,2s"],
    ][verb]
    for (one, two, name) in [
      ("idle=1s", "idle=2s", "idle"), ("ping-rate=unknown", "ping-rate=borne", "ping-rate"),
    ] {
      let run = TestRun((words ?? []) + ["--assume", one, "--assume", two])
      #expect(run.status == .failed)
      #expect(
        run.errors == "goldwire: --assume: \(name) is given twice; keep one; see `goldwire \(verb) --help`\n")
    }
  }
}
