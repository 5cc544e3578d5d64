import GoldwireReplay
import GoldwireTrace
import Testing

/// What goldens, configurations and locks should not hold.
@Suite struct AuditTests {
  private static let header =
    #"{"golden":1,"trace":"a.jsonl","machine":"heartbeat","set":"prod","mode":"recorded","tick":"exact","unit":"ms"}"#
  private static let ping = #"{"t":100,"ch":"ws1","gen":1,"do":"ping"}"#

  private static func golden(_ lines: String..., file: String = "a.heartbeat.golden.jsonl") -> [AuditFinding]
  {
    GoldenAudit.findings(
      inGolden: Array((lines.joined(separator: "\n") + "\n").utf8), file: file, sets: ["prod"])
  }

  @Test func aGoldenThatIsWrittenPasses() {
    #expect(Self.golden(Self.header, Self.ping, #"{"t":200,"do":"end"}"#) == [])
    #expect(
      Self.golden(Self.header.replacing("a.jsonl", with: "a.jsonl.gz"), file: "a.heartbeat.x.golden.jsonl")
        == [])
  }

  struct Case: CustomTestStringConvertible {
    var lines: [String]
    var line: Int
    var column: Int
    var kind: AuditFinding.Kind
    var file = "a.heartbeat.golden.jsonl"
    var testDescription: String { lines.joined(separator: " ") + file }
  }

  @Test(arguments: [
    Case(lines: [header.replacing("a.jsonl", with: "s3cret.jsonl")], line: 1, column: 21, kind: .name),
    Case(lines: [header], line: 1, column: 21, kind: .name, file: "golden.jsonl"),
    Case(lines: [header.replacing("prod", with: "s3cret")], line: 1, column: 59, kind: .name),
    Case(lines: [header.replacing("heartbeat", with: "s3cret")], line: 1, column: 41, kind: .word),
    Case(lines: [header.replacing("}", with: #","s3cret":1}"#)], line: 1, column: 111, kind: .unknown),
    Case(lines: [header, ping.replacing("ping", with: "s3cret")], line: 2, column: 34, kind: .word),
    Case(
      lines: [header, ping.replacing("}", with: #","why":"12345678"}"#)], line: 2, column: 47, kind: .word),
    Case(
      lines: [header, ping.replacing("}", with: #","s3cret":"x"}"#)], line: 2, column: 41, kind: .unknown),
    Case(lines: [header, ping.replacing("100,", with: "100, ")], line: 2, column: 10, kind: .notCanonical),
    Case(lines: [header, ping.replacing("ws1", with: "s3cret")], line: 2, column: 15, kind: .unreadable),
    Case(lines: [header, ping.replacing("ws1", with: "ws411111")], line: 2, column: 15, kind: .number),
    Case(
      lines: [header, ping.replacing("gen\":1", with: "gen\":411111")], line: 2, column: 27, kind: .number),
    Case(
      lines: [header, ping.replacing("}", with: #","id":"e4111111111111111"}"#)], line: 2, column: 46,
      kind: .pseudonym),
    Case(lines: [header, "", ping], line: 2, column: 1, kind: .unreadable),
    Case(lines: ["<<<<<<< s3cret", header], line: 1, column: 1, kind: .unreadable),
  ])
  func whatAGoldenShouldNotHoldIsFound(_ sample: Case) {
    let findings = GoldenAudit.findings(
      inGolden: Array((sample.lines.joined(separator: "\n") + "\n").utf8), file: sample.file, sets: ["prod"])
    let first = findings.first
    #expect([first?.line, first?.column] == [sample.line, sample.column], "\(findings)")
    #expect(first?.kind == sample.kind)
    #expect(!findings.contains { $0.description.contains("s3cret") })
  }

  @Test func aTornGoldenAndAnEmptyOneAreFound() {
    let torn = GoldenAudit.findings(
      inGolden: Array((Self.header + "\n" + Self.ping).utf8), file: "a.heartbeat.golden.jsonl", sets: ["prod"]
    )
    #expect(torn.map(\.kind) == [.torn])
    #expect(GoldenAudit.findings(inGolden: [], file: "a", sets: []).map(\.kind) == [.unreadable])
  }

  @Test func configurationsAndLocks() {
    func configuration(_ text: String) -> [AuditFinding] {
      GoldenAudit.findings(inConfiguration: Array(text.utf8))
    }
    #expect(configuration(#"{"goldwire":1,"labels":{"ws1":"chat"},"slack":"250ms"}"#) == [])
    #expect(
      configuration("{\"goldwire\":1,\n \"token\":\"x\"}") == [
        AuditFinding(line: 2, column: 2, kind: .unknown)
      ])
    #expect(configuration(#"{"goldwire":1,"labels":{"secret":"chat"}}"#).map(\.kind) == [.word])
    let line =
      #"{"golden":"a/b.golden.jsonl","machine":"heartbeat","parameters":{"interval":"30s","timeout":"10s","#
      + #""connectTimeout":"off","policy":"pongOnly","cadence":"afterPong"}}"#
    func lock(_ lines: String..., isThere: Bool = true) -> [AuditFinding.Kind] {
      GoldenAudit.findings(inLock: Array(lines.map { $0 + "\n" }.joined().utf8)) { _ in isThere }.map(\.kind)
    }
    let first = #"{"goldwire":1}"#
    #expect(lock(first, line) == [])
    #expect(lock(first, line, isThere: false) == [.name])
    #expect(lock(first, line, line) == [.notCanonical])
    #expect(lock(first, line.replacing(",", with: ", ")) == [.notCanonical])
    #expect(lock(first, line.replacing("{\"golden", with: "{\"host\":\"x\",\"golden")) == [.unknown])
    #expect(lock(first, "secret") == [.unreadable])
    #expect(lock(#"{"goldwire":1,"x":2}"#, line) == [.notCanonical])
  }
}
