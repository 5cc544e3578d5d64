import Foundation
import GoldwireReplay
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import GoldwireReport

@Suite("What a continuous integration reads") struct CIReportTests {
  /// Runs over a folder with one golden that is shifted, one that is the same, and one whose trace is gone; what the run
  /// was asked in words of the folder.
  private static func run(source: String = "written", _ change: (inout TestOptions) -> Void = { _ in }) throws
    -> (
      TestRun, folder: String
    )
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "junit-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func write(_ name: String, _ lines: String...) throws {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: folder + "/" + name))
    }
    let header =
      #"{"goldwire":1,"tool":"t","source":"\#(source)","unit":"ms","clock":"virtual","at":"client"}"#
    func golden(_ trace: String) -> String {
      #"{"golden":1,"trace":"\#(trace)","machine":"heartbeat","#
        + #""parameters":{"interval":"1s","timeout":"2s"},"mode":"recorded","tick":"exact","unit":"ms"}"#
    }
    let lines = [
      #"{"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}"#, #"{"t":10,"ch":"ws1","gen":1,"ev":"ws.open"}"#,
      #"{"t":1500,"ev":"rec.end","why":"written"}"#,
    ]
    for name in ["a&b", "late"] { try write(name + ".jsonl", header, lines[0], lines[1], lines[2]) }
    let end = #"{"t":1500,"do":"end"}"#
    try write(
      "a&b.heartbeat.golden.jsonl", golden("a&b.jsonl"), #"{"t":1010,"ch":"ws1","gen":1,"do":"ping"}"#, end)
    try write(
      "late.heartbeat.golden.jsonl", golden("late.jsonl"), #"{"t":1000,"ch":"ws1","gen":1,"do":"ping"}"#, end)
    try write("gone.heartbeat.golden.jsonl", golden("gone.jsonl"), end)
    var options = TestOptions(paths: [folder])
    change(&options)
    return (try TestRun(options), folder + "/")
  }

  @Test func eachGoldenIsACase() throws {
    let (run, folder) = try Self.run()
    let text = JUnitReport(run).text().replacing(folder, with: "")
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="goldwire test" tests="3" failures="2" errors="0" skipped="0">
          <testsuite name="a&amp;b.jsonl" tests="1" failures="0" errors="0" skipped="0">
            <testcase classname="a&amp;b.jsonl" name="a&amp;b.heartbeat.golden.jsonl" \
        file="a&amp;b.heartbeat.golden.jsonl"/>
          </testsuite>

        """))
    #expect(text.contains(#"<failure type="orphan" message="ORPHAN gone.heartbeat.golden.jsonl">"#))
    #expect(text.contains(#"<failure type="shifted" message="SHIFTED late.heartbeat.golden.jsonl">"#))
    #expect(text.contains("1 × ping shifted by +10ms\n"))
    #expect(text.hasSuffix("</testcase>\n  </testsuite>\n</testsuites>\n"))
    // An XML reader that is not ours takes it.
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse())
  }

  @Test func whatIsTooMuchIsCounted() throws {
    let (run, _) = try Self.run()
    #expect(WorkflowAnnotations.lines(run, atMost: 2).count == 2)
    let lines = WorkflowAnnotations.lines(run, atMost: 1)
    #expect(lines.count == 2 && lines.last == "::notice title=goldwire test::1 more in the log")
    #expect(Page.test(run, pictures: 0).html().contains("<p>1 result above has no picture.</p>"))
  }

  @Test func whatCannotBeToldIsAFailureUnlessItIsLetPass() throws {
    func text(_ isLenient: Bool) throws -> String {
      // What was in force is unknown, so that nothing can be judged.
      let (run, _) = try Self.run(source: "tap") { $0.allowsInconclusive = isLenient }
      return JUnitReport(run).text()
    }
    #expect(try text(false).contains(#"type="inconclusive""#))
    #expect(try text(true).contains("<skipped message="))
  }

  @Test func noTextBreaksADocument() {
    #expect(Markup.escaped("<a b=\"&\">\n\t") == "&lt;a b=&quot;&amp;&quot;&gt;\n\t")
    #expect(Markup.escaped("\u{1B}[0m\u{0}\n\t", keepsLines: true) == "\u{FFFD}[0m\u{FFFD}&#10;&#9;")
    #expect(Markup.escaped("é\u{1F600}]]>\u{202E}\u{FFFF}") == "é\u{1F600}]]&gt;\u{FFFD}\u{FFFD}")
  }

  @Test func failuresAreAnnotatedAtTheTracesLine() throws {
    let (run, folder) = try Self.run()
    let lines = WorkflowAnnotations.lines(run).map { $0.replacing(folder, with: "") }
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("::error file=gone.heartbeat.golden.jsonl,title=ORPHAN gone"))
    #expect(lines[1].hasPrefix("::error file=late.jsonl,line=3,title=SHIFTED late.heartbeat.golden.jsonl::"))
    #expect(!lines[1].contains("\n") && lines[1].contains("%0A"))
    #expect(WorkflowAnnotations.areUnderstood(["GITHUB_ACTIONS": "true"]))
    #expect(!WorkflowAnnotations.areUnderstood(["CI": "true"]))
  }
}
