import GoldwireMachines
import GoldwireProtocols
import GoldwireTestSupport
import Testing

@Suite struct RetryLawTests {
  @Test(arguments: 0..<400 as Range<UInt64>)
  func `The laws hold, and a plain copy acts the same`(seed: UInt64) {
    let laws = RetryLaws(Retry(.standard(.milliseconds)), seed: seed)
    #expect(laws.broken == [])
    let copied = RetryLaws(CopiedRetry(nil), seed: seed)
    #expect(copied.broken == [])
    #expect(copied.actions == laws.actions)
  }

  @Test(arguments: CopiedRetry.Flaw.allCases)
  func `Every flaw is caught`(flaw: CopiedRetry.Flaw) {
    let broken = (0..<400 as Range<UInt64>).map { RetryLaws(CopiedRetry(flaw), seed: $0).broken }
    #expect(broken.contains { !$0.isEmpty })
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `Nothing traps at the ends of the clock`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let edges = [Int.min, .min + 1, -1, 0, 1, 503, .max - 1, .max]
    func edge() -> Int { edges.randomElement(using: &random) ?? 0 }
    for _ in 0..<20 {
      var machine = Retry(
        try .init(
          unit: TimeUnit.allCases.randomElement(using: &random) ?? .milliseconds,
          factor: [1, 2, 1e300].randomElement(using: &random) ?? 1, count: 1_000, transport: true))
      for _ in 0..<20 {
        let answer = Answer(
          status: Bool.random(using: &random) ? 503 : edge(),
          retryAfter: [
            .absent, .seconds(.max), .seconds(1), .date(edge(), .imf), .invalid(.over),
          ].randomElement(using: &random) ?? .absent,
          date: Bool.random(using: &random) ? edge() : nil,
          age: Bool.random(using: &random) ? edge() : nil,
          wall: Bool.random(using: &random) ? edge() : nil, unit: edge())
        let events: [Retry.Event] = [
          .session(edge()), .start(.init(method: "GET")),
          .resume(.init(method: "GET"), attempt: edge(), until: edge()),
          .answered(machine.attempt, answer), .answered(edge(), answer), .hop(edge()),
          .failed(machine.attempt, .init(.reset, unit: edge())), .changed(edge()),
        ]
        let now = edge()
        if let event = events.randomElement(using: &random) { machine.handle(event, at: now) { _ in } }
        machine.tick(at: edge()) { _ in }
      }
    }
  }
}
