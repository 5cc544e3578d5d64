import Foundation
import GoldwireCommand
import Testing

@Suite struct CutVerbTests {
  private static let trace = """
    {"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"ms","clock":"continuous","at":"client"}
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
    {"t":5,"ch":"ws2","gen":1,"ev":"ws.connect"}
    {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
    {"t":1010,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1}
    {"t":1020,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1}
    {"t":2020,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2}
    {"t":2030,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":2}
    {"t":3030,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":3}
    {"t":9000,"ev":"rec.end","why":"written"}

    """

  private func cut(_ words: String...) throws -> TestRun {
    let path = FileManager.default.temporaryDirectory.appending(path: "goldwire-\(UUID().uuidString).jsonl")
      .path(percentEncoded: false)
    try Data(Self.trace.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = TestRun(["cut", path] + words.map { $0 == "SAME" ? path : $0 })
    let output =
      words.contains("SAME")
      ? String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) : run.output
    return TestRun(status: run.status, output: output, errors: run.errors.replacing(path, with: "FILE"))
  }

  @Test func aPartKeepsWhatItsMachinesNeed() throws {
    let run = try cut("--channel", "ws1", "--from", "2025ms", "--to", "4s")
    #expect(run.status == .expected)
    #expect(
      run.output == """
        {"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"ms","clock":"continuous","at":"client"}
        {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
        {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
        {"t":10,"ch":"ws1","gen":1,"ev":"rec.gap","why":"cut"}
        {"t":2020,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2}
        {"t":2030,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":2}
        {"t":3030,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":3}
        {"t":4000,"ev":"rec.end","why":"limit"}

        """)
  }

  @Test func whatWasInForceIsStatedAndTakenAway() throws {
    let header = Self.trace.prefix { $0 != "\n" }.dropLast()
    let rest = Self.trace.dropFirst(header.count + 1)
    let stated = try cut("--in-force", "heartbeat.interval=1s,heartbeat.timeout=2s")
    #expect(stated.status == .expected)
    #expect(
      stated.output == header
        + #","inForce":{"heartbeat":{"interval":"1s","timeout":"2s"}},"inForceBy":"stated"}"# + rest)
    let path = FileManager.default.temporaryDirectory.appending(path: "goldwire-\(UUID().uuidString).jsonl")
      .path
    try Data(stated.output.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(TestRun(["audit", path]).status == .expected)
    #expect(TestRun(["cut", path, "--in-force", "none"]).output == Self.trace)
    let other = TestRun(["cut", path, "--in-force", "retry.count=1", "--channel", "ws1"]).output
    #expect(other.contains(#""inForce":{"retry":{"count":1}},"inForceBy":"stated""#))
    #expect(!other.contains("ws2"))
    #expect(try cut("--in-force", "heartbeat.interval=1s").errors.contains("heartbeat.timeout is missing"))
  }

  @Test func whatIsReadIsNotWrittenOver() throws {
    let run = try cut("--channel", "ws2", "-w", "SAME")
    #expect(run.status == .failed)
    #expect(run.errors == "goldwire: FILE: cannot overwrite: it is the file that is read\n")
    #expect(run.output == Self.trace)
  }

  @Test(
    arguments: [
      (["a"], "nothing says what to cut"), (["a", "--from", "2s", "--to", "1s"], "--to is before --from"),
      (["a", "--channel", "ws"], "--channel wants names"),
      (["--from", "1s"], "TRACE, the file to read, is missing"),
    ] as [([String], String)])
  func wrongUsageIsSaid(_ words: [String], _ message: String) {
    let run = TestRun(["cut"] + words)
    #expect(run.status == .failed)
    #expect(run.errors.hasPrefix("goldwire: \(message)"))
  }

  @Test("values that no machine can run with are refused at once, in the trace's unit")
  func impossible() throws {
    for (text, place) in [
      ("stream.most=1s,stream.least=2s", "goldwire: --in-force: "),
      ("retry.base=1us", "goldwire: FILE: --in-force: "),
    ] {
      let run = try cut("--in-force", text)
      #expect(run.status == .failed && run.output == "")
      #expect(run.errors.hasPrefix(place), "\(run.errors)")
    }
    #expect(try cut("--in-force", "retry.base=1ms").status == .expected)
  }

  @Test func whatIsNotThereIsSaid() throws {
    #expect(
      try cut("--channel", "sse1").errors.hasPrefix("goldwire: FILE: the trace has none of the channels"))
    #expect(try cut("--from", "10s").errors.hasPrefix("goldwire: FILE: the span begins after the end"))
    #expect(try cut("--from", "1100us", "--to", "1200us").errors.hasPrefix("goldwire: FILE: no instant"))
  }
}
