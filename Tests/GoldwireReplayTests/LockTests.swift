import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("What goldwire.lock keeps") struct LockTests {
  static let first = "late-close.heartbeat.a.golden.jsonl"
  static let second = "late-close.heartbeat.b.golden.jsonl"

  /// A folder with two goldens of one machine over one trace, both known to the lock.
  static func variants() throws -> Folder {
    let folder = try Folder()
    try folder.write("{\"goldwire\":1}", to: "goldwire.json")
    try folder.write(OrderTests.late.text, to: "late-close.jsonl")
    for name in [first, second] { try folder.write(GoldenTests.text, to: name) }
    _ = try folder.run(update: .actions)
    return folder
  }

  @Test func aVariantThatIsGoneIsMissed() throws {
    let folder = try Self.variants()
    try folder.remove(Self.first)
    for run in [try folder.run(), try folder.run("late-close.jsonl")] {
      #expect(run.results.map(\.verdict) == [.same, .missing])
      #expect(run.results.last?.golden == folder.path + "/" + Self.first)
      #expect(run.status == .differs)
      #expect(run.text().contains("goldwire.lock knows this golden, and it is gone"))
      #expect(run.text().contains("goldwire test --update \(folder.path)/\(Self.first)"))
    }
    // An update of other goldens does not make the lock forget it.
    #expect(try folder.run(update: .actions).status == .differs)
    #expect(try folder.run(Self.second, update: .actions).status == .expected)
    #expect(try folder.run().status == .differs)
  }

  @Test(arguments: [true, false])
  func thatItIsGoneCanBeAccepted(byPath: Bool) throws {
    let folder = try Self.variants()
    try folder.remove(Self.first)
    let run = byPath ? try folder.run(Self.first, update: .actions) : try folder.run(update: .outcomes)
    #expect(run.status == .expected)
    #expect(run.text().contains("FORGOTTEN \(folder.path)/\(Self.first)\n"))
    #expect(try folder.run().status == .expected)
    #expect(try !folder.read("goldwire.lock").contains(Self.first))
    #expect(try folder.run(Self.first).status == .failed)
  }

  @Test func itCanBeMadeAgainWithTheValuesOfLastTime() throws {
    let folder = try Self.variants()
    let before = try folder.read("goldwire.lock")
    try folder.remove(Self.first)
    #expect(try folder.run(recordsMissing: true).status == .expected)
    #expect(
      try folder.read(Self.first).split(separator: "\n").dropFirst()
        == GoldenTests.text.split(separator: "\n").dropFirst())
    #expect(try folder.read("goldwire.lock") == before)
    #expect(try folder.run().results.map(\.verdict) == [.same, .same])
  }

  @Test func theLastGoldenOfAMachineIsMissedOnce() throws {
    let folder = try Folder.lateClose()
    try folder.write("{\"goldwire\":1}", to: "goldwire.json")
    _ = try folder.run(update: .actions)
    try folder.remove(TestRunTests.golden)
    #expect(try folder.run().results.map(\.verdict) == [.missing])
    #expect(try folder.run("../\(folder.path.split(separator: "/").last ?? "")").results.count == 1)
  }

  @Test func aScenarioThatIsGoneIsForgottenAloud() throws {
    let folder = try Self.variants()
    try folder.write(OrderTests.late.text, to: "other/late-close.jsonl")
    try folder.write(GoldenTests.text, to: "other/" + Self.first)
    for name in [Self.first, Self.second, "late-close.jsonl"] { try folder.remove(name) }
    #expect(try folder.run().warnings == [])
    let run = try folder.run(update: .actions)
    #expect(run.status == .expected)
    #expect(run.warnings.count == 2)
    #expect(
      run.warnings[0].hasSuffix("goldwire.lock: no more knows \(Self.first), since its trace is gone too"))
  }

  struct Bad: CustomTestStringConvertible {
    var lock: String
    var says: String
    var testDescription: String { says }
  }

  static let bad: [Bad] = [
    Bad(lock: "", says: "1:1: expected"),
    Bad(lock: "garbage\n", says: "1:1: expected"),
    Bad(lock: "\u{1}\u{2}\n{\"goldwire\":1}\n", says: "1:1: expected"),
    Bad(lock: "{}\n", says: "1:1: expected the key \"goldwire\""),
    Bad(lock: "{\"goldwire\":2}\n", says: "1:13: expected version 1 of a lock; a newer goldwire"),
    Bad(lock: "{\"goldwire\":1}\n[]\n", says: "2:1: expected the keys"),
    Bad(
      lock: "{\"goldwire\":1}\n\n{\"golden\":\"a\",\"machine\":\"b\",\"parameters\":{}}",
      says: "3:25: expected"),
    Bad(
      lock: "{\"goldwire\":1}\n{\"golden\":\"a\",\"machine\":\"heartbeat\",\"parameters\":{}}",
      says: "2:50: heartbeat.interval is not given"),
    Bad(lock: "{\"goldwire\":1}\n=======\n", says: "2:1: has a merge conflict"),
  ]

  @Test("what is no lock is one error with its place and a remedy", arguments: bad)
  func garbage(bad: Bad) throws {
    let folder = try Self.variants()
    try folder.write(bad.lock, to: "goldwire.lock")
    let run = try folder.run()
    #expect(run.status == .failed)
    let errors = run.results.filter { $0.verdict == .error }
    #expect(errors.count == 1)
    let message = errors.first?.explanation.first ?? ""
    #expect(message.contains("/goldwire.lock:\(bad.says)"), "\(message)")
    #expect(message.contains("goldwire test --update") || message.contains("then update"))
    // The goldens are looked at all the same, but nothing is written beside a lock that is not understood.
    #expect(run.results.count { $0.verdict == .same } == 2)
    let update = try folder.run(update: .outcomes)
    #expect(update.status == .failed)
    #expect(update.results.count == 1)
    #expect(try folder.read("goldwire.lock") == bad.lock)
    try folder.remove("goldwire.lock")
    #expect(try folder.run(update: .actions).status == .expected)
  }
}
