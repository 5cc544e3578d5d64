import Testing

@testable import GoldwireTrace

@Suite struct TraceAuditTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var line: Int
    var kind: TraceAudit.Finding.Kind
  }

  private static let header = TraceReaderTests.header

  static let cases: [Case] = [
    Case(
      testDescription: "a blank", text: header + "{\"t\":1, \"ev\":\"app.background\"}\n", line: 2,
      kind: .notCanonical),
    Case(
      testDescription: "an escape", text: header + "{\"t\":1,\"ev\":\"app.backgroun\\u0064\"}\n", line: 2,
      kind: .notCanonical),
    Case(
      testDescription: "an unknown key", text: header + "{\"t\":1,\"ev\":\"app.background\",\"url\":\"x\"}\n",
      line: 2, kind: .unknown),
    Case(
      testDescription: "a key of another event",
      text: header + "{\"t\":1,\"ev\":\"app.background\",\"code\":1000}\n",
      line: 2, kind: .unknown),
    Case(
      testDescription: "an unknown event", text: header + "{\"t\":1,\"ev\":\"secret\"}\n", line: 2,
      kind: .unknown),
    Case(testDescription: "no line at all", text: header + "secret\n", line: 2, kind: .unreadable),
    Case(
      testDescription: "an unknown key in the header",
      text: header.replacing("}\n", with: ",\"host\":\"a\"}\n"),
      line: 1, kind: .unknown),
    Case(
      testDescription: "a tool that is no version", text: header.replacing("0.1.0", with: "s3cret"), line: 1,
      kind: .tool),
    Case(
      testDescription: "a number in place of a pseudonym",
      text: header + "{\"t\":1,\"ch\":\"sse1\",\"gen\":1,\"ev\":\"sse.id\",\"id\":\"e8675309\"}\n", line: 2,
      kind: .pseudonym),
    Case(testDescription: "a torn line", text: header + "{\"t\":1,\"ev\":\"app.ba", line: 2, kind: .torn),
    Case(
      testDescription: "leading zeros",
      text: header + "{\"t\":1,\"ch\":\"ws01\",\"gen\":1,\"ev\":\"ws.connect\"}\n",
      line: 2, kind: .unreadable),
  ]

  @Test("what no writer makes is found", arguments: cases)
  func found(sample: Case) throws {
    let findings = try TraceAudit.findings(in: Array(sample.text.utf8))
    #expect(findings.contains(TraceAudit.Finding(line: sample.line, kind: sample.kind)))
  }

  @Test("what the writer makes passes")
  func clean() throws {
    let text =
      Self.header + "{\"t\":1,\"ch\":\"sse1\",\"gen\":1,\"ev\":\"sse.connect\",\"cursor\":\"e1\"}\n"
      + "{\"t\":2,\"ch\":\"sse1\",\"gen\":1,\"ev\":\"sse.event\",\"n\":1,\"id\":\"e2\",\"bytes\":1}\n"
      + "{\"t\":2,\"ch\":\"sse2\",\"gen\":1,\"ev\":\"sse.id\",\"id\":\"\"}\n"
    #expect(try TraceAudit.findings(in: Array(text.utf8)) == [])
    #expect(try TraceAudit.findings(in: InflaterTests.gzip(Array(text.utf8))) == [])
  }
}
