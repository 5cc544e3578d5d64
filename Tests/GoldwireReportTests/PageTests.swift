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

  @Test func whatLiesOnOthersIsDrawnOnce() throws {
    var trace = try Self.trace()
    let before = LaneDrawing.draw(trace, Words(.ms), [])
    let line = trace.lines[3]
    trace.lines.insert(contentsOf: repeatElement(line, count: 50_000), at: 3)
    let drawing = LaneDrawing.draw(trace, Words(.ms), [])
    #expect(drawing.covered - before.covered == 50_000 && drawing.omitted == 0)
    #expect(drawing.picture == before.picture)
  }

  @Test func aPictureHasARowForTheMachineHoweverManyConnectionsThereAre() throws {
    var trace = try Self.trace()
    let link = TraceLine(t: 0, channel: Channel(.ws, 1), generation: 1, event: .wsConnect)
    trace.lines = (1...1_000).map { number in
      var line = link
      (line.t, line.generation) = (number, number)
      return line
    }
    let action = GoldenLine("ping", t: 5, channel: Channel(.ws, 1), generation: 1)
    let drawing = LaneDrawing.draw(
      trace, Words(.ms), [LaneDrawing.Track(name: "does", actions: [(action, .same)])])
    #expect(drawing.omitted == 801 && drawing.omittedRows == 801)
    #expect(drawing.picture.contains("does ws1") && drawing.height < (Page.Limits.rows + 3) * 26)
  }

  @Test func aLongTextIsLeftOutInItsMiddle() {
    var page = Page("long")
    page.add(lines: (1...Page.Limits.lines + 7).map { "line \($0)" })
    let html = page.html()
    #expect(html.contains("… 7 lines are left out here; the command prints them"))
    #expect(
      html.contains("line \(Page.Limits.lines / 2)\n…") && html.contains("line \(Page.Limits.lines + 7)\n"))
    #expect(!html.contains("line \(Page.Limits.lines / 2 + 1)\n"))
  }

  @Test func pointsThatCannotBeDrawnAreCounted() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(try Self.trace().bytes()).write(to: URL(filePath: folder + "/t.jsonl"))
    var grid = SweepGrid()
    try grid.add(option: "heartbeat.interval=500ms,60m")
    let html = Page.sweep(try Sweep(Sweep.Question(paths: [folder], grid: grid))).html()
    #expect(html.contains("1 point has no delay, and stands in the table alone"))
  }
}
