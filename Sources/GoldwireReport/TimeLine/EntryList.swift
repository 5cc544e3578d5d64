package import GoldwireReplay
package import GoldwireTrace

/// A time line as JSON Lines: each line of the trace with what the time line says of it, then the sums.
package struct EntryList {
  private var story: Story
  private var summary: Summary

  /// Begins a list in a trace's unit.
  package init(unit: Unit) {
    story = Story(unit: unit)
    summary = Summary(unit: unit)
  }

  /// The object of a line: its own keys, then `side`, `text`, `after` and `late` where they hold.
  package mutating func line(_ line: TraceLine) -> [UInt8] {
    let entry = story.tell(line)
    summary.take(entry)
    var bytes: [UInt8] = []
    bytes.append(line)
    bytes.removeLast(2)
    bytes.append(contentsOf: #","side":"\#(entry.phrase.side.rawValue)","text":"#.utf8)
    bytes.append(json: entry.phrase.text)
    if let after = entry.after { bytes.append(contentsOf: #","after":\#(after)"#.utf8) }
    if entry.standing != .current { bytes.append(contentsOf: #","late":true"#.utf8) }
    bytes.append(contentsOf: "}\n".utf8)
    return bytes
  }

  /// The object of a machine's action: its own keys as in a golden, and whether the recorded client did the same.
  package func action(_ action: GoldenLine, isRecorded: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(object: action)
    bytes.removeLast()
    bytes.append(contentsOf: #","side":"machine","recorded":\#(isRecorded)}"#.utf8)
    return bytes + [0x0A]
  }

  /// Takes a line in without listing it, so that later ones are told right.
  package mutating func skip(_ line: TraceLine) { _ = story.tell(line) }

  /// The last object: the sums over all lines.
  package func totals() -> [UInt8] {
    let channels = summary.channels.sorted { $0.key < $1.key }.map { channel, sums in
      #"{"ch":"\#(channel)","lines":\#(sums.lines),"generations":\#(sums.generations),"pings":\#(sums.pings)"#
        + #","answered":\#(sums.answers.count),"requests":\#(sums.requests.logical)"#
        + #","sends":\#(sums.requests.sends),"late":\#(sums.late)}"#
    }
    return Array(
      (#"{"unit":"\#(summary.unit.rawValue)","lines":\#(summary.lines),"length":\#(summary.length)"#
        + #","gaps":\#(summary.gaps),"pauses":\#(summary.pauses),"dropped":\#(summary.dropped)"#
        + #","notes":\#(summary.notes),"channels":[\#(channels.joined(separator: ","))]}"# + "\n").utf8)
  }
}
