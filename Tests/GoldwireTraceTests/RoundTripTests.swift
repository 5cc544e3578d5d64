import GoldwireTestSupport
import Testing

@testable import GoldwireTrace

@Suite struct RoundTripTests {
  @Test("a random trace of every kind comes back as it was written", arguments: UInt64(0)..<60)
  func values(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    let trace = random.trace()
    let bytes = trace.bytes()
    let read = try Trace(bytes: bytes)
    #expect(read.header == trace.header)
    #expect(read.lines == trace.lines)
    #expect(!read.isTorn)
    #expect(read.skipped == Trace.Skipped())
    #expect(read.bytes() == bytes)
  }

  @Test("what the writer makes is read by the canonical path", arguments: EventKind.allCases)
  func canonical(kind: EventKind) {
    var random = RandomTrace(seed: 7)
    for _ in 0..<200 {
      let line = random.line(kind, at: random.number())
      var bytes: [UInt8] = []
      bytes.append(line)
      #expect(TraceLine(canonical: bytes.span.extracting(droppingLast: 1)) == line)
    }
  }

  @Test("both paths read the same line from canonical bytes", arguments: EventKind.allCases)
  func anyOrderEqualsCanonical(kind: EventKind) throws {
    var random = RandomTrace(seed: 8)
    var fields = LineFields(limits: TraceLimits())
    for _ in 0..<200 {
      let line = random.line(kind, at: random.number())
      var bytes: [UInt8] = []
      bytes.append(line)
      let text = bytes.span.extracting(droppingLast: 1)
      try fields.read(text, line: 2)
      let read = fields.traceLine(text)
      #expect(read == line)
      #expect(fields.ignoredKeys == 0)
    }
  }

  @Test(
    "keys in any order, with blanks, escapes and unknown keys, give the same line", arguments: UInt64(0)..<40)
  func shuffled(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    let trace = random.trace(rounds: 1)
    var generator = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    bytes.append(trace.header)
    for line in trace.lines {
      var plain: [UInt8] = []
      plain.append(line)
      bytes += try scrambled(plain, &generator)
    }
    let read = try Trace(bytes: bytes)
    #expect(read.lines == trace.lines)
    #expect(read.skipped.keys == trace.lines.count)
  }

  /// The members in another order, with blanks and an unknown key, and one word escaped.
  private func scrambled(_ line: [UInt8], _ random: inout SeededGenerator) throws -> [UInt8] {
    let value = try JSONValue.parse(line)
    var members = try value.members().map { "\t\"\($0.key)\" : " + text($0.value) }
    members.append("\"x-unknown\":{\"a\":[1,-2.5e3,null,{\"b\":\"\\ud83d\\ude00\"}]}")
    members.shuffle(using: &random)
    return Array(("{ " + members.joined(separator: " , ") + " }\r\n").utf8)
  }

  private func text(_ value: JSONValue) -> String {
    switch value.content {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .whole(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): "\"" + text.utf8.map { "\\u00" + hex($0) }.joined() + "\""
    case .array(let elements): "[" + elements.map(text).joined(separator: " ,") + "]"
    case .object(let members):
      "{" + members.reversed().map { "\"\($0.key)\":" + text($0.value) }.joined(separator: ",") + "}"
    }
  }

  private func hex(_ byte: UInt8) -> String {
    let digits = Array("0123456789abcdef")
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }

  @Test("static texts equal the raw values")
  func words() {
    check(Direction.self)
    check(MessageKind.self)
    check(Beat.self)
    check(PingResult.self)
    check(CloseActor.self)
    check(Cause.self)
    check(EndCause.self)
    check(CutCause.self)
    check(Method.self)
    check(StopReason.self)
    check(MediaType.self)
    check(RetryFault.self)
    check(RetryForm.self)
    check(Network.self)
    check(LifeKind.self)
    check(GapReason.self)
    check(OpaqueEdge.self)
    check(OpaqueReason.self)
    check(Note.self)
    check(EndReason.self)
    check(EventKind.self)
  }

  @Test("each key stands in the list at the place of its number, and no two are alike")
  func keys() {
    for (place, key) in EventKey.all.enumerated() {
      #expect(Int(key.number) == place)
      #expect(key.text.description.hasSuffix("\"\(key.name)\":\""))
      #expect(key.text.description.hasPrefix(",") != key.isOfCounts)
    }
    for ofCounts in [false, true] {
      let names = EventKey.all.filter { $0.isOfCounts == ofCounts }.map(\.name)
      #expect(Set(names).count == names.count)
    }
    let places = EventKey.all.filter(\.isOfCounts).map(\.number)
    #expect(places == Array(EventKey.countPackets.number..<UInt8(EventKey.all.count)))
    // The bits of either kind fit one word each.
    #expect(EventKey.countPackets.number <= 64 && places.count <= 64)
  }

  private func check<W: Word & Equatable>(_ type: W.Type) {
    for word in W.allCases {
      #expect(word.text.description == word.rawValue + "\"")
      let bytes = Array((word.rawValue + "\"").utf8)
      var span = bytes.span
      let read = W.read(&span)
      let rest = span.count
      #expect(read == word && rest == 0)
    }
  }

  @Test("the example of the format's page is canonical")
  func example() throws {
    let text = """
      {"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"us","clock":"continuous","wall":412345,"at":"client",\
      "inForce":{"heartbeat":{"interval":"30s","timeout":"5s"}},"inForceBy":"driver"}
      {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
      {"t":30412,"ch":"ws1","gen":1,"ev":"ws.open","status":101,"deflate":true}
      {"t":30030517,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":4}
      {"t":30071204,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":4}
      {"t":51200000,"ch":"ws1","gen":1,"ev":"ws.end","cause":"reset","dir":"in"}
      {"t":61000000,"ev":"rec.end","why":"stopped"}

      """
    let trace = try Trace(bytes: Array(text.utf8))
    #expect(String(decoding: trace.bytes(), as: UTF8.self) == text)
    #expect(trace.horizon == 61_000_000)
    #expect(trace.lines[2].event == .wsPing(dir: .out, id: 1, bytes: 4))
    #expect(trace.lineNumber(at: 2) == 4)
  }
}
