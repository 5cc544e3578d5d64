import GoldwireReplay
import GoldwireTrace

/// `goldwire replay`.
package struct ReplayVerb: Verb {
  package static let name = "replay"
  package static let summary = "feed a trace to a machine and print its actions"
  package static let flags: [Flag] = [
    .read, .write, .value("machine"), .value("set", repeats: true), .value("tick"), .on("ties"),
  ]
  package static let help = """
    usage: goldwire replay [-r] TRACE [FLAGS]

    Feeds a trace, as it was recorded and in virtual time, to the machines that it drives, and
    prints what they do, each action with the line of the trace behind it.

      -r, --read FILE      the trace; '-' is standard input
      -w, --write FILE     write the actions there, as a golden file has them
          --machine NAME   heartbeat, retry or stream; as it is, all that the trace drives
          --set MACHINE.KEY=VALUE
                           ask with this value; may be repeated
          --tick MODE      exact, recorded, or every:100ms; as it is, exact for a written trace
          --ties           take each tie of a line and a timer in both orders
          --json           print the actions as a golden file has them

    Asked with other parameters than were in force, the recorded replies answered other actions:
    the exit status is 3 then, since that is no prediction.

    example:
      goldwire replay chat.jsonl --machine heartbeat --set heartbeat.interval=30s

    """

  let file: String
  let write: String?
  let machine: MachineName?
  let overrides: ParameterTable
  let tick: TickMode?
  let ties: Bool
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    file = try arguments.input()
    write = arguments.value("write")
    machine = try arguments.word("machine")
    overrides = try arguments.overrides()
    tick = try arguments.tick()
    ties = arguments.has("ties")
    wantsJSON = arguments.wantsJSON
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    if let write { try Traces.keep(FileIdentity(reading: file), apartFrom: write) }
    let question = try TraceQuestion(file, machine, overrides, console)
    if write != nil, question.machines.count > 1 {
      throw CommandError(
        "the trace drives \(question.machines.map(\.machine.rawValue).joined(separator: ", "))", file: file,
        remedy: "name one of them by --machine, since a file holds one machine's actions")
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    var status = ExitStatus.expected
    for parameters in question.machines {
      let report: ReplayReport
      do throws(ReplayError) {
        report = try ReplayReport(
          question.trace, file: name, parameters, tick: tick, ties: ties,
          configuration: question.configuration)
      } catch {
        throw CommandError(error)
      }
      if let write, write != "-" {
        do throws(FileError) { try AtomicFile.write(report.bytes(), to: write) } catch {
          throw CommandError(error)
        }
      } else if wantsJSON || write != nil {
        try console.output.write(report.bytes())
      } else {
        try console.output.write(report.text())
      }
      for remark in report.remarks { try console.say("\(parameters.machine.rawValue): \(remark)") }
      status = status.and(ExitStatus(report.status))
    }
    return status
  }
}
