import Foundation
import GoldwireReplay
import GoldwireTrace
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import GoldwireReport

@Suite("A page of HTML stands by itself") struct PageTests {
  private static let header =
    #"{"goldwire":1,"tool":"t","source":"tap","unit":"ms","clock":"continuous","at":"client","#
    + #""inForce":{"heartbeat":{"interval":"1s","timeout":"2s"}},"inForceBy":"driver"}"#

  private static func trace() throws -> Trace {
    let lines = [
      header, #"{"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}"#,
      #"{"t":10,"ch":"ws1","gen":1,"ev":"ws.open"}"#,
      #"{"t":1010,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1}"#,
      #"{"t":1050,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1}"#,
      #"{"t":2050,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2}"#,
      #"{"t":4050,"ch":"ws1","gen":1,"ev":"ws.close","dir":"out","code":1001,"by":"machine"}"#,
      #"{"t":4050,"ch":"ws1","gen":1,"ev":"ws.end","cause":"fin","dir":"out"}"#,
      #"{"t":9000,"ev":"rec.end","why":"stopped"}"#,
    ]
    return try Trace(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private static func parameters(_ interval: Int, _ timeout: Int = 2_000_000) throws -> MachineParameters {
    try MachineParameters(
      .heartbeat,
      [
        .interval: .span(TimeSpan(microseconds: interval)), .timeout: .span(TimeSpan(microseconds: timeout)),
      ])
  }

  /// Holds that a page is well-formed, and that nothing in it is loaded from elsewhere.
  private static func check(_ page: Page, _ place: SourceLocation = #_sourceLocation) {
    let html = page.html()
    #expect(XMLParser(data: Data(html.utf8)).parse(), sourceLocation: place)
    for word in ["http:", "https:", "//", "src=", "<script", "url(", "@import", "<link"] {
      #expect(!html.contains(word), "\(word)", sourceLocation: place)
    }
    #expect(html.contains("default-src 'none'"), sourceLocation: place)
  }

  @Test func aReplayShowsLanesAndActions() throws {
    let (trace, parameters) = (try Self.trace(), try Self.parameters(1_000_000))
    let report = try ReplayReport(trace, file: "t.jsonl", parameters)
    let page = Page.replay("t.jsonl", trace, [.replayed(parameters, report)])
    Self.check(page)
    let html = page.html()
    #expect(html.contains("<title>1.010s  ws1#1 ping 1 sent</title>"))
    #expect(html.contains("<title>4.050s  ws1#1 close: pongTimeout</title>"))
    #expect(html.components(separatedBy: "<circle").count == 9)
    #expect(html.components(separatedBy: "class=\"action\"").count == 4)
    #expect(page == Page.replay("t.jsonl", trace, [.replayed(parameters, report)]))
  }

  @Test func aPredictionShowsWhatWasBesideWhatWouldBe() throws {
    let trace = try Self.trace()
    let causal = try CausalReplay(trace, Self.parameters(900_000))
    let page = Page.replay("t.jsonl", trace, [.predicted(causal)])
    Self.check(page)
    let html = page.html()
    #expect(html.contains("heartbeat.interval 1s → 900ms: \(causal.verdict.rawValue)</h2>"))
    #expect(html.contains(">was ws1</text>") && html.contains(">would be ws1</text>"))
    #expect(html.contains("class=\"moved\""))
  }

  @Test func aTestShowsWhatDiffers() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(try Self.trace().bytes()).write(to: URL(filePath: folder + "/a<b>&.jsonl"))
    let golden =
      #"{"golden":1,"trace":"a<b>&.jsonl","machine":"heartbeat","parameters":{"interval":"1s","#
      + #""timeout":"2s"},"mode":"recorded","tick":"recorded","unit":"ms"}"#
    try Data(
      (golden + "\n" + #"{"t":1010,"ch":"ws1","gen":1,"do":"ping"}"# + "\n" + #"{"t":9000,"do":"end"}"# + "\n")
        .utf8
    ).write(to: URL(filePath: folder + "/a<b>&.heartbeat.golden.jsonl"))
    let run = try TestRun(TestOptions(paths: [folder]))
    let page = Page.test(run)
    Self.check(page)
    let html = page.html()
    #expect(html.contains("<h1>goldwire test: 1 golden: 1 outcome</h1>"))
    #expect(html.contains("a&lt;b&gt;&amp;.heartbeat.golden.jsonl</h2>") && !html.contains("a<b>"))
    #expect(html.contains(">golden ws1</text>") && html.contains(">now ws1</text>"))
    #expect(html.components(separatedBy: "class=\"differs\"").count == 3)
    #expect(html.contains("<span class=\"changed\">"))
  }

  @Test func aSweepShowsItsPoints() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(try Self.trace().bytes()).write(to: URL(filePath: folder + "/t.jsonl"))
    var grid = SweepGrid()
    try grid.add(option: "heartbeat.interval=500ms,1s")
    let page = Page.sweep(try Sweep(Sweep.Question(paths: [folder], grid: grid)))
    Self.check(page)
    let html = page.html()
    #expect(html.components(separatedBy: "<tr").count == 4)
    #expect(html.contains("<title>interval 500ms: 3 pings, 2.02s</title>"))
    #expect(html.contains("class=\"peer best\" fill-opacity=\"0.7\" cx=\"517\" cy=\"20\""))
    #expect(html.contains("<tr class=\"best\"><td>1s</td><td>2</td>"))
  }

  @Test func aLongTraceIsDrawnInPart() throws {
    var trace = try Self.trace()
    let line = trace.lines[3]
    trace.lines.insert(contentsOf: repeatElement(line, count: Page.Limits.marks), at: 3)
    let drawing = LaneDrawing.draw(trace, Words(.ms), [])
    #expect(drawing.omitted == trace.lines.count - Page.Limits.marks)
  }
}
