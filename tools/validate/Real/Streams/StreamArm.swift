internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireTrace
internal import ValidationScoring
internal import ValidationSimulator

/// The runs of event streams on real sockets, in true time.
struct StreamArm: Sendable {
  let half: Half
  /// How many scripts each family has.
  let count: Int
  let crew: Crew

  /// Runs all sessions, and scores the predictions.
  func scores(in folder: String) async throws -> [Score] {
    let scripts = StreamScript.Family.allCases.flatMap { family in
      (0..<count).map { StreamScript(family, half, seed: half.seed($0)) }
    }
    let sessions = try scripts.flatMap { script in
      try ([nil] + script.changes).map { change in
        StreamSession(script: script, client: try script.parameters(change))
      }
    }
    // The second runs come after all first ones: what is slow at one time is not slow for both.
    let runs = try await crew.map(sessions + sessions) { try await $0.trace(in: folder) }
    let traces = sessions.indices.flatMap { [runs[$0], runs[$0 + sessions.count]] }
    var scores: [Score] = []
    for (index, script) in scripts.enumerated() {
      guard let change = script.changes.first else { continue }
      let own = Array(traces[4 * index..<4 * index + 4])
      let (base, asked) = (try script.parameters(nil), try script.parameters(change))
      scores.append(try score(script, change.words, own[0], base, asked, Array(own[2...3])))
      scores.append(try score(script, "← " + change.words, own[2], asked, base, Array(own[0...1])))
    }
    return scores
  }

  private func score(
    _ script: StreamScript, _ change: String, _ recorded: Trace, _ old: MachineParameters,
    _ asked: MachineParameters, _ truths: [Trace]
  ) throws -> Score {
    let setting = Experiment.Setting(
      family: script.family.rawValue, hasOutage: script.family != .cuts, seed: script.seed,
      traffic: "events", change: change)
    let parameters = try asked.stream(.us)
    let window = Window(
      until: recorded.horizon - 1_500_000, tolerance: parameters.delay / 2)
    let was = try ActionScore.steps(of: truths[0], asked)
    let (steps, verdict) = try ActionScore.prediction(of: recorded, asked)
    let predicted: [Score.Method: [Step]] = [
      .causal: steps, .verbatim: try ActionScore.steps(of: recorded, asked, tick: .exact),
      .again: try ActionScore.steps(of: truths[1], asked),
      .ordinal: NaiveStream.steps(of: recorded, parameters, isConstant: false),
      .constant: NaiveStream.steps(of: recorded, parameters, isConstant: true),
      .oracle: NaiveStream.steps(of: recorded, parameters, meets: script.connection),
    ]
    let before = try ActionScore.steps(of: recorded, old)
    return Score(
      setting, .tap, outcomes: predicted.mapValues { Outcome($0, against: was, window) }, verdict: verdict,
      truth: ActionScore.verdict(
        before, was, gaveUp: (ActionScore.gaveUp(recorded), ActionScore.gaveUp(truths[0])),
        until: window.until)
    ).excused(by: predicted[.again] ?? [], was, window)
  }
}
