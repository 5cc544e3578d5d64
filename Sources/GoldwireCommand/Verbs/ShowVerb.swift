import GoldwireReport
import GoldwireTrace

/// `goldwire show`.
package struct ShowVerb: Verb {
  package static let name = "show"
  package static let summary = "draw a trace as a time line"
  package static let flags: [Flag] = [
    .read, .value("channel", repeats: true), .value("from"), .value("to"), .on("all"), .on("ascii"),
    .value("width"), .value("color"),
  ]
  package static let help = """
    usage: goldwire show [-r] TRACE [FLAGS]

    Draws a trace as a time line: instants on the left, then a lane for each connection that
    lives, then what the client did, then what its peer and its surroundings did.

      -r, --read FILE      the trace; '-' is standard input
          --channel NAME   only this channel (ws1, http2, sse1); may be repeated
          --from TIME      only from this instant on: 250ms, 30s, 2m
          --to TIME        only up to this instant
          --all            every line; as it is, runs of lines on which all is well are folded
          --ascii          plain ASCII
          --width N        so many columns; as it is, the terminal's, or 100
          --color WHEN     auto, always or never; as it is, on a terminal without NO_COLOR
          --json           JSON Lines: an object for each line of the trace, then the sums

    lanes: ○ begins  ● goes on  │ lives  ╳ ends  ┊ lives on, superseded  ◌ late  ░ a hole
    A line marked LATE is of a generation that is no longer the current one.

    example:
      goldwire show chat.jsonl --channel ws1 --from 10s --to 40s

    """

  let file: String
  let channels: [Channel]
  let from: TimeSpan?
  let to: TimeSpan?
  let isFolding: Bool
  let isASCII: Bool
  let width: Int?
  let color: ColorChoice
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    file = try arguments.input()
    channels = try arguments.channels()
    from = try arguments.span("from")
    to = try arguments.span("to")
    isFolding = !arguments.has("all")
    isASCII = arguments.has("ascii")
    width = try arguments.number("width", atLeast: Layout.narrowest)
    color = try arguments.word("color") ?? .auto
    wantsJSON = arguments.wantsJSON
    if let from, let to, to < from { throw arguments.error("--to is before --from") }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    var reader = try Traces.reader(file)
    let window = Window(channels: channels, from: from, to: to, unit: reader.header.unit)
    if wantsJSON {
      try writeJSON(&reader, window, console)
    } else {
      try draw(&reader, window, console)
    }
    try Traces.warn(file, isTorn: reader.isTorn, reader.skipped, console)
    return .expected
  }

  private func draw(
    _ reader: inout TraceReader, _ window: Window, _ console: Console
  ) throws(CommandError) {
    let theme = console.theme(isASCII: isASCII, color: color)
    let width = width ?? console.width
    let output = console.output
    let name = file == "-" ? nil : file
    for row in HeaderBlock.rows(reader.header, name: name, theme: theme, width: width) {
      try output.line(row)
    }
    var timeLine = TimeLine(unit: reader.header.unit, width: width, theme: theme, isFolding: isFolding)
    for row in timeLine.titles() { try output.line(row) }
    while let line = try Traces.next(&reader, in: file) {
      if window.isPast(line) { break }
      guard window.concerns(line) else { continue }
      if window.isBefore(line) {
        timeLine.skip(line)
        continue
      }
      for row in timeLine.rows(line) { try output.line(row) }
    }
    for row in timeLine.finish() + timeLine.summary.rows(theme, width: width) { try output.line(row) }
  }

  private func writeJSON(
    _ reader: inout TraceReader, _ window: Window, _ console: Console
  ) throws(CommandError) {
    var list = EntryList(unit: reader.header.unit)
    while let line = try Traces.next(&reader, in: file) {
      if window.isPast(line) { break }
      guard window.concerns(line) else { continue }
      if window.isBefore(line) {
        list.skip(line)
      } else {
        try console.output.write(list.line(line))
      }
    }
    try console.output.write(list.totals())
  }
}
