import GoldwireReplay
import GoldwireTrace

/// `goldwire diff`.
package struct DiffVerb: Verb {
  package static let name = "diff"
  package static let summary = "tell two traces, or two files of actions, apart"
  package static let flags: [Flag] = [
    .value("channel", repeats: true), .value("within"), .on("align"), .on("verbose", short: "v"),
  ]
  package static let help = """
    usage: goldwire diff ONE TWO [FLAGS]

    Holds two traces against each other, event by event, or two files of actions as golden files
    have them, action by action, and tells how TWO differs from ONE: side by side around the first
    difference, with the numbers of both lines, then counted. Events pair by channel, connection and
    request, also where one more of them moves the numbers of the others; that is told first. '~'
    stands at another instant, '!' is another or alone. Of the first lines all is compared but who
    wrote the file, and when.

          --channel NAME   only this channel (ws1, http2, sse1); may be repeated
          --within LENGTH  instants and waits that are no further apart are the same: 5ms
          --align          move TWO so that the first line that both have stands at one instant
      -v, --verbose        all differences, and not only those near the first
          --json           JSON Lines: an object for each difference, then the totals

    A file is '-' for a trace on standard input; one of both can be that.

    exit status: 0 no difference, 1 a difference, 2 wrong usage or bad input

    example:
      goldwire diff --align --within 20ms tap.jsonl capture.jsonl

    """

  let files: (one: String, two: String)
  let options: FileDifference.Options
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.operands.count == 2 else {
      throw arguments.error("it wants two files, and \(arguments.operands.count) are given")
    }
    files = (arguments.operands[0], arguments.operands[1])
    if files.one == "-", files.two == "-" { throw arguments.error("only one of both can be standard input") }
    var options = FileDifference.Options()
    let channels = try arguments.channels()
    options.channels = channels.isEmpty ? nil : Set(channels)
    if let span = try arguments.span("within") { options.within = span }
    options.aligns = arguments.has("align")
    options.showsAll = arguments.has("verbose")
    self.options = options
    wantsJSON = arguments.wantsJSON
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    let (one, two) = (try load(files.one, console), try load(files.two, console))
    for channel in (options.channels ?? []).sorted() {
      guard one.channels.contains(channel) || two.channels.contains(channel) else {
        throw CommandError("neither file has a channel \(channel)", remedy: "see `goldwire show`")
      }
    }
    let difference: FileDifference
    do throws(ReplayError) { difference = try FileDifference(one, two, options) } catch {
      throw CommandError(error)
    }
    if wantsJSON {
      try console.output.write(difference.json())
    } else {
      for line in difference.text(files.one, files.two) { try console.output.line(line) }
    }
    return difference.isSame ? .expected : .differs
  }

  private func load(_ path: String, _ console: Console) throws(CommandError) -> DiffFile {
    let file: DiffFile
    do throws(ReplayError) { file = try DiffFile(path: path) } catch { throw CommandError(error) }
    if case .trace(let trace) = file {
      try Traces.warn(path, isTorn: trace.isTorn, trace.skipped, console)
    }
    return file
  }
}
