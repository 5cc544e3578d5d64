import Foundation
import GoldwireCommand
import Testing

@Suite struct ShowVerbTests {
  private static let header =
    #"{"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"ms","clock":"continuous","at":"client","#
    + #""blind":["app"],"inForce":{"heartbeat":{"interval":"30s","timeout":"5s"}},"inForceBy":"stated"}"#
    + "\n"
  private static let body = """
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
    {"t":30,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
    {"t":40,"ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET"}
    {"t":30030,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":4}
    {"t":30071,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":4}
    {"t":31000,"ev":"rec.end","why":"stopped"}

    """

  /// A trace in a file of its own.
  private final class File {
    let path: String

    init(_ text: String) throws {
      path = FileManager.default.temporaryDirectory.appending(path: "goldwire-\(UUID().uuidString).jsonl")
        .path(percentEncoded: false)
      try Data(text.utf8).write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private func show(_ text: String, _ words: String..., isTerminal: Bool = false) throws -> TestRun {
    let file = try File(text)
    let run = TestRun(
      ["show", file.path] + words, environment: ["TERM": "xterm", "LANG": "en_US.UTF-8"],
      isTerminal: isTerminal)
    return TestRun(
      status: run.status, output: run.output.replacing(file.path, with: "FILE"),
      errors: run.errors.replacing(file.path, with: "FILE"))
  }

  @Test func aTraceIsDrawn() throws {
    let run = try show(Self.header + Self.body)
    #expect(run.status == .expected)
    #expect(run.errors == "")
    #expect(
      run.output == """
        FILE
        source    tap in the app, at the client, clock continuous, in ms
        in force  heartbeat: interval 30s, timeout 5s, as stated
        blind to  the app's state

               time    since  lanes          client                    peer and surroundings
        ────────────────────────────────────────────────────────────────────────────────────────────────────
             0.000s           ○      ws1#1   connect ───────────────→
             0.030s    +30ms  ●      ws1#1                           ←─ open 101
             0.040s    +10ms  │ ○    http1#1 r1 GET ────────────────→
                  ⋮     +30s  │ │
            30.030s           ● │    ws1#1   ping 1 ────────────────→
            30.071s    +41ms  ● │    ws1#1                           ←─ pong 1
            31.000s   +929ms  │ │                                       recording ends: stopped
        ────────────────────────────────────────────────────────────────────────────────────────────────────
        ws1    1 connection: without an end
               1 ping, 1 answered after 41ms
        http1  1 request, sent 1 time
        6 events in 31s

        """)
  }

  @Test func aPartIsDrawn() throws {
    let run = try show(
      Self.header + Self.body, "--channel", "ws1", "--from", "1s", "--to", "30050ms", "--ascii")
    let rows = run.output.split(separator: "\n").dropFirst(6)
    #expect(
      rows.joined(separator: "\n") == """
            30.030s           *      ws1#1   ping 1 ---------------->
        ----------------------------------------------------------------------------------------------------
        ws1  1 connection: without an end
             1 ping, 1 unanswered
        1 event in 30s
        """)
  }

  @Test func jsonKeepsTheLineAndAddsWords() throws {
    let run = try show(Self.header + Self.body, "--json", "--from", "30050ms", "--channel", "ws1")
    #expect(
      run.output == """
        {"t":30071,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":4,"side":"peer","text":"pong 1","after":41}
        {"t":31000,"ev":"rec.end","why":"stopped","side":"recorder","text":"recording ends: stopped"}
        {"unit":"ms","lines":2,"length":31000,"gaps":0,"pauses":0,"dropped":0,"notes":0,"channels":[\
        {"ch":"ws1","lines":1,"generations":1,"pings":0,"answered":1,"requests":0,"sends":0,"late":0}]}

        """)
  }

  @Test func aMachineIsDrawnBesideTheRecording() throws {
    let run = try show(Self.header + Self.body, "--machine", "heartbeat")
    #expect(run.status == .expected)
    #expect(run.output.contains("ws1#1   ping 1 » ──────────────→"))
    let other = try show(Self.header + Self.body, "--machine", "heartbeat", "--set", "heartbeat.interval=20s")
    #expect(other.output.contains("20.030s"))
    #expect(other.output.contains("» ping\n"))
    #expect(other.errors.hasPrefix("goldwire: heartbeat: "))
    let json = try show(Self.header + Self.body, "--machine", "heartbeat", "--json")
    #expect(
      json.output.contains(#"{"t":30030,"ch":"ws1","gen":1,"do":"ping","side":"machine","recorded":true}"#))
  }

  @Test func aValueNeedsItsMachine() {
    #expect(
      TestRun(["show", "a", "--set", "heartbeat.interval=20s"]).errors.contains("--set needs --machine"))
  }

  @Test func colourIsOnlyForTerminals() throws {
    let escape = "\u{1B}["
    #expect(try !show(Self.header + Self.body).output.contains(escape))
    #expect(try show(Self.header + Self.body, isTerminal: true).output.contains(escape))
    #expect(try show(Self.header + Self.body, "--color=always").output.contains(escape))
    #expect(try !show(Self.header + Self.body, "--color=never", isTerminal: true).output.contains(escape))
  }

  @Test func aTornTraceIsDrawnUpToThere() throws {
    let run = try show(Self.header + Self.body.dropLast(12))
    #expect(run.status == .expected)
    #expect(run.errors == "goldwire: FILE: warning: the end is torn; it was read up to its last whole line\n")
    #expect(run.output.contains("5 events in 30.1s"))
  }

  @Test func aBadLineIsNamedAndNeverQuoted() throws {
    let run = try show(
      Self.header + #"{"t":0,"ch":"ws1","gen":1,"ev":"ws.open","status":"SECRET-1"}"# + "\n" + Self.body)
    #expect(run.status == .failed)
    #expect(run.errors.hasPrefix("goldwire: FILE:2:"))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(!run.errors.contains("SECRET") && !run.output.contains("SECRET"))
  }

  @Test func aTraceCutAtAnyByteIsDrawnOrRefusedInOneLine() throws {
    let bytes = Array((Self.header + Self.body).utf8)
    for end in 0..<bytes.count {
      let run = try show(String(decoding: bytes[..<end], as: UTF8.self))
      #expect(run.errors.split(separator: "\n").count <= 1)
      #expect(run.status == (end >= Self.header.utf8.count - 1 ? .expected : .failed), "cut at \(end)")
    }
  }

  @Test(arguments: [
    ["--from", "2s", "--to", "1s"], ["--width", "10"], ["--color", "sometimes"], ["--from", "1"],
  ])
  func wrongValuesAreUsage(_ words: [String]) {
    let run = TestRun(["show", "a"] + words)
    #expect(run.status == .failed)
    #expect(run.errors.hasSuffix("see `goldwire show --help`\n"))
  }
}
