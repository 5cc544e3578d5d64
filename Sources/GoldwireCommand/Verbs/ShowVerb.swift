import GoldwireReplay
import GoldwireReport
import GoldwireTrace

/// `goldwire show`.
package struct ShowVerb: Verb {
  package static let name = "show"
  package static let summary = "draw a trace as a time line"
  package static let flags: [Flag] = [
    .read, .value("channel", repeats: true), .value("from"), .value("to"), .on("all"), .on("ascii"),
    .value("width"), .value("color"), .value("machine"), .value("set", repeats: true), .on("model"),
    .value("assume", repeats: true),
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
          --machine NAME   also draw what this machine does: heartbeat, retry or stream
          --set MACHINE.KEY=VALUE
                           with this value; may be repeated
          --model          instead, print what causal replays infer of the peer and the path, and from
                           which lines
          --assume WHAT    with --model, what it takes for given; see `goldwire replay --help`
          --ascii          plain ASCII
          --width N        so many columns; as it is, the terminal's, or 100
          --color WHEN     auto, always or never; as it is, on a terminal without NO_COLOR
          --json           JSON Lines: an object for each line of the trace, then the sums

    lanes: ○ begins  ● goes on  │ lives  ╳ ends  ┊ lives on, superseded  ◌ late  ░ a hole
    A line marked LATE is of a generation that is no longer the current one.
    A row with » is the machine's action; » behind a recorded action: the machine does the same.

    examples:
      goldwire show chat.jsonl --channel ws1 --from 10s --to 40s
      goldwire show chat.jsonl --machine heartbeat --set heartbeat.interval=25s

    """

  let file: String
  let channels: [Channel]
  let from: TimeSpan?
  let to: TimeSpan?
  let isFolding: Bool
  let isASCII: Bool
  let width: Int?
  let color: ColorChoice
  let machine: MachineName?
  let overrides: ParameterTable
  let showsModel: Bool
  let assumptions: CausalAssumptions
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
    machine = try arguments.word("machine")
    overrides = try arguments.overrides()
    showsModel = arguments.has("model")
    assumptions = try arguments.assumptions()
    wantsJSON = arguments.wantsJSON
    if machine == nil, arguments.has("set") { throw arguments.error("--set needs --machine") }
    if !showsModel, arguments.has("assume") { throw arguments.error("--assume needs --model") }
    if let from, let to, to < from { throw arguments.error("--to is before --from") }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    if showsModel { return try printModel(console) }
    if let machine { return try drawBeside(machine, console) }
    var reader = try Traces.reader(file)
    var drawing = Drawing(self, reader.header, console)
    try drawing.begin()
    while let line = try Traces.next(&reader, in: file), try drawing.take(line) {}
    try drawing.end()
    try Traces.warn(file, isTorn: reader.isTorn, reader.skipped, console)
    return .expected
  }

  /// Prints what predictions rest on.
  private func printModel(_ console: Console) throws(CommandError) -> ExitStatus {
    let trace = try Traces.load(file, console)
    let model: CausalModel
    do throws(ReplayError) {
      let configuration = file == "-" ? Configuration() : try Configuration.nearest(above: file)
      let pool = file == "-" ? nil : try EvidencePool.nearest(above: file)
      model = try CausalModel(trace, assumptions: assumptions, pool: pool, configuration: configuration)
    } catch {
      throw CommandError(error)
    }
    if wantsJSON { try console.output.write(model.json()) } else { try console.output.write(model.text()) }
    return .expected
  }

  /// Draws a machine's actions beside the recorded ones; whether they are a prediction, `replay` says.
  private func drawBeside(_ machine: MachineName, _ console: Console) throws(CommandError) -> ExitStatus {
    let question = try TraceQuestion(file, machine, overrides, console)
    var drawing = Drawing(self, question.trace.header, console)
    for parameters in question.machines {
      let report: ReplayReport
      do throws(ReplayError) {
        report = try ReplayReport(
          question.trace, file: file, parameters, configuration: question.configuration)
      } catch {
        throw CommandError(error)
      }
      drawing.actions = MachineActions(report.actions, in: drawing.window)
      for remark in report.remarks { try console.say("\(machine.rawValue): \(remark)") }
    }
    try drawing.begin()
    for line in question.trace.lines where try !drawing.take(line) { break }
    try drawing.end()
    return .expected
  }
}
