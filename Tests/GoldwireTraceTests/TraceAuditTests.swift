import Testing

@testable import GoldwireTrace

@Suite struct TraceAuditTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var line: Int
    var kind: AuditFinding.Kind
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
    #expect(findings.contains { $0.line == sample.line && $0.kind == sample.kind })
  }

  struct Place: CustomTestStringConvertible {
    var testDescription: String
    var line: String
    var column: Int
    var kind: AuditFinding.Kind
  }

  @Test(
    "a finding has its place, and nothing of what stands there",
    arguments: [
      Place(
        testDescription: "an unknown key", line: "{\"t\":1,\"url\":\"s3cret\",\"ev\":\"app.background\"}",
        column: 8,
        kind: .unknown),
      Place(
        testDescription: "an unknown key at the end",
        line: "{\"t\":1,\"ev\":\"app.background\",\"s3cret\":1}",
        column: 30, kind: .unknown),
      Place(
        testDescription: "an unknown event", line: "{\"t\":1,\"ev\":\"s3cret\"}", column: 13, kind: .unknown),
      Place(
        testDescription: "a pseudonym out of order",
        line: "{\"t\":1,\"ch\":\"sse1\",\"gen\":1,\"ev\":\"sse.id\",\"id\":\"e83\"}", column: 47,
        kind: .pseudonym),
      Place(
        testDescription: "a word of another set", line: "{\"t\":1,\"ev\":\"app.network\",\"to\":\"s3cret\"}",
        column: 32,
        kind: .unreadable),
      Place(
        testDescription: "a blank", line: "{\"t\":1,\"ev\": \"app.background\"}", column: 13,
        kind: .notCanonical),
    ])
  func places(sample: Place) throws {
    let findings = try TraceAudit.findings(in: Array((Self.header + sample.line + "\n").utf8))
    #expect(findings.map(\.kind) == [sample.kind])
    #expect(findings.map(\.line) == [2])
    #expect(findings.map(\.column) == [sample.column])
    #expect(findings.allSatisfy { !$0.description.contains("s3cret") })
  }

  @Test("an empty file is no trace")
  func empty() throws {
    #expect(try TraceAudit.findings(in: [UInt8]()).map(\.kind) == [.unreadable])
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
