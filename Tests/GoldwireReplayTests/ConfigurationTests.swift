import GoldwireMachines
import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

@Suite("goldwire.json and goldwire.lock") struct ConfigurationTests {
  static let text = """
    {"goldwire":1,
     "sets":{"prod":{"heartbeat":{"interval":"30s","timeout":"10s"}},"lab":{"retry":{"base":"2s"}}},
     "labels":{"ws1":"chat"},
     "slack":"250ms",
     "machines":["stream","heartbeat"]}
    """

  @Test func everyKeyIsRead() throws {
    let configuration = try Configuration(bytes: Array(Self.text.utf8))
    #expect(configuration.sets.map(\.name) == ["prod", "lab"])
    #expect(
      configuration.values(of: "prod", .heartbeat)?[.interval] == .span(TimeSpan(microseconds: 30_000_000)))
    #expect(configuration.values(of: "prod", .retry) == nil)
    #expect(configuration.values(of: "none", .retry) == nil)
    #expect(configuration.label(Channel(.ws, 1)) == "chat")
    #expect(configuration.slack == TimeSpan(microseconds: 250_000))
    #expect(configuration.machines == [.heartbeat, .stream])
  }

  @Test(
    arguments: [
      ("\"goldwire\":1,", "", "expected the key \"goldwire\""),
      ("\"goldwire\":1", "\"goldwire\":2", "expected version 1"),
      ("\"slack\"", "\"slak\"", "unknown key; expected goldwire, sets, labels, slack, machines or pools"),
      ("\"250ms\"", "250", "expected a duration"),
      ("\"chat\"", "\"\\u001b[31m\"", "without control characters"),
      ("\"chat\"", "\"\"", "without control characters"),
      ("\"stream\"", "\"secret\"", "expected \"heartbeat\", \"retry\" or \"stream\""),
      ("\"30s\"", "30", "expected"),
      ("[\"stream\",\"heartbeat\"]", "[]", "expected at least one machine"),
    ] as [(String, String, String)])
  func whatIsWrongIsNamed(_ from: String, _ to: String, _ says: String) throws {
    let text = Self.text.replacing(from, with: to)
    #expect(text != Self.text)
    do {
      _ = try Configuration(bytes: Array(text.utf8))
      Issue.record("It was read.")
    } catch {
      #expect(error.message.contains(says), "\(error)")
      #expect(!error.message.contains("secret"))
      #expect(error.line > 0 && error.column > 0)
    }
  }

  @Test func nothingThatIsReadCanTrap() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      var bytes = Array(Self.text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try? Configuration(bytes: bytes)
      _ = try? Lock(bytes: bytes)
    }
  }

  @Test func aLockComesBackAsItWas() throws {
    var lock = Lock()
    lock.entries["b/a.golden.jsonl"] = try .quick()
    lock.entries["a \"b\".golden.jsonl"] = try .of(.retry, "base=2s")
    #expect(try Lock(bytes: lock.bytes()) == lock)
    #expect(String(decoding: lock.bytes(), as: UTF8.self).split(separator: "\n")[1].contains("a \\\"b\\\""))
  }

  @Test func labelsStandInReports() throws {
    let folder = try Folder.lateClose()
    try folder.write("{\"goldwire\":1,\"labels\":{\"ws1\":\"chat\"}}", to: "goldwire.json")
    try folder.edit(TestRunTests.golden, "100ms", "101ms")
    #expect(try folder.run().text().contains("0.101s  chat (ws1)#1 ping"))
  }

  @Test func theNearestAboveCounts() throws {
    let folder = try Folder()
    try folder.write("{\"goldwire\":1,\"labels\":{\"ws1\":\"outer\"}}", to: "goldwire.json")
    try folder.write("{\"goldwire\":1,\"labels\":{\"ws1\":\"inner\"}}", to: "a/goldwire.json")
    try folder.write("", to: "a/b/x.jsonl")
    let inner = try Configuration.nearest(above: folder.path + "/a/b/x.jsonl")
    #expect(inner.label(Channel(.ws, 1)) == "inner")
    #expect(try Configuration.nearest(above: folder.path + "/c.jsonl").label(Channel(.ws, 1)) == "outer")
  }

  @Test func parametersOfEqualMeaningAreEqual() throws {
    #expect(
      try MachineParameters.of(.retry, "base=1000ms")
        == MachineParameters.of(.retry, "count=3 oldDates=true"))
    #expect(
      try MachineParameters.of(.retry, "base=2s").changes(since: .of(.retry)) == ["retry.base 1s → 2s"])
    #expect(throws: ReplayError.self) { try MachineParameters(.heartbeat, [:]) }
    #expect(throws: ReplayError.self) { try MachineParameters(.retry, [.interval: .number(1)]) }
    let odd = try MachineParameters.of(.heartbeat, "interval=1500us timeout=1s")
    #expect(throws: ReplayError.self) { try odd.heartbeat(.ms) }
    #expect(try odd.heartbeat(.us).interval == 1_500)
  }

  @Test("a set may name a preset, and values over it")
  func presets() throws {
    let text = #"{"goldwire":1,"sets":{"field":{"preset":"phoenix","heartbeat":{"timeout":"5s"}}}}"#
    let values = try Configuration(bytes: Array(text.utf8)).values(of: "field", .heartbeat)
    #expect(values?[.interval] == .span(TimeSpan(microseconds: 30_000_000)))
    #expect(values?[.timeout] == .span(TimeSpan(microseconds: 5_000_000)))
    #expect(throws: ReplayError.self) {
      try Configuration(bytes: Array(#"{"goldwire":1,"sets":{"field":{"preset":"fenix"}}}"#.utf8))
    }
  }
}
