internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireTrace
internal import ValidationScoring
internal import ValidationSimulator

/// The runs of requests on real sockets, in true time.
struct RequestArm: Sendable {
  let half: Half
  /// How many scripts each family has.
  let count: Int
  let crew: Crew

  /// Runs all sessions, and scores the predictions.
  func scores(in folder: String) async throws -> [Score] {
    let scripts = RequestScript.Family.allCases.flatMap { family in
      (0..<count).map { RequestScript(family, half, seed: half.seed($0)) }
    }
    let sessions = try scripts.flatMap { script in
      try ([nil] + script.changes).map { change in
        RequestSession(script: script, client: try script.parameters(change))
      }
    }
    // The second runs come after all first ones: what is slow at one time is not slow for both.
    let runs = try await crew.map(sessions + sessions) { try await $0.trace(in: folder) }
    let traces = sessions.indices.flatMap { [runs[$0], runs[$0 + sessions.count]] }
    var scores: [Score] = []
    for (index, script) in scripts.enumerated() {
      let stride = 2 * (1 + script.changes.count)
      let own = Array(traces[index * stride..<(index + 1) * stride])
      let base = try script.parameters(nil)
      for (place, change) in script.changes.enumerated() {
        let asked = try script.parameters(change)
        let (first, second) = (Array(own[0...1]), Array(own[2 * place + 2...2 * place + 3]))
        scores.append(try score(script, change.words, first[0], base, asked, second))
        scores.append(try score(script, "← " + change.words, second[0], asked, base, first))
      }
    }
    return scores
  }

  private func score(
    _ script: RequestScript, _ change: String, _ recorded: Trace, _ old: MachineParameters,
    _ asked: MachineParameters, _ truths: [Trace]
  ) throws -> Score {
    let setting = Experiment.Setting(
      family: script.family.rawValue, hasOutage: script.family == .outages, seed: script.seed,
      traffic: "requests", change: change)
    let parameters = try asked.retry(.us)
    let window = Window(until: recorded.horizon, tolerance: max(50_000, parameters.base / 4))
    let was = try ActionScore.steps(of: truths[0], asked)
    let (steps, verdict) = try ActionScore.prediction(of: recorded, asked)
    let starts = script.requests.map(\.start)
    // What waits nobody drew for, only the oracle knows.
    let naive = NaiveRequests(
      starts: starts, parameters: parameters, unit: NaiveRequests.units(in: recorded))
    let knowing = NaiveRequests(starts: starts, parameters: parameters, unit: script.unit)
    let predicted: [Score.Method: [Step]] = [
      .causal: steps, .verbatim: try ActionScore.steps(of: recorded, asked, tick: .exact),
      .again: try ActionScore.steps(of: truths[1], asked),
      .ordinal: naive.steps(after: recorded, isConstant: false),
      .constant: naive.steps(after: recorded, isConstant: true),
      .oracle: knowing.steps { script.reply($0, $1, at: $2) },
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
