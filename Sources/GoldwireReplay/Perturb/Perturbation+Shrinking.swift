internal import GoldwireTrace

extension Perturbation {
  /// The smallest trace that breaks a rule, of those that some mutants shrink to.
  func finding(_ rule: PerturbRule, _ mutants: [Mutant], _ base: Trace, mutants count: Int) -> PerturbFinding
  {
    var best: (lines: [TraceLine], mutant: Mutant)?
    for mutant in mutants {
      var shrinker = Shrinker(mutant.lines, budget: Limits.shrinking) {
        play(base, $0).breach?.rule == rule
      }
      shrinker.run()
      if let best, best.lines.count <= shrinker.lines.count { continue }
      best = (shrinker.lines, mutant)
    }
    let lines = best?.lines ?? []
    let played = play(base, lines)
    // Nothing can be left out of the smallest trace: what it tells of an old connection is what breaks the rule.
    let isStale = played.breach?.isAfterStale ?? false
    var finding = PerturbFinding(
      rule: isStale ? HeartbeatRules.oldGeneration : rule, trace: Trace(header: base.header, lines: lines))
    finding.shown = rule
    finding.mutants = count
    finding.mutant = best?.mutant.number ?? 0
    finding.kinds = best?.mutant.kinds ?? []
    finding.actions = played.replayed.actions
    if let breach = played.breach { place(breach, played, &finding) }
    return finding
  }

  private func place(
    _ breach: Invariant<Adapter.Subject>.Breach, _ played: Played, _ finding: inout PerturbFinding
  ) {
    let history = played.histories[played.place]
    finding.t =
      history.moments.indices.contains(breach.moment) ? history.moments[breach.moment].at : history.horizon
    // The line itself, or the last one that the machine was told before.
    let end = min(breach.moment, history.moments.count - 1)
    finding.line = end >= 0 ? history.moments[...end].last { $0.line != nil }?.line : nil
  }
}
