import GoldwireReplay
import GoldwireTrace

/// `goldwire conform`.
package struct ConformVerb: Verb {
  package static let name = "conform"
  package static let summary = "hold a recorded client against the machine"
  package static let flags: [Flag] = [
    .read, .write, .value("machine"), .value("set", repeats: true), .value("preset"), .on("infer"),
    .value("early"), .value("slack"),
  ]
  package static let help = """
    usage: goldwire conform [-r] TRACE [FLAGS]

    Holds what the recorded client did against what the machine says that it should have done, with
    the parameters that were in force: too early, too late, missing, without need. Says how late
    the client's timers are, and what the first departure is because of.

      -r, --read FILE      the trace; '-' is standard input
          --machine NAME   heartbeat, retry or stream; as it is, all that the trace drives. exec:COMMAND
                           is a machine of another language: docs/machines.md
          --set MACHINE.KEY=VALUE
                           hold it to this value; may be repeated; docs/parameters.md lists all
          --preset NAME    hold it to what a well-known client is set to; --set goes before it:
                           aws-standard, chromium-eventsource, engine.io, engine.io-3, graphql-ws,
                           grpc, phoenix, swift-eventsource, urllib3, websockets
          --infer          tell the client's parameters from what it did, with the evidence, and
                           hold it to those
      -w, --write FILE     with --infer, write the trace with what was inferred as what was in
                           force, where it is bounded from both sides and the client keeps to it; else
                           it says why not, and the exit status is not 0
          --early TIME     so much before its time an action is in time; as it is, 2ms
          --slack TIME     so much after its time an action is in time; as it is, what the nearest
                           goldwire.json says, or 250ms
          --json           JSON Lines: an object for each departure, then the sums; with --infer
                           before them an object for each parameter

    Where nothing names a machine's parameters, it is held to the defaults; that tells nothing of
    what the client was set to, so that the exit status is 3. docs/inference.md says what --infer
    looks at, and what it cannot tell.

    exit status: 0 it does what the machine says, 1 it departs, 3 nothing could be judged

    examples:
      goldwire conform field.jsonl --set heartbeat.interval=30s,heartbeat.timeout=10s
      goldwire conform --infer field.jsonl
      goldwire conform --preset phoenix field.jsonl

    """

  let file: String
  let write: String?
  let machine: MachineChoice
  let overrides: ParameterTable
  let preset: Preset?
  let infers: Bool
  let early: TimeSpan?
  let slack: TimeSpan?
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    file = try arguments.input()
    write = arguments.value("write")
    machine = try arguments.machineChoice()
    preset = try arguments.preset()
    overrides = try arguments.overrides().over(preset)
    infers = arguments.has("infer")
    early = try arguments.span("early")
    slack = try arguments.span("slack")
    wantsJSON = arguments.wantsJSON
    if write != nil, !infers { throw arguments.error("-w needs --infer: it writes what was inferred") }
    if write == "-" { throw arguments.error("-w wants a file, since the report is on standard output") }
    if infers, preset != nil {
      throw arguments.error("--preset names the parameters, and --infer asks for them; give one")
    }
    if case .builtIn(let machine?) = machine, let preset, preset.parameters[machine] == nil {
      throw arguments.error("the preset \(preset.name) has nothing for \(machine.rawValue)")
    }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    let (name, foreign) = try machine.open()
    if infers { return try infer(name, foreign, console) }
    let question = try TraceQuestion(
      file, name ?? presetMachine, overrides, console, hint: "or let goldwire conform --infer tell it")
    if let preset { try tell(preset, question.trace, console) }
    // A machine with nothing to judge counts only where no other one was judged.
    var (judged, status) = (false, ExitStatus.expected)
    for parameters in question.machines where preset == nil || preset?.parameters[parameters.machine] != nil {
      if preset != nil, Inference(question.trace, parameters.machine).isPeerPinging {
        try tellPeerPings(console)
        continue
      }
      let conformance = try hold(question.trace, parameters, question.configuration, foreign)
      try finish(foreign)
      if question.unnamed.contains(parameters.machine) {
        try tellUnnamed(conformance, console)
        continue
      }
      try put(conformance, console)
      let isJudged = conformance.status != .inconclusive || !conformance.neverInStep.isEmpty
      if isJudged { status = status.and(ExitStatus(conformance.status)) }
      judged = judged || isJudged
    }
    return judged ? status : .inconclusive
  }

  /// Holds the recorded client against a machine.
  func hold(
    _ trace: Trace, _ parameters: MachineParameters, _ configuration: Configuration, _ foreign: ForeignSource?
  ) throws(CommandError) -> Conformance {
    do throws(ReplayError) {
      return try Conformance(
        trace, parameters, early: early, slack: slack, configuration: configuration, foreign: foreign)
    } catch {
      throw CommandError(error)
    }
  }

  /// Ends the conversation with a machine of another language.
  func finish(_ foreign: ForeignSource?) throws(CommandError) {
    do throws(ReplayError) { try foreign?.session.finish() } catch { throw CommandError(error) }
  }

  /// Prints how it came out.
  func put(_ conformance: Conformance, _ console: Console) throws(CommandError) {
    if wantsJSON {
      try console.output.write(conformance.json())
    } else {
      try console.output.write(conformance.text())
    }
  }
}

// MARK: - Where nothing names the parameters, and where a preset does

extension ConformVerb {
  /// Defaults that nobody named are a guess: whether the client keeps to them proves nothing of it.
  private func tellUnnamed(_ conformance: Conformance, _ console: Console) throws(CommandError) {
    let machine = conformance.parameters.machine.rawValue
    if wantsJSON {
      try console.output.write(conformance.json(isUnnamed: true))
    } else {
      try console.output.write(conformance.text())
      try console.output.write(
        "  inconclusive: the trace names no parameters of \(machine), nor does anything else, so that these are "
          + "the defaults:\n  \(conformance.parameters.allWords)\n"
          + "  name what it ran with by --set or --preset, or ask what it did: goldwire conform --infer\n")
    }
  }

  /// Some protocols let the server ping; then a preset's interval is the server's, and none of the client's.
  private func tellPeerPings(_ console: Console) throws(CommandError) {
    if wantsJSON {
      try console.output.write("{\"machine\":\"heartbeat\",\"acts\":0,\"departures\":0,\"status\":3}\n")
    } else {
      try console.output.write(
        "heartbeat: the peer pings here, and the client never does: there is nothing of the client's to hold\n"
      )
    }
  }

  /// The only machine that the preset is for.
  private var presetMachine: MachineName? {
    let machines = MachineName.allCases.filter { preset?.parameters[$0] != nil }
    return machines.count == 1 ? machines[0] : nil
  }

  private func tell(_ preset: Preset, _ trace: Trace, _ console: Console) throws(CommandError) {
    if let beats = preset.beats, trace.header.beats != beats {
      throw CommandError(
        "the heartbeats of \(preset.name) are messages, which this trace does not mark", file: file,
        remedy: "record with --beats \(beats.rawValue)")
    }
    guard !wantsJSON else { return }
    try console.output.write("preset \(preset.name): \(preset.of)\n  source: \(preset.source)\n")
    if let otherwise = preset.otherwise { try console.output.write("  but: \(otherwise)\n") }
  }
}

extension ParameterTable {
  /// These values, and a preset's where there is none.
  fileprivate func over(_ preset: Preset?) -> ParameterTable {
    guard let preset else { return self }
    var table = preset.parameters
    for (machine, named) in values { table.values[machine, default: [:]].merge(named) { _, new in new } }
    return table
  }
}
