import GoldwireMachines
import GoldwireTestSupport
import Testing

@Suite struct HeartbeatLawTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `The laws hold, and a plain copy acts the same`(seed: UInt64) {
    let laws = HeartbeatLaws(
      Heartbeat(interval: 10, timeout: 6), interval: 10, timeout: 6, seed: seed)
    #expect(laws.broken == [])
    let copied = HeartbeatLaws(
      CopiedHeartbeat(nil, interval: 10, timeout: 6), interval: 10, timeout: 6, seed: seed)
    #expect(copied.broken == [])
    #expect(copied.actions == laws.actions)
  }

  @Test func `The runs reach pings, closes and ends`() {
    let actions = (0..<300 as Range<UInt64>).flatMap {
      HeartbeatLaws(Heartbeat(interval: 10, timeout: 6), interval: 10, timeout: 6, seed: $0).actions
    }
    for wanted in [Heartbeat.Action.ping(1), .close(1), .ended(1)] {
      #expect(actions.contains { $0.action == wanted })
    }
  }

  @Test(arguments: CopiedHeartbeat.Flaw.allCases)
  func `Every flaw is caught`(flaw: CopiedHeartbeat.Flaw) {
    let broken = (0..<300 as Range<UInt64>).map {
      HeartbeatLaws(
        CopiedHeartbeat(flaw, interval: 10, timeout: 6), interval: 10, timeout: 6, seed: $0
      ).broken
    }
    #expect(broken.contains { !$0.isEmpty })
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `Nothing traps at the ends of the clock`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let edges = [Int.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let spans = [1, 2, .max - 1, .max]
    func edge() -> Int { edges.randomElement(using: &random) ?? 0 }
    func span() -> Int { spans.randomElement(using: &random) ?? 1 }
    var machine = Heartbeat(
      try .init(
        interval: span(), timeout: span(), connectTimeout: Bool.random(using: &random) ? span() : nil,
        policy: Heartbeat.Policy.allCases.randomElement(using: &random) ?? .pongOnly,
        cadence: Heartbeat.Cadence.allCases.randomElement(using: &random) ?? .afterPong))
    for _ in 0..<200 {
      let id = Bool.random(using: &random) ? machine.generation : edge()
      let events: [Heartbeat.Event] = [
        .connect(id), .connect(machine.generation / 2 + 1), .resume(id, pingID: edge()), .opened(id),
        .pong(id, id: nil), .pong(id, id: edge()), .pinged(id, id: edge(), .ok), .inbound(id),
        .ended(id, .reset, code: edge()), .userClose(id), .background, .foreground,
        .network(available: true),
      ]
      var count = 0
      let now = edge()
      if let event = events.randomElement(using: &random) {
        machine.handle(event, at: now) { _ in count += 1 }
      }
      #expect(count <= 1)
      machine.tick(at: now) { _ in }
    }
  }
}
