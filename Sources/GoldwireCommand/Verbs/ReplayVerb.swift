import GoldwireReplay
import GoldwireReport
import GoldwireTrace

/// `goldwire replay`.
package struct ReplayVerb: Verb {
  package static let name = "replay"
  package static let summary = "feed a trace to a machine and print its actions"
  package static let flags: [Flag] = [
    .read, .write, .value("machine"), .value("set", repeats: true), .value("tick"), .on("ties"),
    .on("causal"), .value("assume", repeats: true), .report,
  ]
  package static let help = """
    usage: goldwire replay [-r] TRACE [FLAGS]

    Feeds a trace, as it was recorded and in virtual time, to the machines that it drives, and
    prints what they do, each action with the line of the trace behind it.

      -r, --read FILE      the trace; '-' is standard input
      -w, --write FILE     write the actions there, as a golden file has them
          --machine NAME   heartbeat, retry or stream; as it is, all that the trace drives. exec:COMMAND
                           is a machine of another language: docs/machines.md
          --set MACHINE.KEY=VALUE
                           ask with this value; may be repeated; docs/parameters.md lists all
          --tick MODE      exact, recorded, or every:100ms; as it is, exact for a written trace
          --ties           take each tie of a line and a timer in both orders
          --report FILE    also write a page of HTML there: lanes, actions, and with --causal what was
                           beside what would have been
          --json           print the actions as a golden file has them
          --causal         predict what the client would have done: replies answer the new actions,
                           each action has a grade, and the verdict says what a release would change
          --assume WHAT    with --causal, take for given: idle=LENGTH, the silence after which what
                           lies between forgets a connection; ping-rate=unknown, that a server may
                           punish faster pings; may be repeated

    Asked with other parameters than were in force, the recorded replies answered other actions: the
    exit status is 3 then, since that is no prediction. With --causal it is 0 for same and improvement,
    1 for a regression, 3 where the recording cannot tell; what to record is said then.

    examples:
      goldwire replay chat.jsonl --machine heartbeat --set heartbeat.interval=30s
      goldwire replay --causal chat.jsonl --set heartbeat.interval=25s

    """

  let file: String
  let write: String?
  let machine: MachineChoice
  let overrides: ParameterTable
  let tick: TickMode?
  let ties: Bool
  let isCausal: Bool
  let assumptions: CausalAssumptions
  let wantsJSON: Bool
  let report: String?

  package init(_ arguments: Arguments) throws(UsageError) {
    file = try arguments.input()
    write = arguments.value("write")
    machine = try arguments.machineChoice()
    overrides = try arguments.overrides()
    tick = try arguments.tick()
    ties = arguments.has("ties")
    isCausal = arguments.has("causal")
    assumptions = try arguments.assumptions()
    if isCausal, ties || tick != nil {
      throw arguments.error("--tick and --ties are of a replay as recorded, and cannot stand with --causal")
    }
    if isCausal, machine.isExec {
      throw arguments.error(
        "--causal predicts with the built-in machines alone; replay --machine exec: as recorded, without it")
    }
    if !isCausal, arguments.has("assume") { throw arguments.error("--assume needs --causal") }
    wantsJSON = arguments.wantsJSON
    report = try arguments.report()
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    if let write { try Traces.keep(FileIdentity(reading: file), apartFrom: write) }
    try ReportTargets([("report", report)], written: write).check(apartFrom: [file])
    let (name, foreign) = try machine.open()
    let question = try TraceQuestion(
      file, name, overrides, console, hint: "or let goldwire conform --infer tell it from the trace")
    if write != nil, question.machines.count > 1 {
      throw CommandError(
        "the trace drives \(question.machines.map(\.machine.rawValue).joined(separator: ", "))", file: file,
        remedy: "name one of them by --machine, since a file holds one machine's actions")
    }
    let trace = file.split(separator: "/").last.map(String.init) ?? file
    var status = ExitStatus.expected
    let pool = try isCausal ? question.pool(file) : nil
    var answers: [Page.Answer] = []
    for parameters in question.machines {
      let (part, answer) =
        isCausal
        ? try predict(parameters, question, trace, pool, console)
        : try replay(parameters, question, trace, foreign, console)
      status = status.and(part)
      answers.append(answer)
    }
    if let report {
      let page = Page.replay(trace, question.trace, answers, question.configuration)
      try Traces.put(page.html(), to: report)
    }
    return status
  }

  private func replay(
    _ parameters: MachineParameters, _ question: TraceQuestion, _ name: String, _ foreign: ForeignSource?,
    _ console: Console
  ) throws(CommandError) -> (ExitStatus, Page.Answer) {
    let report: ReplayReport
    do throws(ReplayError) {
      report = try ReplayReport(
        question.trace, file: name, parameters, tick: tick, ties: ties, configuration: question.configuration,
        foreign: foreign)
      try foreign?.session.finish()
    } catch {
      throw CommandError(error)
    }
    if wantsJSON || write != nil {
      try put(report.bytes(), console)
    } else {
      try console.output.write(report.text())
    }
    for remark in report.remarks { try console.say("\(parameters.machine.rawValue): \(remark)") }
    return (ExitStatus(report.status), .replayed(parameters, report))
  }

  private func predict(
    _ parameters: MachineParameters, _ question: TraceQuestion, _ name: String, _ pool: EvidencePool?,
    _ console: Console
  ) throws(CommandError) -> (ExitStatus, Page.Answer) {
    let causal: CausalReplay
    do throws(ReplayError) {
      causal = try CausalReplay(
        question.trace, parameters, assumptions: assumptions, pool: pool,
        configuration: question.configuration)
    } catch {
      throw CommandError(error)
    }
    if write != nil { try put(causal.golden(file: name).bytes(), console) }
    if wantsJSON, write != "-" {
      try console.output.write(causal.json())
    } else if write != "-" {
      try console.output.write(causal.text(isBrief: write != nil))
    }
    return (ExitStatus(causal.verdict.status), .predicted(causal))
  }

  /// Writes a golden's bytes to the file that was named, or to standard output.
  private func put(_ bytes: [UInt8], _ console: Console) throws(CommandError) {
    guard let write, write != "-" else { return try console.output.write(bytes) }
    do throws(FileError) { try AtomicFile.write(bytes, to: write) } catch { throw CommandError(error) }
  }
}
