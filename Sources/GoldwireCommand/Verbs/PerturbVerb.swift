package import GoldwireReplay
import GoldwireTrace

/// `goldwire perturb`.
package struct PerturbVerb: Verb {
  package static let name = "perturb"
  package static let summary = "change a clean trace at random and hold rules"
  package static let flags: [Flag] = [
    .read, .write, .value("machine"), .value("set", repeats: true), .value("seed"), .value("count"),
  ]
  package static let help = """
    usage: goldwire perturb [-r] TRACE [FLAGS]

    Changes a trace at random, and holds what the machine does with each mutant against the rules
    that must hold for every input: callbacks of old connections, late, twice or never; lines that
    change places; replies one unit before, at and after a deadline; connections and streams that
    break in the middle; timers that run late or in bunches; the user who has enough. A mutant
    that breaks a rule is shrunk to the smallest trace that still does.

      -r, --read FILE      the trace; '-' is standard input
      -w, --write FOLDER   write each trace that breaks a rule there, with a golden of what is right
          --machine NAME   heartbeat, retry or stream; as it is, all that the trace drives. exec:COMMAND
                           is a machine of another language: docs/machines.md
          --set MACHINE.KEY=VALUE
                           ask with this value; may be repeated
          --seed N         draw other mutants; as it is, 1. The same seed, the same mutants
          --count N        try so many; as it is, 2000
          --json           JSON Lines: an object for each broken rule, then the sums

    How many mutants had a change of each kind is told, so that nothing passes by trying nothing.
    A machine of your own is held to rules of your own in Swift: docs/perturb.md.

    exit status: 0 no rule is broken, 1 one is, 2 wrong usage or bad input, 3 nothing was tried

    example:
      goldwire perturb chat.jsonl --machine heartbeat --set heartbeat.interval=30s,heartbeat.timeout=5s

    """

  let file: String
  let folder: String?
  let machine: MachineChoice
  let overrides: ParameterTable
  let seed: Int
  let count: Int
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    file = try arguments.input()
    folder = arguments.value("write")
    machine = try arguments.machineChoice()
    overrides = try arguments.overrides()
    seed = try arguments.number("seed") ?? 1
    count = try arguments.number("count", atLeast: 1) ?? 2_000
    wantsJSON = arguments.wantsJSON
    if folder == "-" {
      throw arguments.error("-w wants a folder, since each broken rule has a trace and a golden")
    }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    if let folder {
      do throws(ReplayError) { try PerturbReport.check(folder: folder) } catch { throw CommandError(error) }
    }
    let (name, foreign) = try machine.open()
    let question = try TraceQuestion(file, name, overrides, console)
    var status = ExitStatus.expected
    for parameters in question.machines {
      let report: PerturbReport
      do throws(ReplayError) {
        report = try PerturbReport(
          question.trace, parameters, seed: UInt64(seed), count: count, foreign: foreign)
        try foreign?.session.finish()
      } catch {
        throw CommandError(error)
      }
      status = status.and(try tell(report, console))
    }
    return status
  }

  /// Prints a report, and writes its traces where that is asked for.
  package func tell(_ report: PerturbReport, _ console: Console) throws(CommandError) -> ExitStatus {
    if wantsJSON {
      try console.output.write(report.json())
    } else {
      try console.output.write(report.text())
    }
    if let folder {
      let paths: [String]
      do throws(ReplayError) {
        paths = try report.write(into: folder, tool: "goldwire \(GoldwireCommand.version)")
      } catch {
        throw CommandError(error)
      }
      for path in paths { try console.say("wrote \(path)") }
    }
    return ExitStatus(report.status)
  }
}
