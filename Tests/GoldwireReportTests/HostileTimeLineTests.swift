import GoldwireReplay
import GoldwireReport
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Whatever a trace says, in whatever order, it is drawn, within the width and without a trap.
@Suite struct HostileTimeLineTests {
  private static let largest = TraceLimits.number

  /// Lines of every kind, and some with the largest numbers that a trace can hold.
  private static let events: [TraceEvent] =
    (Sample.lateReset + Sample.requests + Sample.rare).map(\.event) + [
      .httpWait(req: largest, try: largest, for: largest, unit: 1_000_000),
      .httpResponse(
        HTTPResponse(req: 1, attempt: largest, status: 599, retry: RetryFields(.after(1 << 31)), sse: largest)
      ),
      .wsMessage(WSMessage(dir: .in, kind: .text, bytes: largest)),
      .wsPing(dir: .out, id: largest, bytes: largest), .wsPong(dir: .in, id: largest, bytes: 0),
      .recPause(for: largest, slept: largest), .recWall(step: -largest), .recWall(step: largest),
      .recDrop(count: largest), .recGap(Gap(bytes: largest, packets: largest, events: largest, why: .limit)),
      .sseEvent(n: largest, id: largest, rev: largest, bytes: largest), .sseRetry(ms: 1 << 31),
      .sseCut(cause: .error, dir: .in, partial: largest), .recNote(.protocol, rule: RuleName(rfc: 0, 0)),
    ]

  @Test(arguments: 1...40) func anyOrderOfAnyLinesIsDrawn(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let unit = Unit.allCases.randomElement(using: &random) ?? .us
    let width = [72, 80, 100, 137][Int(seed % 4)]
    var timeLine = TimeLine(unit: unit, width: width, isFolding: seed % 8 < 4)
    var list = EntryList(unit: unit)
    var t = 0
    for _ in 0..<400 {
      t = min(
        Self.largest, t + Int.random(in: 0...(1 << Int.random(in: 0...52, using: &random)), using: &random))
      let family = Channel.Family.allCases.randomElement(using: &random) ?? .ws
      let isSmall = Bool.random(using: &random)
      let number = Int.random(in: 1...(isSmall ? 3 : Self.largest), using: &random)
      var line = TraceLine(t: t, event: Self.events.randomElement(using: &random) ?? .recTick)
      if Int.random(in: 0..<8, using: &random) > 0 {
        line.channel = Channel(family, number)
        line.generation = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil
      }
      for row in timeLine.rows(line) {
        #expect(!row.contains("\n"))
        #expect(row.count <= width)
      }
      #expect(list.line(line).last == 0x0A)
    }
    let rest = timeLine.finish() + timeLine.titles() + timeLine.summary.rows(Theme(), width: width)
    #expect(rest.allSatisfy { $0.count <= width })
    #expect(list.totals().count > 20)
  }

  @Test(
    "twelve lanes, hours, days and a machine beside them stay within the width",
    arguments: [72, 80, 87, 88, 100])
  func manyLanes(_ width: Int) {
    let hour = 3_600_000
    for day in [0, 200 * hour, 2_000 * hour, 1 << 50] {
      var timeLine = TimeLine(unit: .ms, width: width, isFolding: false)
      var rows = timeLine.titles()
      for number in 1...14 {
        for event in [TraceEvent.wsConnect, .wsPing(dir: .out, id: 123_456, bytes: 4)] {
          let line = TraceLine(
            t: day + number * hour, channel: Channel(.ws, number), generation: 1_000 * number, event: event)
          rows += timeLine.rows(line)
        }
      }
      for event in [TraceEvent.recPause(for: hour, slept: 5), .appForeground, .recPause(for: 1, slept: nil)] {
        rows += timeLine.rows(TraceLine(t: day + 15 * hour, event: event))
      }
      rows += timeLine.rows(
        GoldenLine(
          .close, t: day + 16 * hour, channel: Channel(.ws, 14), generation: 1_000, why: "pongTimeout"))
      rows += timeLine.finish() + timeLine.titles() + timeLine.summary.rows(Theme(), width: width)
      #expect(rows.allSatisfy { $0.count <= width })
      #expect(rows.count > 30)
    }
  }

  @Test func memoryOfQuestionsIsBounded() {
    var story = Story(unit: .us)
    for ping in 0..<Story.limit * 3 {
      _ = story.tell(Sample.ws(ping, 1 + ping % 7_000, .wsPing(dir: .out, id: ping, bytes: nil)))
    }
    #expect(story.tell(Sample.ws(20_000_000, 1, .wsPong(dir: .in, id: 1, bytes: nil))).after == nil)
    #expect(story.lanes.liveCount <= Lanes.limit)
  }
}
