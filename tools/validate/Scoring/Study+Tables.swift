internal import GoldwireReplay

/// The tables of a study.
extension Study {
  /// All tables, their names beginning with a word.
  public func tables(_ prefix: String) -> [Table] {
    var tables: [Table] = []
    for vantage in Experiment.Vantage.allCases {
      let part = taken(vantage)
      guard !part.scores.isEmpty else { continue }
      tables.append(part.grades("\(prefix)-grades-\(vantage.rawValue)"))
    }
    tables.append(shares(prefix + "-shares"))
    tables.append(proofs(prefix + "-proofs"))
    tables.append(firmEnds(prefix + "-ends"))
    tables.append(verdicts(prefix + "-verdicts"))
    tables.append(families(prefix + "-families"))
    tables.append(instants(prefix + "-instants"))
    tables.append(counts(prefix + "-counts"))
    tables.append(soundness(prefix + "-soundness"))
    return tables
  }

  /// Each grade: how often it is right, beside its share.
  func grades(_ name: String) -> Table {
    let all = answered(.unidentified).count
    var table = Table(
      name,
      [
        "grade", "lines", "share", "right", "without bounds", "runs", "runs all right",
        "first wrong, per line",
        "median", "95 %",
      ])
    for grade in Grade.allCases {
      let tally = tally([grade])
      let wrong = tally.first.count - tally.first.hits
      table.rows.append([
        grade.rawValue, Text.count(tally.lines.count), Rate(tally.lines.count, of: all).percent,
        tally.lines.percent, tally.near.percent, Text.count(tally.runs.count), tally.runs.percent,
        tally.first.count == 0
          ? "–" : Text.fixed(Double(wrong) / Double(tally.first.count) * 100, 2) + " %",
        Text.milliseconds(tally.errors.quantile(0.5)) + " ms",
        Text.milliseconds(tally.errors.map { Int($0.magnitude) }.quantile(0.95)) + " ms",
      ])
    }
    return table
  }

  /// How firm the lines are, by what was exchanged and what was changed.
  private func shares(_ name: String) -> Table {
    let kinds: [(String, (Score) -> Bool)] = [
      ("shorter interval", { $0.isInterval && !$0.isLonger }), ("longer interval", { $0.isLonger }),
      ("timeout", { !$0.isInterval }),
    ]
    var table = Table(name, ["traffic"])
    for (kind, _) in kinds {
      for vantage in Experiment.Vantage.allCases { table.columns.append("\(kind), \(vantage.rawValue)") }
    }
    for traffic in traffics {
      var row = [traffic]
      for (_, holds) in kinds {
        for vantage in Experiment.Vantage.allCases {
          let part = filter { $0.setting.traffic == traffic && $0.vantage == vantage && holds($0) }
          row.append("\(part.answered(.interpolated).percent) (\(part.answered(.bounded).percent))")
        }
      }
      table.rows.append(row)
    }
    return table
  }

  /// How many answers have a proof of their own, where the interval is another.
  private func proofs(_ name: String) -> Table {
    var table = Table(name, ["traffic", "answers", "tap", "capture"])
    for traffic in traffics {
      let part = filter { $0.setting.traffic == traffic && $0.isInterval }
      let (tap, capture) = (part.taken(.tap).ownProofs, part.taken(.capture).ownProofs)
      table.rows.append([traffic, Text.count(max(tap.count, capture.count)), tap.percent, capture.percent])
    }
    return table
  }

  /// The firm ends of sessions by grade.
  private func firmEnds(_ name: String) -> Table {
    var table = Table(name, ["grade", "tap: right", "share", "capture: right", "share"])
    for grade in Grade.allCases where grade > .unidentified {
      let (tap, capture) = (taken(.tap).firmEnds([grade]), taken(.capture).firmEnds([grade]))
      table.rows.append([grade.rawValue, tap.fraction, tap.percent, capture.fraction, capture.percent])
    }
    return table
  }

  /// What was said of changes, against what was so.
  private func verdicts(_ name: String) -> Table {
    let truths: [CausalVerdict] = [.regression, .same, .improvement]
    var table = Table(name, ["said, from a tap", "was regression", "was same", "was improvement"])
    for verdict in CausalVerdict.allCases {
      table.rows.append(
        [verdict.rawValue] + truths.map { String(taken(.tap).count(said: verdict, was: $0)) })
    }
    return table
  }

  /// Each family: the decisions of each method.
  private func families(_ name: String) -> Table {
    let methods = Score.Method.allCases
    var table = Table(name, ["family", "runs", "causal, capture"] + methods.map(\.rawValue))
    for family in families + ["all"] {
      let part = family == "all" ? self : filter { $0.setting.family == family }
      let tap = part.taken(.tap)
      let capture = part.taken(.capture).tally(.causal).map { Text.fixed($0.f1, 3) } ?? "–"
      table.rows.append(
        [family, String(tap.scores.count), capture]
          + methods.map { tap.tally($0).map { Text.fixed($0.f1, 3) } ?? "–" })
    }
    return table
  }

  /// Each family: precision, recall and sequence of the prediction, and instants beside those of the comparators.
  private func instants(_ name: String) -> Table {
    let others: [Score.Method] = [.verbatim, .ordinal, .constant, .again]
    var table = Table(
      name,
      ["family", "precision", "recall", "exact sequence", "median"]
        + ["causal 95 %"] + others.map { "\($0.rawValue) 95 %" })
    for family in families + ["all"] {
      let part = (family == "all" ? self : filter { $0.setting.family == family }).taken(.tap)
      guard let causal = part.tally(.causal) else { continue }
      table.rows.append(
        [
          family, causal.precision.percent, causal.recall.percent, causal.exact.percent,
          Text.milliseconds(causal.errors.quantile(0.5)) + " ms",
        ]
          + ([.causal] + others).map { method in
            let errors = part.tally(method)?.errors.map { Int($0.magnitude) } ?? []
            return Text.milliseconds(errors.quantile(0.95)) + " ms"
          })
    }
    return table
  }

  /// Each family: pings and ends, predicted against what there was.
  private func counts(_ name: String) -> Table {
    var table = Table(name, ["family", "pings: predicted / were", "ends: predicted / were"])
    for family in families + ["all"] {
      let part = (family == "all" ? self : filter { $0.setting.family == family }).taken(.tap)
      guard let causal = part.tally(.causal) else { continue }
      table.rows.append([
        family, "\(Text.count(causal.pings.predicted)) / \(Text.count(causal.pings.true))",
        "\(Text.count(causal.ends.predicted)) / \(Text.count(causal.ends.true))",
      ])
    }
    return table
  }

  /// Each family: how often lines that are interpolated or firmer are right, beside how many there are.
  private func soundness(_ name: String) -> Table {
    var table = Table(
      name,
      [
        "family", "answered", "observed, bounded: wrong", "interpolated: right", "runs all right",
        "firm ends: right", "same hides",
      ])
    for family in families + ["all"] {
      let part = (family == "all" ? self : filter { $0.setting.family == family }).taken(.tap)
      let interpolated = part.tally([.interpolated])
      table.rows.append([
        family, part.answered(.interpolated).percent, part.tally([.observed, .bounded]).wrong,
        interpolated.lines.percent, interpolated.runs.percent,
        part.firmEnds([.observed, .bounded, .interpolated]).fraction, part.hidden.fraction,
      ])
    }
    return table
  }
}
