import GoldwireReplay
import GoldwireReport
import GoldwireTrace

/// `goldwire test`.
package struct TestVerb: Verb {
  package static let name = "test"
  package static let summary = "hold a folder's traces against their golden files"
  package static let flags: [Flag] = [
    .optional("update"), .value("record"), .value("set", repeats: true), .value("assume", repeats: true),
    .on("ties"), .value("allow"), .value("machine"),
    .on("verbose", short: "v"), .value("jobs"), .value("junit"), .report,
  ]
  package static let help = """
    usage: goldwire test FOLDER|TRACE|GOLDEN… [FLAGS]

    Replays each trace into the machines that it drives, and holds the actions against the golden
    files beside it, TRACE.MACHINE[.VARIANT].golden.jsonl. A golden that is missing, one that
    goldwire.lock knows and that is gone, one whose trace is gone, and a trace that drives nothing are
    failures. Nothing is written unless it is asked for. Folders behind links are entered, each once;
    pipes, devices, links that lead nowhere and names that are not UTF-8 are errors.

          --update            write the goldens whose actions are shifted or changed
          --update=outcome    and those with another close, end, stop or delivery, and forget those that
                              are gone; one golden named by its path needs --update alone
          --record missing    make the goldens that are not there
          --set MACHINE.KEY=VALUE
                              ask with another value: what would have gone differently is
                              predicted; writes nothing; may be repeated
          --assume WHAT       what predictions take for given: idle=LENGTH, ping-rate=unknown; may
                              be repeated; see `goldwire replay --help`
          --machine exec:COMMAND
                              hold a machine of another language against the goldens of the machine
                              that it stands for: docs/machines.md
          --ties              take each tie of a line and a timer in both orders
          --allow inconclusive
                              do not fail where it cannot be told
      -v, --verbose           all differences, and not only those near the first; a line for goldens
                              that are as expected too
          --jobs N            look at N traces at once; as it is, 2
          --junit FILE        also write the results there as JUnit's XML; '-' is standard output, in
                              the place of all else
          --report FILE       also write a page of HTML there: lanes, golden beside actual, differences
          --json              JSON Lines: an object for each golden, then the totals

    Parameters come from the first of: --set, the golden's first line, its set in the nearest
    goldwire.json, what was in force when the trace was recorded. Where a recording answers for other
    parameters than were in force, its verdict is same, regression, improvement or inconclusive. Where
    CI is set, --update and --record are refused; where GITHUB_ACTIONS is, what fails is annotated.

    exit status: 0 as expected, 1 differs, 2 wrong usage or bad input, 3 inconclusive

    example:
      goldwire test traces --set heartbeat.interval=25s
      goldwire test --update traces

    """

  var options: TestOptions
  let machine: MachineChoice
  let isVerbose: Bool
  let wantsJSON: Bool
  let junit: String?
  let report: String?

  package init(_ arguments: Arguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else {
      throw arguments.error("a folder, a trace or a golden is missing")
    }
    options = TestOptions(paths: arguments.operands)
    switch arguments.value("update") {
    case nil: break
    case "": options.update = .actions
    case "outcome": options.update = .outcomes
    default: throw arguments.error("--update takes nothing, or =outcome; name paths without '='")
    }
    switch arguments.value("record") {
    case nil: break
    case "missing": options.recordsMissing = true
    default: throw arguments.error("--record wants 'missing'")
    }
    switch arguments.value("allow") {
    case nil: break
    case "inconclusive": options.allowsInconclusive = true
    default: throw arguments.error("--allow wants 'inconclusive'")
    }
    options.overrides = try arguments.overrides()
    options.assumptions = try arguments.assumptions()
    options.ties = arguments.has("ties")
    options.workers = try arguments.number("jobs", atLeast: 1) ?? 2
    if options.update != .none || options.recordsMissing, !options.overrides.values.isEmpty {
      throw arguments.error("--set only asks, and cannot stand with --update or --record")
    }
    machine = try arguments.machineChoice()
    if case .builtIn(.some) = machine {
      throw arguments.error("--machine wants exec:COMMAND here; name goldens to look at some of them")
    }
    if machine.isExec, options.update != .none || options.recordsMissing {
      throw arguments.error("--machine exec: is held against goldens, and writes none")
    }
    isVerbose = arguments.has("verbose")
    options.showsAll = isVerbose
    wantsJSON = arguments.wantsJSON
    junit = arguments.value("junit")
    report = try arguments.report()
    if wantsJSON, junit == "-" { throw arguments.error("--json and --junit - both want standard output") }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    try ReportTargets([("junit", junit == "-" ? nil : junit), ("report", report)])
      .check(apartFrom: options.paths)
    var options = options
    options.isCI = TestOptions.isCI(console.environment)
    options.foreign = try machine.open().foreign
    let run: TestRun
    do throws(ReplayError) {
      run = try TestRun(options)
      try options.foreign?.session.finish()
    } catch { throw CommandError(error) }
    if let foreign = options.foreign, run.results.isEmpty {
      throw CommandError(
        "no golden of a \(foreign.session.machine.rawValue) is there", remedy: "name a folder that has one")
    }
    try tellUnasked(run, console)
    for warning in run.warnings { try console.say("warning: \(warning)") }
    if wantsJSON {
      try console.output.write(run.json())
    } else if junit != "-" {
      try console.output.write(run.text(isVerbose: isVerbose))
    }
    if junit == "-" { try console.output.write(JUnitReport(run).text()) }
    if let junit, junit != "-" { try Traces.put(JUnitReport(run).text(), to: junit) }
    if let report { try Traces.put(Page.test(run).html(), to: report) }
    if WorkflowAnnotations.areUnderstood(console.environment) {
      for line in WorkflowAnnotations.lines(run) { try console.errors.line(line) }
    }
    for result in run.results where result.verdict == .error {
      if wantsJSON, let message = result.explanation.first { try console.say(message) }
    }
    return ExitStatus(run.status)
  }
}

extension TestVerb {
  /// Says which machines `--set` names without one golden being there to ask; a run that asked none of them is an error.
  private func tellUnasked(_ run: TestRun, _ console: Console) throws(CommandError) {
    let named = MachineName.allCases.filter { !(options.overrides[$0] ?? [:]).isEmpty }
    let unasked = named.filter { machine in !run.results.contains { $0.machine == machine } }
    guard !unasked.isEmpty else { return }
    let words = unasked.map { "no golden of a \($0.rawValue) is there" }.joined(separator: ", and ")
    // Where files cannot be read, that is why, and the run has failed already.
    if unasked == named, run.status != .failed {
      throw CommandError(words + ": --set asks nothing", remedy: "name a folder that has one")
    }
    try console.say("warning: \(words): what --set says of it asks nothing")
  }
}
