import GoldwireReplay
import ValidationScoring
import ValidationSimulator

/// The arm of the world in virtual time.
struct SimulatorArm {
  private let options: ValidateOptions

  init(_ options: ValidateOptions) { self.options = options }

  func tables() async throws -> [Table] {
    let plans = SessionPlan.all(options.half, scripts: options.scripts).filter {
      options.families.isEmpty || options.families.contains($0.family.rawValue)
    }
    let scores = try await Shares.map(plans, jobs: options.jobs) { plan in
      try plan.experiments().map { try Score($0) }
    }
    let study = Study(scores.flatMap(\.self))
    return study.tables("simulator")
  }
}
