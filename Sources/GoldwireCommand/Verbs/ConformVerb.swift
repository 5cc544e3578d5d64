import GoldwireReplay
import GoldwireTrace

/// `goldwire conform`.
package struct ConformVerb: Verb {
  package static let name = "conform"
  package static let summary = "hold a recorded client against the machine"
  package static let flags: [Flag] = [
    .read, .value("machine"), .value("set", repeats: true), .value("early"), .value("slack"),
  ]
  package static let help = """
    usage: goldwire conform [-r] TRACE [FLAGS]

    Holds what the recorded client did against what the machine says that it should have done, with
    the parameters that were in force: too early, too late, missing, without need. Says how late
    the client's timers are, and what the first departure is because of.

      -r, --read FILE      the trace; '-' is standard input
          --machine NAME   heartbeat, retry or stream; as it is, all that the trace drives
          --set MACHINE.KEY=VALUE
                           hold it to this value; may be repeated
          --early TIME     so much before its time an action is in time; as it is, 2ms
          --slack TIME     so much after its time an action is in time; as it is, what the nearest
                           goldwire.json says, or 250ms
          --json           JSON Lines: an object for each departure, then the sums

    exit status: 0 it does what the machine says, 1 it departs, 3 nothing could be judged

    example:
      goldwire conform field.jsonl --set heartbeat.interval=30s,heartbeat.timeout=10s

    """

  let file: String
  let machine: MachineName?
  let overrides: ParameterTable
  let early: TimeSpan?
  let slack: TimeSpan?
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    file = try arguments.input()
    machine = try arguments.word("machine")
    overrides = try arguments.overrides()
    early = try arguments.span("early")
    slack = try arguments.span("slack")
    wantsJSON = arguments.wantsJSON
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    let question = try TraceQuestion(file, machine, overrides, console)
    // A machine with nothing to judge counts only where no other one was judged.
    var (judged, status) = (false, ExitStatus.expected)
    for parameters in question.machines {
      let conformance: Conformance
      do throws(ReplayError) {
        conformance = try Conformance(
          question.trace, parameters, early: early, slack: slack, configuration: question.configuration)
      } catch {
        throw CommandError(error)
      }
      if wantsJSON {
        try console.output.write(conformance.json())
      } else {
        try console.output.write(conformance.text())
      }
      let isJudged = conformance.status != .inconclusive || !conformance.neverInStep.isEmpty
      if isJudged { status = status.and(ExitStatus(conformance.status)) }
      judged = judged || isJudged
    }
    return judged ? status : .inconclusive
  }
}
