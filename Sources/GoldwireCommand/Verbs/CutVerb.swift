import GoldwireReplay
import GoldwireReport
import GoldwireTrace

/// `goldwire cut`.
package struct CutVerb: Verb {
  package static let name = "cut"
  package static let summary = "take channels and a span of time out of a trace"
  package static let flags: [Flag] = [
    .read, .write, .value("channel", repeats: true), .value("from"), .value("to"),
    .value("in-force", repeats: true),
  ]
  package static let help = """
    usage: goldwire cut [-r] TRACE [-w FILE] [FLAGS]

    Takes a part out of a trace so that it still replays: before the span it keeps what the
    machines of each living channel need (its connect and open, the last ping and what answered
    it, the cursor, a pending wait), each at its own instant, and it marks what was left out.

      -r, --read FILE      the trace; '-' is standard input
      -w, --write FILE     the part; as it is, standard output
          --channel NAME   only this channel (ws1, http2, sse1); may be repeated
          --from TIME      from this instant on: 250ms, 30s, 2m
          --to TIME        up to and including this instant
          --in-force TEXT  state what the client ran with, in the place of what the trace says:
                           heartbeat.interval=30s,heartbeat.timeout=5s, or none; may be repeated,
                           and stand alone: then nothing is taken out. docs/parameters.md lists all
          --json           with -w FILE, the number of lines as JSON

    examples:
      goldwire cut -r field.jsonl -w late-close.jsonl --channel ws1 --from 10s --to 40s
      goldwire cut field.jsonl -w stated.jsonl --in-force heartbeat.interval=30s,heartbeat.timeout=5s

    """

  /// What is said of the parameters that the client ran with.
  enum Statement: Equatable {
    case none
    case these(ParameterTable)
  }

  let file: String
  let target: String
  let channels: [Channel]
  let from: TimeSpan?
  let to: TimeSpan?
  let statement: Statement?
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    file = try arguments.input()
    target = arguments.value("write") ?? "-"
    channels = try arguments.channels()
    from = try arguments.span("from")
    to = try arguments.span("to")
    statement =
      arguments.values("in-force") == ["none"] ? Statement.none : try arguments.inForce().map { .these($0) }
    wantsJSON = arguments.wantsJSON
    if channels.isEmpty, from == nil, to == nil, statement == nil {
      throw arguments.error("nothing says what to cut; give --channel, --from, --to or --in-force")
    }
    if let from, let to, to < from { throw arguments.error("--to is before --from") }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    let trace = try Traces.load(file, console)
    if case .these(let table)? = statement {
      do throws(ReplayError) { try table.check(in: trace.header.unit) } catch {
        throw CommandError("--in-force: \(error.message)", file: file)
      }
    }
    let (cut, open) = try part(of: trace)
    let part = stated(cut)
    var writer = try Traces.writer(target, console, apartFrom: FileIdentity(reading: file))
    do throws(FileError) {
      try writer.write(part.header)
      for line in part.lines { try writer.write(line) }
      try writer.finish()
    } catch {
      throw CommandError(error)
    }
    if open > 0 { try console.say(Self.warning(open)) }
    if target != "-" { try report(part, of: trace, console) }
    return .expected
  }

  /// The part, and how many requests go on after it; the whole where nothing is to be taken out.
  private func part(of trace: Trace) throws(CommandError) -> (Trace, open: Int) {
    if channels.isEmpty, from == nil, to == nil { return (trace, 0) }
    let unit = trace.header.unit
    guard let span = Window(channels: [], from: from, to: to, unit: unit).span else {
      throw CommandError("no instant of the trace lies from --from to --to", file: file)
    }
    let cut = TraceCut(
      channels: channels.isEmpty ? nil : Set(channels), span: span,
      tool: "goldwire \(GoldwireCommand.version)")
    do throws(TraceError) {
      return (try cut.apply(to: trace), try cut.openRequests(in: trace))
    } catch {
      throw CommandError(error.message, file: file, remedy: "see `goldwire show`")
    }
  }

  /// The trace with what is stated to have been in force.
  private func stated(_ trace: Trace) -> Trace {
    var trace = trace
    switch statement {
    case nil: break
    case .some(.none): (trace.header.inForce, trace.header.inForceBy) = (nil, nil)
    case .these(let table): (trace.header.inForce, trace.header.inForceBy) = (table, .stated)
    }
    return trace
  }

  /// Says that what came after the part told how its last requests went on.
  private static func warning(_ open: Int) -> String {
    open == 1
      ? "warning: 1 request goes on after the part, which does not show how long its wait was"
      : "warning: \(open) requests go on after the part, which does not show how long their waits were"
  }

  /// Says how much was taken.
  private func report(_ part: Trace, of trace: Trace, _ console: Console) throws(CommandError) {
    if wantsJSON {
      try console.output.line(#"{"lines":\#(part.lines.count),"of":\#(trace.lines.count)}"#)
    } else {
      try console.say("\(part.lines.count) of \(trace.lines.count) lines")
    }
  }
}
