import Testing
import ValidationSimulator

@testable import ValidationReal

/// When a packet arrives, by a script.
@Suite struct PathRuleTests {
  private static var faults: FaultScript {
    var faults = FaultScript(.calm, seed: 1, .none, interval: 2_000_000, timeout: 1_000_000)
    (faults.delay, faults.jitter, faults.loss) = (30_000, 0, 0)
    return faults
  }

  @Test func aHoleLosesItsWayAlone() throws {
    var script = FaultScript(.holesUp, seed: 2, .none, interval: 2_000_000, timeout: 1_000_000)
    script.jitter = 0
    let hole = try #require(script.holes.first)
    var rule = PathRule(script, seed: 1)
    #expect(rule.arrival(isUp: true, at: hole.span.lowerBound) == nil)
    #expect(rule.arrival(isUp: false, at: hole.span.lowerBound) == hole.span.lowerBound + script.delay)
    #expect(rule.arrival(isUp: true, at: hole.span.upperBound) == hole.span.upperBound + script.delay)
  }

  @Test func noneOvertakesAnother() {
    var script = Self.faults
    script.jitter = 20_000
    var rule = PathRule(script, seed: 3)
    var last = 0
    for sent in stride(from: 0, to: 1_000_000, by: 1_000) {
      guard let arrival = rule.arrival(isUp: true, at: sent) else { continue }
      #expect(arrival > last)
      #expect(arrival >= sent + 30_000)
      last = arrival
    }
  }

  @Test func lossesAreAsManyAsTheScriptSays() {
    var script = Self.faults
    script.loss = 100
    var rule = PathRule(script, seed: 4)
    let lost = (0..<10_000).count { rule.arrival(isUp: true, at: $0 * 100) == nil }
    #expect((900...1_100).contains(lost))
  }
}
