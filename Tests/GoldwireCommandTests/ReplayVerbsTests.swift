import Foundation
import GoldwireCommand
import GoldwireTrace
import Testing

@Suite struct ReplayVerbsTests {
  static let trace = """
    {"goldwire":1,"tool":"test","source":"written","unit":"ms","clock":"virtual","at":"client"}
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
    {"t":1100,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in"}
    {"t":2000,"ev":"rec.end","why":"written"}

    """

  static let golden = """
    {"golden":1,"trace":"late.jsonl","machine":"heartbeat",\
    "parameters":{"interval":"100ms","timeout":"1s"},"mode":"recorded","tick":"exact","unit":"ms"}
    {"t":100,"ch":"ws1","gen":1,"do":"ping"}
    {"t":1100,"ch":"ws1","gen":1,"do":"close","why":"pongTimeout"}
    {"t":2000,"do":"end"}

    """

  static let set = ["--set", "heartbeat.interval=100ms,heartbeat.timeout=1s"]

  /// Runs a test in a folder with the trace and its golden.
  static func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("goldwire-" + UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try AtomicFile.write(Array(trace.utf8), to: folder + "/late.jsonl")
    try AtomicFile.write(Array(golden.utf8), to: folder + "/late.heartbeat.golden.jsonl")
    try body(folder)
  }

  @Test func testSaysWhatItHeldAndHowItEnded() throws {
    try Self.inFolder { folder in
      let run = TestRun(["test", folder])
      #expect(run.status == .expected)
      #expect(run.output == "1 golden: 1 same\n")
      let asked = TestRun(["test", folder, "--set", "heartbeat.interval=101ms"])
      #expect(asked.status == .differs)
      #expect(asked.output.hasPrefix("OUTCOME \(folder)/late.heartbeat.golden.jsonl\n"))
      #expect(TestRun(["test", folder, "--json"]).output.hasSuffix("\"written\":0},\"status\":0}\n"))
      #expect(TestRun(["test", "-v", folder]).output.hasPrefix("SAME "))
    }
  }

  @Test func verboseTellsEveryDifference() throws {
    try Self.inFolder { folder in
      var lines = Self.trace.split(separator: "\n").map(String.init)
      let pongs = (1...19).map { #"{"t":\#($0 * 100 + 1),"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in"}"# }
      lines.replaceSubrange(3...3, with: pongs)
      try AtomicFile.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: folder + "/late.jsonl")
      let short = TestRun(["test", folder])
      let more = try #require(short.output.firstMatch(of: /… and ([0-9]+) more differences/))
      let long = TestRun(["test", "-v", folder])
      #expect(!long.output.contains("more difference"))
      let hidden = try #require(Int(more.1))
      #expect(hidden > 0)
      let marks = { (text: String) in text.split(separator: "\n").count { $0.contains(/^ {4}[~!]/) } }
      #expect(marks(long.output) == marks(short.output) + hidden)
    }
  }

  @Test func whatIsNotNamedCanBeInferred() throws {
    try Self.inFolder { folder in
      let run = TestRun(["replay", folder + "/late.jsonl"])
      #expect(run.status == .failed)
      #expect(run.errors.hasSuffix("; or let goldwire conform --infer tell it from the trace\n"))
    }
  }

  @Test func replayDoesNotWriteOverTheTrace() throws {
    try Self.inFolder { folder in
      let link = folder + "/link.jsonl"
      try FileManager.default.linkItem(atPath: folder + "/late.jsonl", toPath: link)
      for name in [link, folder + "/late.jsonl"] {
        let run = TestRun(["replay", folder + "/late.jsonl", "-w", name] + Self.set)
        #expect(run.status == .failed)
        #expect(run.errors == "goldwire: \(name): cannot overwrite: it is the file that is read\n")
        #expect(try AtomicFile.read(name) == Array(Self.trace.utf8))
      }
    }
  }

  @Test func testRefusesToWriteWhereItMustNot() throws {
    try Self.inFolder { folder in
      let inCI = TestRun(["test", "--update", folder], environment: ["CI": "true"])
      #expect(inCI.status == .failed)
      #expect(inCI.errors.contains("refused where CI is set"))
      #expect(TestRun(["test", "--update", folder], environment: ["CI": "false"]).status == .expected)
      let asking = TestRun(["test", "--update", folder] + Self.set)
      #expect(asking.status == .failed)
      #expect(asking.errors.contains("--set only asks"))
    }
  }

  @Test(arguments: [
    ["test"], ["test", "--record", "all", "."], ["test", "--allow", "same", "."],
    ["test", "--update=all", "."],
    ["test", "--set", "heartbeat.interval=3", "."], ["test", "--set", "walker.pace=3s", "."],
    ["test", "--jobs", "0", "."], ["replay"], ["replay", "a", "--tick", "often"],
    ["replay", "a", "--machine", "x"],
    ["conform", "a", "--slack", "3"],
  ])
  func wrongUsageIsOneLine(_ words: [String]) {
    let run = TestRun(words)
    #expect(run.status == .failed)
    #expect(run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func replayPrintsEachActionWithWhatIsBehindIt() throws {
    try Self.inFolder { folder in
      let run = TestRun(["replay", folder + "/late.jsonl"] + Self.set)
      #expect(run.status == .expected)
      #expect(
        run.output == """
          0.100s  ws1#1 ping                 100ms after line 3: ws1#1 opened at 0.000s
          1.100s  ws1#1 close: pongTimeout   1s after ws1#1 ping at 0.100s; begun by line 3: ws1#1 opened at 0.000s
          heartbeat: 2 actions up to 2.000s

          """)
      let lines = TestRun(["replay", folder + "/late.jsonl", "--json"] + Self.set).output
      #expect(lines.split(separator: "\n").dropFirst() == Self.golden.split(separator: "\n").dropFirst())
    }
  }

  @Test func whatReplayWritesIsAGoldenThatTestTakes() throws {
    try Self.inFolder { folder in
      let golden = folder + "/late.heartbeat.other.golden.jsonl"
      let words = ["replay", folder + "/late.jsonl", "-w", golden, "--machine", "heartbeat"]
      #expect(TestRun(words + Self.set).status == .expected)
      #expect(TestRun(["test", folder]).output == "2 goldens: 2 same\n")
    }
  }

  @Test func replaySaysWhatItLacks() throws {
    try Self.inFolder { folder in
      let run = TestRun(["replay", folder + "/late.jsonl"])
      #expect(run.status == .failed)
      #expect(run.errors.contains("heartbeat.interval is not given and has no default; name it by --set"))
      let other = TestRun(["replay", folder + "/late.jsonl", "--machine", "retry"])
      #expect(other.errors.contains("the trace does not drive retry; it drives heartbeat"))
    }
  }

  @Test func conformNamesTheFirstDeparture() throws {
    try Self.inFolder { folder in
      let run = TestRun(["conform", folder + "/late.jsonl"] + Self.set)
      #expect(run.status == .differs)
      #expect(run.output.contains("ws1#1 ping was due at 0.100s and did not come"))
      let json = TestRun(["conform", "--json", folder + "/late.jsonl"] + Self.set).output
      #expect(json.hasPrefix("{\"departure\":\"missing\",\"t\":100,\"by\":0,\"cause\":3,"))
    }
  }
}
