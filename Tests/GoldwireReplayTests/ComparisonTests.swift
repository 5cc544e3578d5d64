import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Comparing a golden with a replay") struct ComparisonTests {
  static let channel = Channel(.ws, 1)

  static func ping(_ t: Int, _ generation: Int = 1) -> GoldenLine {
    GoldenLine(.ping, t: t, channel: channel, generation: generation)
  }

  static func close(_ t: Int, _ why: ActionWord = "pongTimeout") -> GoldenLine {
    GoldenLine(.close, t: t, channel: channel, generation: 1, why: why)
  }

  static let golden = [ping(100), ping(200), close(1_200), GoldenLine(.end, t: 2_000)]

  @Test func equalActionsAreTheSame() {
    let comparison = Comparison(want: Self.golden, got: Self.golden)
    #expect(comparison.verdict == .same)
    #expect(comparison.first == nil)
  }

  @Test func otherInstantsAreAShift() {
    var got = Self.golden
    for index in 0..<3 { got[index].t += 1 }
    let comparison = Comparison(want: Self.golden, got: got)
    #expect(comparison.verdict == .shifted)
    #expect(comparison.count(of: .shifted) == 3)
    #expect(comparison.first == 0)
  }

  @Test func anotherWaitIsAShiftToo() {
    let wait = GoldenLine(.wait, t: 1, channel: Channel(.http, 1), req: 1, attempt: 2, wait: 500)
    var longer = wait
    longer.wait = 700
    #expect(Comparison(want: [wait], got: [longer]).verdict == .shifted)
    longer.attempt = 3
    #expect(Comparison(want: [wait], got: [longer]).verdict == .changed)
  }

  @Test func anActionMoreOrLessIsAChange() {
    var got = Self.golden
    got.insert(Self.ping(150), at: 1)
    let more = Comparison(want: Self.golden, got: got)
    #expect(more.verdict == .changed)
    #expect(more.pairs.filter { $0.want == nil }.count == 1)
    let less = Comparison(want: got, got: Self.golden)
    #expect(less.verdict == .changed)
    #expect(less.pairs.filter { $0.got == nil }.count == 1)
  }

  @Test func anotherEndIsAnOutcome() {
    var got = Self.golden
    got[2] = Self.close(1_200, "staleOnResume")
    #expect(Comparison(want: Self.golden, got: got).verdict == .outcome)
    got.remove(at: 2)
    #expect(Comparison(want: Self.golden, got: got).verdict == .outcome)
    got.removeLast()
    #expect(Comparison(want: Self.golden, got: got).verdict == .outcome)
  }

  @Test func aLowerGradeIsAnOutcomeAndAHigherOneAChange() {
    var (firm, weak) = (Self.ping(1), Self.ping(1))
    firm.grade = .bounded
    weak.grade = .unidentified
    #expect(Comparison(want: [firm], got: [weak]).verdict == .outcome)
    #expect(Comparison(want: [weak], got: [firm]).verdict == .changed)
  }

  @Test func channelsAreAlignedEachForItself() {
    let other = GoldenLine(.ping, t: 150, channel: Channel(.ws, 2), generation: 1)
    let comparison = Comparison(want: [Self.ping(100), other], got: [other, Self.ping(300)])
    #expect(comparison.verdict == .shifted)
    #expect(comparison.count(of: .same) == 1)
  }

  @Test func aLongRunIsComparedInLittleTime() {
    let want = (0..<200_000).map { Self.ping($0 * 10) }
    var got = (0..<240_000).map { Self.ping($0 * 8) }
    got[100_000].generation = 2
    #expect(Comparison(want: want, got: got).verdict == .changed)
  }

  @Test func outcomesKeepTheRunsOfPingsAsOneLine() {
    let lines =
      (1...3).map { Self.ping($0 * 100) } + [Self.close(1_300)] + [Self.ping(2_000, 2), Self.ping(2_100, 3)]
      + [GoldenLine(.note, t: 2_200, channel: Self.channel)]
    let condensed = lines.map { ReplayedAction($0, cause: nil) }.condensed().map(\.line)
    #expect(
      condensed.map(\.short) == [
        "100 ws1#1 ping n=3", "1300 ws1#1 close pongTimeout", "2000 ws1#2 ping n=1", "2100 ws1#3 ping n=1",
      ])
  }
}
