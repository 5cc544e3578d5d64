import GoldwireReplay
import GoldwireTrace
import Testing

/// Messages that were held where no ping was.
@Suite("An unusual silence, and then more at once than usual, is an outage or a stall that no ping met")
struct LullTests {
  /// A message comes in every second or two; `from` is held for so long.
  private static func recorded(holding from: Double = 0, for length: Double = 0) -> Recorded {
    var recorded = Recorded(interval: 30, timeout: 5)
    recorded.connect(at: 0.001)
    var next = recorded.now + 1
    for number in 0..<20 {
      let ping = recorded.now + 30.001
      var held: [Double] = []
      while next < ping - 0.1 {
        let isHeld = next >= from && next < from + length
        if isHeld {
          held.append(from + length + Double(held.count) / 1_000)
        } else {
          for late in held { recorded.message(at: late, "in") }
          held = []
          recorded.message(at: next, "in")
        }
        next += 1 + Double((number + Int(next)) * 7 % 10) / 10
      }
      recorded.event(at: ping, "ws.ping dir=out id=\(recorded.count + 1)")
      recorded.event(at: ping + 0.04, "ws.pong dir=in id=\(recorded.count)")
      recorded.rest(until: ping + 0.04)
      next = max(next, ping + 0.2)
    }
    return recorded
  }

  @Test func whereNothingWasHeldAShorterIntervalIsBorne() throws {
    #expect(try Self.recorded().asked("interval=25s").verdict == .same)
  }

  @Test func aPingInALullMayHaveWaitedToo() throws {
    // The recorded pings were at 30.1 s and 60.1 s; one every 12 s falls into what was held from 34 s to 50 s.
    let causal = try Self.recorded(holding: 34, for: 16).asked("interval=12s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("and then more at once than usual"))
  }

  @Test func whatIsShorterThanTheTimeoutClosesNothing() throws {
    #expect(try Self.recorded(holding: 34, for: 3.5).asked("interval=25s").verdict == .same)
  }
}
