import GoldwireReport
import GoldwireTrace

extension ShowVerb {
  /// A time line that goes to standard output as it is drawn, as text or as JSON Lines.
  struct Drawing {
    /// The part that is asked for.
    let window: Window
    /// The actions of the machine that is drawn beside the recording.
    var actions: MachineActions?
    private let verb: ShowVerb
    private let header: TraceHeader
    private let output: Output
    private let theme: Theme
    private let width: Int
    private var timeLine: TimeLine
    private var list: EntryList

    init(_ verb: ShowVerb, _ header: TraceHeader, _ console: Console) {
      self.verb = verb
      self.header = header
      output = console.output
      theme = console.theme(isASCII: verb.isASCII, color: verb.color)
      width = verb.width ?? console.width
      window = Window(channels: verb.channels, from: verb.from, to: verb.to, unit: header.unit)
      timeLine = TimeLine(unit: header.unit, width: width, theme: theme, isFolding: verb.isFolding)
      list = EntryList(unit: header.unit)
    }

    /// Draws what stands above the lines.
    func begin() throws(CommandError) {
      if verb.wantsJSON { return }
      let name = verb.file == "-" ? nil : verb.file
      try write(HeaderBlock.rows(header, name: name, theme: theme, width: width) + timeLine.titles())
    }

    /// Draws a line; false if it lies beyond the part that is asked for, and so do all that follow.
    mutating func take(_ line: TraceLine) throws(CommandError) -> Bool {
      if window.isPast(line) { return false }
      guard window.concerns(line) else { return true }
      if window.isBefore(line) {
        verb.wantsJSON ? list.skip(line) : timeLine.skip(line)
        return true
      }
      try drawActions(before: line.t)
      let action = actions?.take(equalTo: line)
      if verb.wantsJSON {
        try output.write(list.line(line))
        if let action { try output.write(list.action(action, isRecorded: true)) }
      } else {
        // Drawn first: as an argument it would be drawn into a copy of all that is remembered.
        let rows = timeLine.rows(line, agrees: action != nil)
        try write(rows)
      }
      return true
    }

    /// Draws what stands below the lines.
    mutating func end() throws(CommandError) {
      try drawActions(before: .max)
      if verb.wantsJSON {
        try output.write(list.totals())
      } else {
        try write(timeLine.finish() + timeLine.summary.rows(theme, width: width))
      }
    }

    private mutating func drawActions(before t: Int) throws(CommandError) {
      for action in actions?.take(before: t) ?? [] {
        if verb.wantsJSON {
          try output.write(list.action(action, isRecorded: false))
        } else {
          let rows = timeLine.rows(action)
          try write(rows)
        }
      }
    }

    private func write(_ rows: [String]) throws(CommandError) {
      for row in rows { try output.line(row) }
    }
  }
}
