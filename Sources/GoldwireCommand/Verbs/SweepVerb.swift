import GoldwireReplay
import GoldwireReport
import GoldwireTrace

/// `goldwire sweep`.
package struct SweepVerb: Verb {
  package static let name = "sweep"
  package static let summary = "ask a folder's traces at every point of a grid"
  package static let flags: [Flag] = [
    .value("grid", repeats: true), .value("assume", repeats: true), .value("clients"), .value("seed"),
    .value("outage"),
    .on("csv"), .value("jobs"), .report,
  ]
  package static let help = """
    usage: goldwire sweep FOLDER|TRACE… --grid MACHINE.KEY=VALUE,VALUE… [FLAGS]

    Predicts, as `goldwire replay --causal` does, what clients with other parameters would have done
    on all traces, at every combination of the values, and adds it up. Points that no other beats are
    marked.

    heartbeat: pings, closes, false closes (the peer was alive), how long a death went unnoticed, and
    how many deaths were not noticed at all (missed).
    retry: sends, early ones (the server refused), requests that failed, the time to success.
    stream: connections, those given up for silence, how long events waited.
    For each: how many would be worse than recorded, and the share that cannot be told.

          --grid MACHINE.KEY=VALUE,VALUE…
                           the values of one parameter; may be repeated, for one machine
          --assume WHAT    what predictions take for given: idle=LENGTH, ping-rate=unknown
          --clients N      retry: also run N clients that fail together, and tell the most sends
                           within a second (herd/s), those that meet the server when it is back
                           (back/s, and how far they spread), and how many had given up (lost)
          --outage LENGTH  how long the server refuses them; as it is, as long as it was recorded
          --seed N         what the clients' random units are drawn from; as it is, 1
          --csv            comma-separated values, lengths of time in microseconds
          --json           JSON Lines: an object for each point, then the totals
          --report FILE    also write a page of HTML there: delays against what they cost, and the table
          --jobs N         look at N traces at once; as it is, 2

    example:
      goldwire sweep field --grid heartbeat.interval=15s,20s,30s --grid heartbeat.timeout=5s,10s

    """

  var question: Sweep.Question
  let isCSV: Bool
  let wantsJSON: Bool
  let report: String?

  package init(_ arguments: Arguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else { throw arguments.error("a folder or a trace is missing") }
    var grid = SweepGrid()
    for text in arguments.values("grid") {
      do throws(ReplayError) { try grid.add(option: text) } catch {
        throw arguments.error("--grid: \(error.message)")
      }
    }
    guard let machine = grid.machine else {
      throw arguments.error("--grid is missing; name values as heartbeat.interval=20s,30s")
    }
    question = Sweep.Question(paths: arguments.operands, grid: grid)
    question.assumptions = try arguments.assumptions()
    if let clients = try arguments.number("clients", atLeast: 1) {
      guard machine == .retry else { throw arguments.error("--clients is of a sweep of retry alone") }
      guard clients <= SweepHerd.Limits.clients else {
        throw arguments.error("--clients wants at most \(SweepHerd.Limits.clients)")
      }
      question.herd = SweepHerd(clients: clients, seed: UInt64(try arguments.number("seed") ?? 1))
      question.herd?.outage = try arguments.span("outage")
      if let outage = question.herd?.outage, outage.microseconds == 0 {
        throw arguments.error("--outage wants a length of time that is longer than nothing")
      }
    } else if let flag = ["seed", "outage"].first(where: arguments.has) {
      throw arguments.error("--\(flag) needs --clients")
    }
    question.workers = try arguments.number("jobs", atLeast: 1) ?? 2
    isCSV = arguments.has("csv")
    report = try arguments.report()
    wantsJSON = arguments.wantsJSON
    if isCSV, wantsJSON { throw arguments.error("--csv and --json cannot stand together") }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    try ReportTargets([("report", report)]).check(apartFrom: question.paths)
    let sweep: Sweep
    do throws(ReplayError) { sweep = try Sweep(question) } catch { throw CommandError(error) }
    for warning in sweep.warnings { try console.say("warning: \(warning)") }
    if wantsJSON {
      try console.output.write(sweep.json())
    } else {
      try console.output.write(isCSV ? sweep.csv() : sweep.text())
    }
    if let report { try Traces.put(Page.sweep(sweep).html(), to: report) }
    return .expected
  }
}
