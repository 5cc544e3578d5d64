import GoldwireTrace
import Testing

@Suite struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue { try .parse(Array(text.utf8)) }

  private func fault(_ text: String) -> TraceError? {
    do {
      _ = try parse(text)
      return nil
    } catch { return error as? TraceError }
  }

  @Test("values keep their order and their place")
  func places() throws {
    let value = try parse("{\n  \"b\": [1, -2.5, \"x\"],\n  \"a\": {\"c\": null}\n}\n")
    let members = try value.members()
    #expect(members.map(\.key) == ["b", "a"])
    #expect(members[1].line == 3 && members[1].column == 3 && members[1].value.column == 8)
    let list = try members[0].value.elements()
    #expect(list.map(\.content) == [.whole(1), .decimal(-2.5), .string("x")])
    #expect(value["a"]?["c"]?.content == .null)
  }

  @Test("numbers are whole up to what every reader keeps exactly")
  func numbers() throws {
    #expect(try parse("9007199254740991").content == .whole(9_007_199_254_740_991))
    #expect(try parse("-9007199254740991").content == .whole(-9_007_199_254_740_991))
    #expect(try parse("9007199254740992").content == .decimal(9_007_199_254_740_992))
    #expect(try parse("1e400").content == .decimal(.infinity))
    #expect(try parse("-0").content == .whole(0))
    for bad in ["01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "--1", "\u{661}"] {
      #expect(fault(bad) != nil, "\(bad)")
    }
  }

  @Test("strings are decoded, and damaged ones refused")
  func strings() throws {
    #expect(try parse("\"\\u0041\\ud83d\\ude00\\n\\/\\\"\\\\\"").string() == "A\u{1F600}\n/\"\\")
    for bad in ["\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\x\"", "\"a", "\"\u{9}\"", "'a'"] {
      #expect(fault(bad) != nil)
    }
    #expect(throws: TraceError(line: 1, column: 1, "expected valid UTF-8")) {
      try JSONValue.parse([0x22, 0xC3, 0x28, 0x22])
    }
  }

  @Test("what is no single value is refused with its place")
  func refused() {
    #expect(fault("") == TraceError(line: 1, column: 1, "expected a value"))
    #expect(fault("{} x") == TraceError(line: 1, column: 4, "expected the end of the text"))
    #expect(fault("{\"a\":1,\n\"a\":2}") == TraceError(line: 2, column: 1, "expected each key once"))
    #expect(fault("[1,]") == TraceError(line: 1, column: 4, "expected a value"))
    #expect(
      fault(String(repeating: "[", count: 100_000))
        == TraceError(line: 1, column: 33, "expected values nested at most 32 deep"))
    let many = (0..<40).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(fault("{\(many)}") == nil)
    #expect(fault("{\(many),\"k7\":0}")?.message == "expected each key once")
  }

  @Test(
    "conflict markers are named as such", arguments: ["<<<<<<< HEAD", "=======", ">>>>>>> x", "||||||| y"])
  func conflicts(marker: String) {
    let error = fault("{\"a\":1,\n\(marker)\n\"b\":2}")
    #expect(
      error == TraceError(line: 2, column: 1, "an unresolved merge conflict: resolve it, then try again"))
  }

  @Test("accessors name the expectation and never the value")
  func accessors() throws {
    let value = try parse("{\"a\":\"canary\"}")
    let member = try #require(value["a"])
    let attempts: [() throws -> Void] = [
      { _ = try member.whole() }, { _ = try member.bool() }, { _ = try member.elements() },
      { _ = try member.members() }, { _ = try member.timeSpan() }, { _ = try member.word(Unit.self) },
      { _ = try value.required("b") }, { _ = try value.string() },
    ]
    for attempt in attempts {
      do {
        try attempt()
        Issue.record("nothing was thrown")
      } catch { #expect(!"\(error)".contains("canary")) }
    }
    #expect(throws: TraceError(line: 1, column: 1, "expected the key \"b\"")) { try value.required("b") }
  }

  @Test("a string is written with what JSON obliges to escape escaped, and comes back")
  func written() throws {
    let text = "a\"\\\n\r\t\u{1}\u{1F}é\u{1F600}/"
    var bytes: [UInt8] = []
    bytes.append(json: text)
    #expect(String(decoding: bytes, as: UTF8.self) == "\"a\\\"\\\\\\n\\r\\t\\u0001\\u001fé\u{1F600}/\"")
    #expect(try JSONValue.parse(bytes).string() == text)
  }
}
