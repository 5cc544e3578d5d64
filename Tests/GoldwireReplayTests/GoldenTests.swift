import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

@Suite("The golden format") struct GoldenTests {
  static let text = """
    {"golden":1,"trace":"late-close.jsonl","machine":"heartbeat",\
    "parameters":{"interval":"100ms","timeout":"1s"},"mode":"recorded","tick":"exact","unit":"ms"}
    {"t":100,"ch":"ws1","gen":1,"do":"ping"}
    {"t":1100,"ch":"ws1","gen":1,"do":"close","why":"pongTimeout"}
    {"t":2000,"do":"end"}

    """

  static let full = """
    {"golden":1,"trace":"a.jsonl","machine":"stream","set":"prod",\
    "mode":"causal","tick":"every:250ms","detail":"outcomes","assume":["handled","unit"],"unit":"us"}
    {"t":1,"ch":"sse1","gen":1,"req":2,"try":3,"do":"deliver",\
    "n":4,"id":"e5","cursor":"","for":6,"why":"status","code":204,"grade":"assumed"}
    {"t":2,"do":"end"}

    """

  @Test(arguments: [text, full]) func canonicalBytesComeBackAsTheyWere(_ text: String) throws {
    let golden = try Golden(bytes: Array(text.utf8))
    #expect(String(decoding: golden.bytes(), as: UTF8.self) == text)
  }

  @Test func keysInAnyOrderWithBlanksAndOtherLineEndsAreRead() throws {
    let text = """
      { "unit" : "ms", "tick":"exact","mode":"recorded","machine":"heartbeat","trace":"late-close.jsonl",\
      "parameters":{"timeout":"1s","interval":"100ms"},"golden":1}\r
      {"do":"ping","ch":"ws1","t":100,"gen":1}\r

      {"t":1100,"ch":"ws1","gen":1,"do":"close","why":"pongTimeout"}
      {"t":2000,"do":"end"}
      """
    #expect(try Golden(bytes: Array(text.utf8)) == Golden(bytes: Array(Self.text.utf8)))
  }

  struct Wrong: CustomTestStringConvertible {
    var from: String
    var to: String
    var says: String
    var testDescription: String { says }

    init(_ from: String, _ to: String, says: String) { (self.from, self.to, self.says) = (from, to, says) }
  }

  @Test(arguments: [
    Wrong("\"golden\":1,", "", says: "1:1: expected the key \"golden\": this is no golden's first line"),
    Wrong(
      "\"golden\":1,", "\"golden\":2,", says: "1:11: expected version 1; a newer goldwire wrote this golden"),
    Wrong("\"unit\":\"ms\"", "\"unit\":\"ks\"", says: "1:151: expected \"us\" or \"ms\""),
    Wrong("\"unit\":\"ms\"", "\"secret\":1", says: "1:144: unknown key; expected golden, trace"),
    Wrong("\"exact\"", "\"exactly\"", says: "1:136: expected \"exact\", \"recorded\" or \"every:\""),
    Wrong("\"parameters\":{", "\"set\":\"a\",\"parameters\":{", says: "1:1: expected either"),
    Wrong("\"t\":1100", "\"t\":-1", says: "3:6: expected a whole number"),
    Wrong("\"ws1\",\"gen\":1,\"do\":\"ping\"", "\"ws01\"", says: "2:15: expected a channel"),
    Wrong("\"do\":\"ping\"", "\"ping\":1", says: "2:29: unknown key; expected t, ch, gen"),
    Wrong("\"ping\"", "\"a secret of seventeen\"", says: "2:34: expected a word of 1 to 16"),
    Wrong("{\"t\":2000", "<<<<<<< HEAD\n{\"t\":2000", says: "4:1: has a merge conflict"),
    Wrong("{\"t\":2000", ">>>>>>> theirs\n{\"t\":2000", says: "4:1: has a merge conflict"),
    Wrong("{\"t\":2000", "=======\n{\"t\":2000", says: "4:1: has a merge conflict"),
  ])
  func whatIsWrongIsNamedByItsPlace(_ wrong: Wrong) throws {
    let text = Self.text.replacing(wrong.from, with: wrong.to, maxReplacements: 1)
    #expect(text != Self.text)
    do {
      _ = try Golden(bytes: Array(text.utf8))
      Issue.record("It was read.")
    } catch {
      let message = "\(error.line):\(error.column): \(error.message)"
      #expect(message.hasPrefix(wrong.says), "\(message)")
      #expect(!message.contains("secret"))
    }
  }

  @Test func anEmptyFileIsNoGolden() {
    #expect(throws: ReplayError.self) { try Golden(bytes: []) }
    #expect(throws: ReplayError.self) { try Golden(bytes: Array("\n".utf8)) }
  }

  @Test func nothingThatIsReadCanTrap() {
    var generator = SeededGenerator(seed: 6)
    let seeds = [Array(Self.text.utf8), Array(Self.full.utf8)]
    let inserts = Array("{}[]\",:0123456789e-+.\\\u{7f}\n\rtruewsnull".utf8)
    for round in 0..<4_000 {
      var bytes = seeds[round % 2]
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(inserts.randomElement(using: &generator) ?? 0, at: place)
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { break }
      }
      guard let golden = try? Golden(bytes: bytes) else { continue }
      // What was read has canonical bytes that mean the same, and can be compared with anything.
      #expect((try? Golden(bytes: golden.bytes())) == golden)
      _ = Comparison(want: golden.lines, got: golden.lines.reversed()).verdict
    }
  }

  // MARK: Names

  @Test func aNameHasTraceMachineAndVariant() {
    #expect(
      GoldenName("late-close.heartbeat.golden.jsonl")
        == GoldenName(stem: "late-close", machine: .heartbeat))
    #expect(
      GoldenName("a.b.retry.fast.golden.jsonl", stems: ["a.b"])
        == GoldenName(stem: "a.b", machine: .retry, variant: "fast"))
    #expect(GoldenName("a.golden.jsonl") == nil)
    #expect(GoldenName("a.walker.golden.jsonl") == nil)
    #expect(GoldenName(stem: "a", machine: .stream, variant: "x").file == "a.stream.x.golden.jsonl")
  }

  @Test func theTraceThatIsThereDecidesWhereTheMachineStands() {
    let file = "a.retry.stream.golden.jsonl"
    #expect(GoldenName(file, stems: ["a"]) == GoldenName(stem: "a", machine: .retry, variant: "stream"))
    #expect(GoldenName(file, stems: ["a.retry"]) == GoldenName(stem: "a.retry", machine: .stream))
  }

  @Test func aTracesStemIsItsNameWithoutTheSuffix() {
    #expect(GoldenName.stem(ofTrace: "trace.jsonl") == "trace")
    #expect(GoldenName.stem(ofTrace: "trace.jsonl.gz") == "trace")
    #expect(GoldenName.stem(ofTrace: "trace.heartbeat.golden.jsonl") == nil)
    #expect(GoldenName.stem(ofTrace: "README.md") == nil)
    #expect(GoldenName.stem(ofTrace: ".jsonl") == nil)
  }

  @Test func aWordHoldsSixteenLettersAndDigits() {
    for right in ["connectTimeout", "abcdefgh12345678", "a"] {
      #expect(ActionWord(right)?.description == right)
    }
    for wrong in ["", "abcdefgh123456789", "a b", "é", "a\u{0}"] { #expect(ActionWord(wrong) == nil) }
  }
}
