import GoldwireReplay
import GoldwireTrace
import ValidationScoring
import ValidationSimulator

/// The arm of the world in virtual time.
struct SimulatorArm {
  private let options: ValidateOptions

  init(_ options: ValidateOptions) { self.options = options }

  func tables() async throws -> [Table] {
    let scores = try await Shares.map(options.plans, jobs: options.jobs) { plan in
      let experiments = try plan.experiments()
      try keep(experiments)
      return try experiments.map { try Score($0) }
    }
    for score in scores.joined() { list(score) }
    let study = Study(scores.flatMap(\.self))
    let faultless = FaultFamily.allCases.filter(\.isFaultless).map(\.rawValue)
    let broken = Set([FaultFamily.pingRate.rawValue]).intersection(study.families)
    var tables = [study.extent("simulator-extent")]
    tables.append(study.goals("simulator-goals", faultless: Set(faultless), assumption: broken))
    tables += study.tables("simulator")
    if options.half == .heldBack {
      let unseen = Set(FaultFamily.allCases.filter(Half.isKeptBack).map(\.rawValue))
      let part = study.filter { unseen.contains($0.setting.family) }
      tables.append(part.goals("simulator-unseen", faultless: Set(faultless), assumption: broken))
    }
    if !broken.isEmpty { tables.append(try await pingRate()) }
    if options.families.isEmpty { tables += try await others() }
    return tables
  }

  /// The family whose server does not bear fast pings, with the assumption that it does, and without; all changes.
  private func pingRate() async throws -> Table {
    var plans = options.plans.filter { $0.family == .pingRate }
    for index in plans.indices { plans[index].changes = ClientChange.all }
    func study(_ rate: CausalAssumptions.PingRate) async throws -> Study {
      let scores = try await Shares.map(plans, jobs: options.jobs) { plan in
        try plan.experiments().map { experiment in
          var experiment = experiment
          experiment.assumptions.pingRate = rate
          return try Score(experiment)
        }
      }
      return Study(scores.flatMap(\.self))
    }
    return Study.assumptions(
      "simulator-ping-rate",
      [
        ("pings are borne however fast (the default)", try await study(.borne)),
        ("`ping-rate=unknown`", try await study(.unknown)),
      ])
  }

  /// Requests and event streams.
  private func others() async throws -> [Table] {
    let half = options.half
    let requests = try await Shares.map(
      ActionPlan.requests(half, count: 8 * options.scripts), jobs: options.jobs
    ) { try $0.scores() }
    let streams = try await Shares.map(
      ActionPlan.streams(half, count: 4 * options.scripts), jobs: options.jobs
    ) { try $0.scores() }
    return [
      Study(requests.flatMap(\.self)).actions("simulator-requests"),
      Study(streams.flatMap(\.self)).actions("simulator-streams"),
    ]
  }

  /// Names the first firm line of a run that was wrong.
  private func list(_ score: Score) {
    if options.wrong != nil, score.isIdentity == false {
      let setting = score.setting
      print(
        "\(setting.family) \(setting.seed) \(setting.traffic) \(setting.change) \(score.vantage.rawValue): no identity"
      )
    }
    guard let least = options.wrong, let lines = score.outcomes[.causal]?.reported,
      let line = lines.first(where: { !$0.isRight && ($0.grade ?? .unidentified) >= least })
    else { return }
    let (setting, step) = (score.setting, line.step)
    print(
      "\(setting.family) \(setting.seed) \(setting.traffic) \(setting.change) \(score.vantage.rawValue): "
        + "\(step.key.kind.rawValue) \(step.key.session).\(step.key.ordinal) at \(Text.milliseconds(step.t)) ms "
        + "(\(Text.milliseconds(step.earliest)) to \(Text.milliseconds(step.latest))) \(step.cause ?? "") "
        + "\(step.grade?.rawValue ?? "")")
  }

  /// Leaves the traces of a script in the folder: what was predicted from, and what was.
  private func keep(_ experiments: [Experiment]) throws {
    guard let folder = options.keep else { return }
    for experiment in experiments {
      let setting = experiment.setting
      let name = "\(setting.family)-\(setting.seed)-\(setting.change.replacing(" ", with: "-"))"
      for (trace, part) in [(experiment.recorded, experiment.vantage.rawValue), (experiment.truth, "truth")] {
        try AtomicFile.write(trace.bytes(), to: "\(folder)/\(name)-\(part).jsonl")
      }
    }
  }
}
