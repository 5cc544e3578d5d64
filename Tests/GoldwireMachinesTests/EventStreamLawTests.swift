import GoldwireMachines
import GoldwireProtocols
import GoldwireTestSupport
import Testing

@Suite struct EventStreamLawTests {
  private func machine() throws -> EventStream {
    EventStream(try .init(unit: .milliseconds, failures: 1_000))
  }

  @Test(arguments: 0..<400 as Range<UInt64>)
  func `The laws hold, and a plain copy acts the same`(seed: UInt64) throws {
    let laws = EventStreamLaws(try machine(), seed: seed)
    #expect(laws.broken == [])
    let copied = EventStreamLaws(CopiedEventStream(nil), seed: seed)
    #expect(copied.broken == [])
    #expect(copied.actions == laws.actions)
  }

  @Test(arguments: CopiedEventStream.Flaw.allCases)
  func `Every flaw is caught`(flaw: CopiedEventStream.Flaw) {
    let broken = (0..<400 as Range<UInt64>).map {
      EventStreamLaws(CopiedEventStream(flaw), seed: $0).broken
    }
    #expect(broken.contains { !$0.isEmpty })
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `Nothing traps at the ends of the clock`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let edges = [Int.min, .min + 1, -1, 0, 1, 2, 3, .max - 1, .max]
    func edge() -> Int { edges.randomElement(using: &random) ?? 0 }
    for _ in 0..<10 {
      var machine = EventStream(
        try .init(
          unit: .microseconds, delay: .max, most: .max, idle: Bool.random(using: &random) ? .max : 1,
          dedup: Bool.random(using: &random) ? .id : .idAndContent, window: 1, retryStatuses: true))
      for _ in 0..<60 {
        let here = Bool.random(using: &random) ? machine.generation : edge()
        let answer = Answer(
          status: [200, 503, edge()].randomElement(using: &random) ?? 200,
          retryAfter: .date(edge(), .imf), date: edge(), unit: edge())
        let events: [EventStream.Event] = [
          .connect(edge(), cursor: edge()), .connect(machine.generation / 2 + 1, cursor: 0),
          .answered(here, answer, isEventStream: true), .answered(here, answer, isEventStream: true),
          .event(here, .init(n: edge(), id: edge(), revision: edge())), .event(here, .init(n: edge())),
          .id(here, edge()), .comment(here), .retry(here, milliseconds: edge()),
          .handled(here, n: edge(), succeeded: Bool.random(using: &random)), .cut(here),
        ]
        if let event = events.randomElement(using: &random) { machine.handle(event, at: edge()) { _ in } }
        machine.tick(at: edge()) { _ in }
      }
    }
  }
}
