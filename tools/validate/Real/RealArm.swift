internal import GoldwireReplay
internal import GoldwireTrace
public import ValidationScoring
public import ValidationSimulator

/// The runs on real sockets, in scaled time: each script is met twice by each client, and each is predicted from the other.
public struct RealArm: Sendable {
  /// How much longer all takes in the time that the runs stand for.
  public static let scale = 50
  /// How many sessions run at once for each core.
  private static let sessionsPerCore = 24

  private let scripts: [RealScript]
  private let crew: Crew

  /// How many scripts each family of requests and streams has, and of which half.
  private let others: (half: Half, count: Int)

  /// Takes those plans that the fault server can play, and beside them so many scripts for each family of requests and
  /// event streams; so many cores may be used.
  public init(_ plans: [SessionPlan], _ half: Half, others count: Int, cores: Int) {
    others = (half, count)
    scripts = plans.filter { RealScript.families.contains($0.family) }.map(RealScript.init)
    crew = Crew(cores * Self.sessionsPerCore)
  }

  /// Runs all sessions, and gives the tables of their study.
  ///
  /// Throws where a session does not come about.
  public func tables() async throws -> [Table] {
    let clock = ContinuousClock()
    let begin = clock.now
    let experiments = try await experiments()
    let took = begin.duration(to: clock.now).components.seconds
    let study = Study(try experiments.map { try Score($0) })
    let run = Table(
      "real-run", ["sessions", "took", "scale", "load at the end"],
      [["\(sessions)", "\(took) s", "\(Self.scale)", MachineLoad.text]])
    return [run] + study.tables("real") + (try await otherTables())
  }

  private func otherTables() async throws -> [Table] {
    guard others.count > 0 else { return [] }
    let folder = try TemporaryFolder()
    let requests = RequestArm(half: others.half, count: others.count, crew: crew)
    let streams = StreamArm(half: others.half, count: others.count, crew: crew)
    let told = ["grades-tap", "verdicts", "families", "instants", "soundness"]
    func tables(_ word: String, _ scores: [Score]) -> [Table] {
      Study(scores).tables(word).filter { table in told.contains { table.name == "\(word)-\($0)" } }
    }
    return tables("requests", try await requests.scores(in: folder.path))
      + tables("streams", try await streams.scores(in: folder.path))
  }

  /// How many sessions are run.
  var sessions: Int { scripts.reduce(0) { $0 + 2 * (1 + $1.plan.changes.count) } }

  /// Runs all sessions; predictions come later, so that they disturb none.
  ///
  /// Throws where a session does not come about.
  public func experiments() async throws -> [Experiment] {
    let folder = try TemporaryFolder()
    let runs = try scripts.flatMap { script in
      try ([nil] + script.plan.changes).flatMap { change in
        let client = try script.plan.parameters(change)
        return [0, 1].map { RealSession(script: script, client: client, scale: Self.scale, run: $0) }
      }
    }
    var traces = try await crew.map(runs) { try await $0.trace(in: folder.path) }[...]
    var experiments: [Experiment] = []
    for script in scripts {
      let first = Array(traces.prefix(2))
      traces = traces.dropFirst(2)
      let base = try script.plan.parameters(nil)
      for change in script.plan.changes {
        let second = Array(traces.prefix(2))
        traces = traces.dropFirst(2)
        let asked = try script.plan.parameters(change)
        experiments.append(
          Experiment(
            script.plan.setting(change.name), .tap, recorded: first[0], asked: asked, truth: second[0],
            again: second[1], oracle: try script.expected(of: asked, after: first[0], of: base)))
        experiments.append(
          Experiment(
            script.plan.setting("← " + change.name), .tap, recorded: second[0], asked: base, truth: first[0],
            again: first[1], oracle: try script.expected(of: base, after: second[0], of: asked)))
      }
    }
    return experiments
  }
}
