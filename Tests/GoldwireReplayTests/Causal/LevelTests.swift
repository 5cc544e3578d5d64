import GoldwireReplay
import GoldwireTrace
import Testing

/// Slow replies: which show the path, and which may have waited for something to end.
@Suite("A step of the path is a level that is kept; all else is a late reply")
struct LevelTests {
  private static func recorded(_ trips: [Double], timeout: Double = 10) -> Recorded {
    var recorded = Recorded(timeout: timeout)
    recorded.connect(at: 0.001)
    recorded.pings(6)
    for trip in trips { recorded.pings(1, trip: trip) }
    recorded.pings(10)
    return recorded
  }

  /// Between 40 and 640 ms, ever other ones.
  private static func jitter(_ number: Int) -> Double { 0.04 + Double(number * 211 % 600) / 1_000 }

  @Test("Two of them side by side may be two stalls", arguments: [[8, 8], [3, 8], [8, 3], [8, 7, 6]])
  func sideBySide(_ trips: [Double]) throws {
    let recorded = Self.recorded(trips)
    let longer = try recorded.asked("timeout=9s interval=25s")
    #expect(longer.verdict == .inconclusive)
    #expect(longer.told.contains("far later than its neighbours"))
    // A stall's end answers a ping at another instant sooner.
    #expect(try recorded.asked("timeout=7s interval=25s").verdict == .inconclusive)
    // Of the same pings it is known.
    #expect(try recorded.asked("timeout=9s").verdict == .same)
    #expect(try recorded.asked("timeout=7s").verdict == .regression)
  }

  @Test(
    "A level that is kept is the path's", arguments: [[1.5, 1.52, 1.49], [0.35, 0.36], [0.5, 0.5, 0.5]])
  func keptLevel(_ trips: [Double]) throws {
    #expect(try Self.recorded(trips).asked("interval=25s").verdict == .same)
  }

  @Test func jitterIsNoLateReply() throws {
    #expect(try Self.recorded((0..<40).map(Self.jitter)).asked("interval=25s").verdict == .same)
  }

  @Test func oneLateReplyAmongJitterIsLate() throws {
    let trips = (0..<20).map(Self.jitter) + [4] + (20..<40).map(Self.jitter)
    let causal = try Self.recorded(trips).asked("interval=25s")
    #expect(causal.verdict == .inconclusive)
    #expect(causal.told.contains("a reply came after 4s"))
  }
}

/// Replies that come close to the deadline.
@Suite("Whether a reply is in time that comes as close to the deadline as round trips differ, nobody knows")
struct MarginTests {
  private static func recorded(_ trip: Double) -> Recorded {
    var recorded = Recorded()
    recorded.connect(at: 0.001, trip: trip)
    recorded.pings(20, trip: trip)
    return recorded
  }

  @Test func aMillisecondIsNoMargin() throws {
    let asked = try Self.recorded(4.95).asked("timeout=4951ms interval=25s")
    #expect(asked.verdict == .inconclusive)
    #expect(asked.told.contains("replies come within 1ms of the deadline"))
    #expect(try Self.recorded(4.95).asked("timeout=6s interval=25s").verdict == .same)
  }

  @Test func norIsItOneOnTheOtherSide() throws {
    let asked = try Self.recorded(4.95).asked("timeout=4900ms interval=25s")
    #expect(asked.verdict == .inconclusive)
    #expect(asked.told.contains("replies come within 50ms of the deadline"))
    #expect(try Self.recorded(4.95).asked("timeout=4s interval=25s").verdict == .regression)
  }

  @Test func whatIsRecordedNeedsNoMargin() throws {
    let asked = try Self.recorded(4.95).asked("timeout=4951ms")
    #expect(asked.verdict == .same)
    #expect(asked.grades == [.observed])
    // And nothing hides.
    #expect(!asked.told.contains("could hide"))
    #expect(!asked.told.contains("are proved"))
  }

  @Test func jitterAsksForMore() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    for number in 0..<40 { recorded.pings(1, trip: number % 2 == 0 ? 0.3 : 0.9) }
    #expect(try recorded.asked("timeout=1400ms interval=25s").verdict == .inconclusive)
    #expect(try recorded.asked("timeout=1400ms").verdict == .same)
    #expect(try recorded.asked("timeout=6s interval=25s").verdict == .same)
  }

  @Test func theSlowestRoundTripLeavesTheLeast() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(6)
    recorded.pings(4, trip: 4.95)
    recorded.pings(6)
    let told = try recorded.asked("timeout=9s interval=25s").told
    #expect(told.contains("shorter than TCP may take to send again where round trips take 4.95s"))
    #expect(!told.contains("could hide"))
  }
}
