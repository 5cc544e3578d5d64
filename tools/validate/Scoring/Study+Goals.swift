internal import GoldwireReplay

/// What predictions are to come to, and whether they do.
extension Study {
  /// The goals, each with what was measured; `faultless` families have no faults, `assumption` ones break a declared
  /// assumption.
  public func goals(_ name: String, faultless: Set<String>, assumption: Set<String>) -> Table {
    var table = Table(name, ["goal", "measured", "met"])
    func add(_ goal: String, _ measured: String, _ isMet: Bool) {
      table.rows.append([goal, measured, isMet ? "yes" : "**no**"])
    }
    let tap = taken(.tap)
    add(
      "asked with what was in force, a prediction is the recording", identities.fraction,
      identities.share == 1)
    addSoundness(&table)
    let hidden = tap.hidden
    add("`same` hides a regression in ≤ 2 %", "\(hidden.percent) (\(hidden.fraction))", hidden.share <= 0.02)
    if !assumption.isEmpty {
      let rest = tap.filter { !assumption.contains($0.setting.family) }.hidden
      add(
        "the same without \(assumption.sorted().joined(separator: ", "))",
        "\(rest.percent) (\(rest.fraction))", rest.share <= 0.02)
    }
    let faulty = tap.filter { !faultless.contains($0.setting.family) }.answered(.interpolated)
    add("≥ 60 % of lines answered under faults, from a tap", faulty.percent, faulty.share >= 0.6)
    let quiet = tap.filter { faultless.contains($0.setting.family) && $0.setting.traffic != "none" }
      .answered(.interpolated)
    if quiet.count > 0 {
      add("≥ 85 % without faults, with traffic", quiet.percent, quiet.share >= 0.85)
    }
    let proofs = taken(.capture).filter {
      $0.setting.traffic == "exchanges" && $0.isInterval && $0.timeout >= 5_000_000
    }.ownProofs
    add(
      "≥ 50 % of answers proved for themselves, from a capture with a round trip every 2 s, timeout ≥ 5 s",
      proofs.percent, proofs.share >= 0.5)
    addComparisons(&table)
    return table
  }

  private func addSoundness(_ table: inout Table) {
    for vantage in Experiment.Vantage.allCases {
      let part = taken(vantage)
      guard !part.scores.isEmpty else { continue }
      func add(_ goal: String, _ measured: String, _ isMet: Bool) {
        table.rows.append([goal + ", \(vantage.rawValue)", measured, isMet ? "yes" : "**no**"])
      }
      let proved = part.tally([.observed, .bounded]).lines
      add(
        "no observed or bounded line is wrong", "\(proved.count - proved.hits) of \(proved.count)",
        proved.hits == proved.count)
      let interpolated = part.tally([.interpolated])
      add(
        "interpolated lines are right in ≥ 97 %", interpolated.lines.percent, interpolated.lines.share >= 0.97
      )
      let firm = part.tally([.observed, .bounded, .interpolated])
      let wrong = firm.first.count - firm.first.hits
      let share = Double(wrong) / Double(max(1, firm.first.count))
      add(
        "a first wrong line in ≤ 0.5 % of lines",
        "\(Text.fixed(share * 100, 2)) % (\(wrong) of \(firm.runs.count) runs)", share <= 0.005)
      let ends = part.firmEnds([.observed, .bounded, .interpolated])
      add("firm ends are right in ≥ 98 %", "\(ends.percent) (\(ends.fraction))", ends.share >= 0.98)
    }
  }

  /// The comparators that a prediction must be better than.
  private static let comparators: [Score.Method] = [.verbatim, .ordinal, .constant]

  private func addComparisons(_ table: inout Table) {
    var (worse, notBetter, stays) = ([String](), [String](), [String]())
    for family in families {
      let part = filter { $0.setting.family == family }.taken(.tap)
      guard let causal = part.tally(.causal)?.f1 else { continue }
      let noise = 1 - (part.tally(.again)?.f1 ?? 1)
      let best = Self.comparators.compactMap { part.tally($0)?.f1 }.max() ?? 0
      let hasOutage = part.scores.contains(where: \.setting.hasOutage)
      if causal < best - noise - 0.001 { worse.append(family) }
      if hasOutage, causal <= best { notBetter.append(family) }
      if hasOutage, let placebo = part.tally(.placebo)?.f1, placebo > best + noise { stays.append(family) }
    }
    func add(_ goal: String, _ families: [String]) {
      table.rows.append([
        goal, families.isEmpty ? "in all families" : "not in \(families.joined(separator: ", "))",
        families.isEmpty ? "yes" : "**no**",
      ])
    }
    add("not worse than any comparator, beyond the noise", worse)
    add("better than every comparator where there is an outage", notBetter)
    add("with its events moved, no better than the best comparator, where there is an outage", stays)
  }
}
