import Foundation
import GoldwireCommand
import Testing

/// `conform` over recorded clients of the corpus.
@Suite struct ConformVerbTests {
  private static let traces = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces").path

  private static func conform(_ scenario: String, _ more: String...) -> TestRun {
    TestRun(["conform", traces + "/" + scenario + "/trace.jsonl"] + more)
  }

  @Test("a machine with nothing to judge does not hide one that was judged")
  func judgesWhatThereIs() {
    let browser = Self.conform("sse-chromium-cut-between")
    #expect(browser.output.contains("nothing to judge"))
    #expect(browser.output.contains("the client does what the machine says"))
    #expect(browser.status == .expected)
    #expect(Self.conform("http-retry-post").status == .inconclusive)
  }

  @Test("a client held to another interval departs, and the first departure is named")
  func departs() {
    let run = Self.conform("ws-keepalive-answered", "--set", "heartbeat.interval=1s")
    #expect(run.status == .differs)
    #expect(run.output.contains("too early"))
  }

  /// A recorded trace of the corpus, as if nobody had said what was in force.
  private static func unnamed(_ scenario: String, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "conform-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = String(
      decoding: try Data(contentsOf: URL(filePath: traces + "/" + scenario + "/trace.jsonl")), as: UTF8.self)
    let path = folder.appending(path: "trace.jsonl")
    try Data(text.replacing(/,"inForce":.*?"inForceBy":"stated"/, with: "").utf8).write(to: path)
    try body(path.path)
  }

  @Test("where nothing names the parameters, the defaults are told, and nothing is proved either way")
  func unnamedParameters() throws {
    // One departs from the defaults, the other keeps to them; neither says anything of the client.
    for scenario in ["http-retry-budget", "sse-chromium-default-delay"] {
      try Self.unnamed(scenario) { path in
        let run = TestRun(["conform", path])
        #expect(run.status == .inconclusive)
        #expect(run.output.contains("the trace names no parameters of"))
        #expect(run.output.contains("goldwire conform --infer"))
        let json = TestRun(["conform", path, "--json"])
        #expect(json.status == .inconclusive)
        #expect(json.output.contains("\"defaults\":{\"") && json.output.contains("\"status\":3}"))
      }
    }
    try Self.unnamed("http-retry-budget") { path in
      #expect(TestRun(["conform", path, "--set", "retry.base=200ms"]).status == .expected)
      let words =
        "base 1s, factor 2, cap 30s, jitter uncapped, count 3, statuses [429,503], transport false, oldDates true"
      #expect(TestRun(["conform", path]).output.contains(words))
    }
  }

  @Test("a heartbeat that nothing names is an error that points at --infer")
  func unnamedHeartbeat() throws {
    try Self.unnamed("ws-keepalive-silent") { path in
      let run = TestRun(["conform", path])
      #expect(run.status == .failed)
      #expect(run.errors.contains("or let goldwire conform --infer tell it"))
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("--infer tells the parameters, and holds the client to them")
  func infers() throws {
    try Self.unnamed("ws-keepalive-slow-pongs") { path in
      let run = TestRun(["conform", "--infer", path, "--slack", "50ms"])
      #expect(run.status == .expected)
      #expect(run.output.contains("taken as 400ms"))
      #expect(
        run.output.contains("heartbeat with interval 400ms, timeout 300ms, cadence fixed: the client does"))
      let json = TestRun(["conform", "--infer", path, "--slack", "50ms", "--json"])
      #expect(
        json.output.contains("{\"infer\":\"heartbeat\",\"parameter\":\"cadence\",\"values\":[\"fixed\"]"))
    }
    try Self.unnamed("ws-aiohttp-messages") { path in
      let run = TestRun(["conform", "--infer", path, "--slack", "50ms"])
      #expect(run.status == .inconclusive)
      #expect(run.output.contains("no parameter of the machine says so"))
      #expect(run.output.hasSuffix("last, and the machine has no such cadence\n"))
      #expect(!run.output.contains("the first departure: at "))
      let held = TestRun([
        "conform", "--infer", path, "--slack", "50ms", "--set", "heartbeat.cadence=afterPong",
      ])
      #expect(held.status == .differs && held.output.contains("the first departure: at "))
    }
    #expect(Self.conform("http-retry-post", "--infer").status == .inconclusive)
  }

  @Test("-w writes what was inferred as what was in force, where all of it is bounded and kept to")
  func writes() throws {
    try Self.unnamed("ws-keepalive-slow-pongs") { path in
      let written = path.replacing("trace.jsonl", with: "told.jsonl")
      #expect(TestRun(["conform", "--infer", path, "--slack", "50ms", "-w", written]).status == .expected)
      let text = String(decoding: try Data(contentsOf: URL(filePath: written)), as: UTF8.self)
      #expect(
        text.contains(
          #""inForce":{"heartbeat":{"interval":"400ms","timeout":"300ms","cadence":"fixed"}},"inForceBy":"inferred""#
        ))
      #expect(TestRun(["conform", written]).status == .expected)
      #expect(TestRun(["audit", written]).status == .expected)
    }
    try Self.unnamed("ws-aiohttp-heartbeat") { path in
      let written = path.replacing("trace.jsonl", with: "told.jsonl")
      let run = TestRun(["conform", "--infer", path, "-w", written])
      #expect(
        run.errors == "goldwire: nothing was written: heartbeat: timeout is not bounded from both sides\n")
      #expect(run.status == .inconclusive)
      #expect(!FileManager.default.fileExists(atPath: written))
      #expect(TestRun(["conform", "--infer", path, "-w", path]).status == .failed)
    }
    let stated = Self.traces + "/ws-keepalive-slow-pongs/trace.jsonl"
    let refused = TestRun(["conform", "--infer", stated, "-w", "/nowhere/told.jsonl"])
    #expect(refused.status == .failed && refused.errors.contains("names what was in force already"))
    for words in [["-w", "x"], ["--infer", "-w", "-"], ["--infer", "--preset", "phoenix"]] {
      #expect(TestRun(["conform", stated] + words).status == .failed)
    }
  }

  @Test("where both cadences do the same, one is written with a note; --set closes it")
  func openCadence() throws {
    try Self.unnamed("ws-keepalive-silent") { path in
      let written = path.replacing("trace.jsonl", with: "told.jsonl")
      let run = TestRun(["conform", "--infer", path, "-w", written])
      #expect(run.status == .expected)
      #expect(run.output.contains("cadence         afterPong or fixed; taken as afterPong"))
      #expect(
        run.errors.hasSuffix(
          "goldwire: heartbeat is written with cadence afterPong; fixed with interval 300ms does the same here, to "
            + "within the slack, and --set heartbeat.cadence=fixed writes that\n"))
      let text = String(decoding: try Data(contentsOf: URL(filePath: written)), as: UTF8.self)
      #expect(text.contains(#""cadence":"afterPong"}},"inForceBy":"inferred""#))
      let named = TestRun(
        ["conform", "--infer", path, "-w", written, "--set", "heartbeat.cadence=fixed"])
      #expect(named.errors == "goldwire: wrote \(written)\n")
      let other = String(decoding: try Data(contentsOf: URL(filePath: written)), as: UTF8.self)
      #expect(other.contains(#""cadence":"fixed"}},"inForceBy":"inferred""#))
    }
    // A client that the machine cannot stand for is held to nothing, unless the values are named.
    try Self.unnamed("http-retry-urllib3-backoff") { path in
      let written = path.replacing("trace.jsonl", with: "told.jsonl")
      let run = TestRun(["conform", "--infer", path, "--slack", "50ms", "-w", written])
      #expect(run.status == .inconclusive && !run.output.contains("departure"))
      #expect(run.errors.contains("nothing was written: retry: the machine knows no first retry at once"))
      let named = TestRun(["conform", "--infer", path, "--slack", "50ms", "--set", "retry.base=200ms"])
      #expect(named.status == .differs && named.output.contains("the first departure: "))
      #expect(!FileManager.default.fileExists(atPath: written))
    }
  }

  @Test("a preset names its source, goes behind --set, and asks for marked beats")
  func presets() {
    let run = Self.conform("ws-keepalive-slow-pongs", "--preset", "websockets")
    #expect(run.status == .differs)
    #expect(run.output.contains("source: websockets, src/websockets/asyncio/client.py"))
    #expect(run.output.contains("heartbeat with interval 20s, timeout 20s, cadence fixed"))
    let over = Self.conform(
      "ws-keepalive-slow-pongs", "--preset", "websockets", "--set",
      "heartbeat.interval=400ms,heartbeat.timeout=300ms")
    #expect(over.status == .expected)
    #expect(Self.conform("ws-keepalive-slow-pongs", "--preset", "phoenix").errors.contains("--beats phoenix"))
    #expect(
      Self.conform("ws-keepalive-slow-pongs", "--preset", "phonix").errors.contains("did you mean 'phoenix'"))
    #expect(
      Self.conform("sse-chromium-default-delay", "--preset", "chromium-eventsource").status == .expected)
    #expect(Self.conform("ws-keepalive-slow-pongs", "--preset", "urllib3").status == .failed)
  }

  @Test("where the server pings, as in Engine.IO 4, a preset has nothing of the client's to hold")
  func peerPings() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "engine-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: path) }
    let message = #""ev":"ws.message","dir":"DIR","kind":"text","bytes":1,"beat":"BEAT","id":1}"#
    let lines = [
      #"{"goldwire":1,"tool":"test","source":"tap","unit":"ms","clock":"continuous","at":"client","beats":"engine.io"}"#,
      #"{"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}"#,
      #"{"t":5,"ch":"ws1","gen":1,"ev":"ws.open","status":101}"#,
      #"{"t":25000,"ch":"ws1","gen":1,"#
        + message.replacing("DIR", with: "in").replacing("BEAT", with: "ping"),
      #"{"t":25001,"ch":"ws1","gen":1,"#
        + message.replacing("DIR", with: "out").replacing("BEAT", with: "pong"),
      #"{"t":90000,"ev":"rec.end","why":"stopped"}"#,
    ]
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: path)
    let run = TestRun(["conform", "--preset", "engine.io", path.path])
    #expect(run.status == .inconclusive && run.output.contains("the peer pings here"))
    #expect(run.output.contains("but: in protocol 4 the server pings"))
    let inferred = TestRun(["conform", "--infer", path.path])
    #expect(inferred.status == .inconclusive && inferred.output.contains("1 ping of the peer"))
  }
}
