import Testing

@testable import GoldwireServer

/// When bytes come through a bad network.
@Suite struct HoldRuleTests {
  @Test func aHoleIsLeftAtTheFirstRetransmissionAfterIt() {
    var hole = NetworkFault()
    (hole.from, hole.until, hole.isHole, hole.rto) = (1_000, 5_000, true, 200)
    var rule = HoldRule([hole], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    #expect(rule.release(at: 999) == 999)
    // 1,100 + 200 · (2^k − 1): 1,300, 1,700, 2,500, 4,100, 7,300.
    #expect(rule.release(at: 1_100) == 7_300)
    // What was sent behind it comes with it, also after the hole.
    #expect(rule.release(at: 1_200) == 7_300)
    #expect(rule.release(at: 6_000) == 7_300)
    #expect(rule.release(at: 7_301) == 7_301)
  }

  @Test func aRetransmissionAtTheVeryEndPasses() {
    var hole = NetworkFault()
    (hole.until, hole.isHole, hole.rto) = (3_100, true, 100)
    var rule = HoldRule([hole], isOut: false, random: ScriptRandom(seed: 1, stream: 0))
    #expect(rule.release(at: 0) == 3_100)
    var earlier = HoldRule([hole], isOut: false, random: ScriptRandom(seed: 1, stream: 0))
    #expect(earlier.release(at: 1_600) == 3_100)
  }

  @Test func aRetransmissionIntoAnotherHoleIsLostToo() {
    var first = NetworkFault()
    (first.until, first.isHole, first.rto) = (250, true, 100)
    var second = first
    (second.from, second.until) = (300, 400)
    var rule = HoldRule([first, second], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    #expect(rule.release(at: 0) == 700)
  }

  @Test func onlyTheWayThatIsNamedIsBad() {
    var hole = NetworkFault()
    (hole.way, hole.isHole) = (.in, true)
    var out = HoldRule([hole], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    var back = HoldRule([hole], isOut: false, random: ScriptRandom(seed: 1, stream: 0))
    #expect(out.release(at: 5) == 5)
    #expect(back.release(at: 5) == nil)
    #expect(back.release(at: 50) == nil)
  }

  @Test func jitterIsTheSeedsAndNothingOvertakes() {
    var slow = NetworkFault()
    slow.delay = Delay(base: 100, jitter: 50)
    func instants(_ seed: UInt64) -> [Int?] {
      var rule = HoldRule([slow], isOut: true, random: ScriptRandom(seed: seed, stream: 3))
      return (0..<50).map { rule.release(at: $0 * 10) }
    }
    #expect(instants(7) == instants(7))
    #expect(instants(7) != instants(8))
    let found = instants(7).compactMap(\.self)
    #expect(found == found.sorted())
    #expect(zip(found, 0...).allSatisfy { $0 >= $1 * 10 + 100 && $0 <= $1 * 10 + 150 || $0 <= 50 * 10 + 150 })
  }

  @Test func whatComesFirstHasATimeoutOfItsOwn() {
    var hole = NetworkFault()
    (hole.until, hole.isHole, hole.rto, hole.firstRTO) = (1_300, true, 200, 1_000)
    var fresh = HoldRule([hole], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    // In place of 1,400, the first of 200 · (2^k − 1) that is behind the hole.
    #expect(fresh.release(at: 0) == 3_000)
    (hole.from, hole.until) = (100, 2_600)
    var used = HoldRule([hole], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    #expect(used.release(at: 0) == 0)
    // 100 + 200 · (2^k − 1): 300, 700, 1,500, 3,100.
    #expect(used.release(at: 100) == 3_100)
  }

  @Test func whatIsSentAgainIsDelayedFromThen() {
    var (hole, slow) = (NetworkFault(), NetworkFault())
    (hole.until, hole.isHole, hole.rto) = (650, true, 100)
    (slow.from, slow.delay) = (600, Delay(base: 30))
    var rule = HoldRule([hole, slow], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    #expect(rule.release(at: 0) == 730)
  }

  @Test func nothingTrapsAtTheEndOfTime() {
    var hole = NetworkFault()
    (hole.isHole, hole.rto, hole.until) = (true, .max, .max)
    var rule = HoldRule([hole.shifted(by: .max)], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    _ = rule.release(at: .max)
    var other = HoldRule([hole], isOut: true, random: ScriptRandom(seed: 1, stream: 0))
    #expect(other.release(at: .max - 1) == nil)
  }
}
