import GoldwireTestSupport
import GoldwireTrace
import Testing

/// The schemas beside the corpus, held against what the writer can write.
@Suite struct SchemaTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/") + "/traces/schema/"

  private func validator(_ name: String = "trace") throws -> SchemaValidator {
    SchemaValidator(root: try .parse(AtomicFile.read(Self.folder + name + ".schema.json")))
  }

  private func line(_ kind: EventKind, _ random: inout RandomTrace) throws -> JSONValue {
    var bytes: [UInt8] = []
    bytes.append(random.line(kind, at: random.number()))
    return try .parse(bytes)
  }

  /// The branch of an event.
  private func branch(_ kind: EventKind, _ validator: SchemaValidator) throws -> JSONValue {
    let branches = try validator.definition("#/$defs/event")["oneOf"].orThrow("oneOf").elements()
    let mine = branches.filter { branch in
      if case .string(kind.rawValue) = branch["properties"]?["ev"]?["const"]?.content { true } else { false }
    }
    try #require(mine.count == 1)
    return mine[0]
  }

  @Test("the schema has a branch for each event, and no other")
  func branches() throws {
    let branches = try validator().definition("#/$defs/event")["oneOf"].orThrow("oneOf").elements()
    #expect(branches.count == EventKind.allCases.count)
  }

  @Test("every line that the writer makes is valid", arguments: EventKind.allCases)
  func valid(kind: EventKind) throws {
    let validator = try validator()
    var random = RandomTrace(seed: 11)
    let branch = try branch(kind, validator)
    for round in 0..<60 {
      let line = try line(kind, &random)
      #expect(try validator.fault(line, branch) == nil)
      if round < 3 { #expect(try validator.fault(line) == nil) }
    }
  }

  @Test("keys and words of the schema are those that the writer writes", arguments: EventKind.allCases)
  func vocabulary(kind: EventKind) throws {
    let validator = try validator()
    let branch = try branch(kind, validator)
    var written: [String: Set<String>] = [:]
    var always: Set<String>?
    var random = RandomTrace(seed: 12)
    for _ in 0..<400 {
      let members = try line(kind, &random).members()
      for member in members {
        if case .string(let text) = member.value.content { written[member.key, default: []].insert(text) }
        written[member.key, default: []].formUnion([])
      }
      always = always?.intersection(members.map(\.key)) ?? Set(members.map(\.key))
    }
    let properties = try branch["properties"].orThrow("properties").members()
    let required = Set(try branch["required"].orThrow("required").elements().map { try $0.string() })
    #expect(Set(properties.map(\.key)) == Set(written.keys))
    #expect(required.isSubset(of: always ?? []))
    for property in properties {
      guard let reference = try property.value["$ref"]?.string(),
        let words = try validator.definition(reference)["enum"]?.elements()
      else { continue }
      guard case .string = words[0].content else { continue }
      #expect(Set(try words.map { try $0.string() }) == written[property.key], "\(property.key)")
    }
  }

  @Test("the order of the schema's properties is the writer's", arguments: EventKind.allCases)
  func order(kind: EventKind) throws {
    let order = try branch(kind, validator())["properties"].orThrow("properties").members().map(\.key)
    var random = RandomTrace(seed: 13)
    for _ in 0..<100 {
      let keys = try line(kind, &random).members().map(\.key)
      #expect(keys == order.filter(keys.contains))
    }
  }

  @Test(
    "a line without a key that is required, or with one more, is not valid", arguments: EventKind.allCases)
  func invalid(kind: EventKind) throws {
    let validator = try validator()
    let branch = try branch(kind, validator)
    var random = RandomTrace(seed: 14)
    let line = try line(kind, &random)
    let members = try line.members()
    for key in try branch["required"].orThrow("required").elements().map({ try $0.string() }) {
      var copy = line
      copy.content = .object(members.filter { $0.key != key })
      #expect(try validator.fault(copy, branch) != nil)
    }
    var copy = line
    var extra = members[0]
    extra.key = "secret"
    copy.content = .object(members + [extra])
    #expect(try validator.fault(copy, branch) != nil)
  }

  @Test("every header that the writer makes is valid", arguments: UInt64(0)..<100)
  func headers(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    var bytes: [UInt8] = []
    bytes.append(random.header())
    #expect(try validator().fault(.parse(bytes)) == nil)
  }

  @Test("the example of a golden is valid, and its damaged forms are not")
  func golden() throws {
    let validator = try validator("golden")
    let header = """
      {"golden":1,"trace":"late-close.jsonl","machine":"heartbeat","parameters":{"interval":"100ms","timeout":"1s"},\
      "mode":"recorded","tick":"exact","unit":"ms"}
      """
    func fault(_ text: String) throws -> String? { try validator.fault(.parse(Array(text.utf8))) }
    #expect(try fault(header) == nil)
    #expect(try fault(header.replacing("interval", with: "idle")) != nil)
    #expect(try fault(header.replacing("\"exact\"", with: "\"every:5s\"")) == nil)
    #expect(try fault(header.replacing("\"exact\"", with: "\"every:5\"")) != nil)
    #expect(
      try fault("{\"t\":1100,\"ch\":\"ws1\",\"gen\":1,\"do\":\"close\",\"why\":\"pongTimeout\"}") == nil)
    #expect(try fault("{\"t\":2000,\"do\":\"end\"}") == nil)
    #expect(try fault("{\"t\":2000,\"do\":\"unknown\"}") != nil)
  }
}
