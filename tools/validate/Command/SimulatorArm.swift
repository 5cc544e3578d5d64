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
    return study.tables("simulator")
  }

  /// Names the first firm line of a run that was wrong.
  private func list(_ score: Score) {
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
