import GoldwireReport
import GoldwireTrace
import Testing

@Suite struct TimeLineTests {
  @Test func looks() {
    for (lines, width) in [(Sample.lateReset, 100), (Sample.requests, 100), (Sample.lateReset, 72)] {
      var timeLine = TimeLine(unit: .us, width: width)
      var rows = timeLine.titles()
      for line in lines { rows += timeLine.rows(line) }
      rows += timeLine.finish() + timeLine.summary.rows(Theme(), width: width)
      print(rows.joined(separator: "\n"))
    }
  }
}
