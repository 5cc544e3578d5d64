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

  private func numberFindings(_ lines: [String], header: String = Self.header) throws -> [AuditFinding] {
    try TraceAudit.findings(in: Array((header + lines.map { $0 + "\n" }.joined()).utf8))
  }

  @Test(
    "a number that counts from 1 cannot be any number",
    arguments: [
      (#"{"t":1,"ch":"ws4111111111111111","gen":1,"ev":"ws.connect"}"#, 13),
      (#"{"t":1,"ch":"ws1","gen":411111,"ev":"ws.connect"}"#, 25),
      (#"{"t":1,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":411111}"#, 59),
      (#"{"t":1,"ch":"http1","ev":"http.cancel","req":411111}"#, 46),
      (#"{"t":1,"ch":"http1","ev":"http.send","req":1,"try":4111,"method":"GET"}"#, 52),
      (#"{"t":1,"ch":"http1","ev":"http.send","req":1,"try":1,"hop":4111,"method":"GET"}"#, 60),
      (#"{"t":1,"ch":"sse1","gen":1,"ev":"sse.event","n":411111,"bytes":1}"#, 49),
      (#"{"t":1,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","rev":4111,"bytes":1}"#, 67),
      (#"{"t":1,"ev":"app.session","session":411111}"#, 37),
    ])
  func ordinals(line: String, column: Int) throws {
    let findings = try numberFindings([line])
    #expect(findings.map(\.kind) == [.number])
    #expect(findings.map(\.column) == [column])
  }

  @Test(
    "numbers that count on from what is there pass, however high; a long recording may begin with high ones")
  func countedOn() throws {
    let high = (0..<3).map { #"{"t":600000,"ch":"ws1","gen":\#(600_000 + $0),"ev":"ws.connect"}"# }
    #expect(try numberFindings(high) == [])
    #expect(
      try numberFindings([high[0].replacing(#""t":600000"#, with: #""t":600"#)]).map(\.kind) == [.number])
    let low = (1...5_000).map { #"{"t":1,"ch":"ws1","gen":\#($0),"ev":"ws.connect"}"# }
    #expect(try numberFindings(low) == [])
  }

  @Test("no absolute time passes for one of the day")
  func absoluteTimes() throws {
    let header = Self.header.replacing(#""at":"#, with: #""wall":43200000000,"at":"#)
    func response(_ keys: String) -> [String] {
      [#"{"t":5000,"ch":"http1","ev":"http.response","req":1,"try":1,"status":503,\#(keys)}"#]
    }
    for (second, isRight) in [
      (43_205, true), (43_205 + 366 * 86_400, true), (43_205 - 366 * 86_400, true),
      (43_205 + 367 * 86_400, false), (43_205 - 367 * 86_400, false), (1_700_000_000, false),
    ] {
      let expected: [AuditFinding.Kind] = isRight ? [] : [.number]
      #expect(try numberFindings(response(#""date":\#(second)"#), header: header).map(\.kind) == expected)
      #expect(try numberFindings(response(#""retryAt":\#(second)"#), header: header).map(\.kind) == expected)
    }
    for wall in ["86400000000", "1700000000123456"] {
      let wrong = Self.header.replacing(#""at":"#, with: #""wall":\#(wall),"at":"#)
      #expect(try numberFindings([], header: wrong).map(\.kind) == [.number])
      // It is read all the same.
      #expect(try Trace(bytes: Array(wrong.utf8)).header.wall == Int(wall))
    }
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
