import Foundation
import GoldwireReport
import GoldwireTrace
import Testing

/// Time lines are held by drawings in Tests/Drawings; run with GOLDWIRE_RECORD=1 to draw them anew, and look at them.
@Suite struct TimeLineTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Drawings")

  struct Drawing: CustomTestStringConvertible {
    var name: String
    var lines: [TraceLine]
    var width: Int
    var theme = Theme()
    var isFolding = true
    var testDescription: String { name }
  }

  @Test(arguments: [
    Drawing(name: "late-reset.100", lines: Sample.lateReset, width: 100),
    Drawing(name: "late-reset.72", lines: Sample.lateReset, width: 72),
    Drawing(name: "late-reset.ascii", lines: Sample.lateReset, width: 100, theme: Theme(glyphs: .ascii)),
    Drawing(name: "late-reset.all", lines: Sample.lateReset, width: 100, isFolding: false),
    Drawing(name: "late-reset.color", lines: Sample.lateReset, width: 100, theme: Theme(hasColor: true)),
    Drawing(name: "requests.100", lines: Sample.requests, width: 100),
    Drawing(name: "requests.72", lines: Sample.requests, width: 72),
    Drawing(name: "rare.120", lines: Sample.rare, width: 120),
  ])
  func looksAsItDid(_ drawing: Drawing) throws {
    let text = Self.draw(drawing).joined(separator: "\n") + "\n"
    let file = Self.folder.appending(path: drawing.name + ".txt")
    if ProcessInfo.processInfo.environment["GOLDWIRE_RECORD"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  @Test(arguments: [72, 87, 88, 100, 140]) func noRowIsWiderThanTheTerminal(_ width: Int) {
    for lines in [Sample.lateReset, Sample.requests, Sample.rare] {
      for row in Self.draw(Drawing(name: "", lines: lines, width: width)) {
        #expect(row.count <= width, "\(row)")
      }
    }
  }

  @Test func asciiIsASCII() {
    for lines in [Sample.lateReset, Sample.requests, Sample.rare] {
      let rows = Self.draw(Drawing(name: "", lines: lines, width: 100, theme: Theme(glyphs: .ascii)))
      #expect(rows.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }
  }

  @Test func colourChangesNothingElse() {
    let plain = Self.draw(Drawing(name: "", lines: Sample.lateReset, width: 100))
    let painted = Self.draw(
      Drawing(name: "", lines: Sample.lateReset, width: 100, theme: Theme(hasColor: true)))
    #expect(painted != plain)
    #expect(painted.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
  }

  @Test func aFoldKeepsItsSums() {
    // A thousand answered pings: three lines, the fold, and two lines, whatever the number.
    let pings = (1...1_000).flatMap { beat in
      [
        Sample.ws(beat * 1_000, 1, .wsPing(dir: .out, id: beat, bytes: 4)),
        Sample.ws(beat * 1_000 + beat, 1, .wsPong(dir: .in, id: beat, bytes: 4)),
      ]
    }
    var timeLine = TimeLine(unit: .us, width: 100)
    // The first line of a trace that begins in the middle is no run's beginning, so the lane is begun before.
    _ = timeLine.rows(Sample.ws(0, 1, .wsConnect))
    #expect(pings.allSatisfy { timeLine.rows($0).isEmpty })
    let rows = timeLine.finish()
    #expect(rows.count == 6)
    #expect(rows[3].hasSuffix("1995 more lines: 998 pings answered after 2us to 999us"), "\(rows[3])")
  }

  @Test func aRunThatIsShortIsDrawnWhole() {
    var timeLine = TimeLine(unit: .ms, width: 100)
    let count = 5 + TimeLine.leastFold
    for t in 0..<count { #expect(timeLine.rows(Sample.ws(t, 1, .recTick)).isEmpty) }
    #expect(timeLine.finish().count == count)
  }

  @Test func aStreamedLineComesAtOnce() {
    var timeLine = TimeLine(unit: .us, width: 100, isFolding: false)
    for line in Sample.lateReset { #expect(!timeLine.rows(line).isEmpty) }
    #expect(timeLine.finish().isEmpty)
  }

  private static func draw(_ drawing: Drawing) -> [String] {
    var timeLine = TimeLine(
      unit: .us, width: drawing.width, theme: drawing.theme, isFolding: drawing.isFolding)
    var rows = timeLine.titles()
    for line in drawing.lines { rows += timeLine.rows(line) }
    return rows + timeLine.finish() + timeLine.summary.rows(drawing.theme, width: drawing.width)
  }
}
