internal import GoldwireReplay

/// Tables of predictions that are of requests or of event streams, and of what assumptions cost.
extension Study {
  /// Each family: how much is answered, how often it is right, and what naive ways come to.
  public func actions(_ name: String) -> Table {
    var table = Table(
      name,
      [
        "world", "runs", "answered", "observed, bounded: wrong", "interpolated: right", "assumed: right",
        "unidentified: right", "F1", "verbatim F1", "ordinal F1", "constant F1", "same hides",
      ])
    for family in families + ["all"] {
      let part = family == "all" ? self : filter { $0.setting.family == family }
      let proved = part.tally([.observed, .bounded]).lines
      func right(_ grade: Grade) -> String {
        let lines = part.tally([grade]).lines
        return lines.count == 0 ? "–" : "\(lines.percent) of \(lines.count)"
      }
      func f1(_ method: Score.Method) -> String {
        part.tally(method).map { Text.fixed($0.f1, 3) } ?? "–"
      }
      table.rows.append([
        family, String(part.scores.count), part.answered(.interpolated).percent,
        "\(proved.count - proved.hits)/\(proved.count)", right(.interpolated), right(.assumed),
        right(.unidentified), f1(.causal), f1(.verbatim), f1(.ordinal), f1(.constant), part.hidden.fraction,
      ])
    }
    return table
  }

  /// What an assumption is worth: the same runs under each.
  public static func assumptions(_ name: String, _ studies: [(words: String, study: Study)]) -> Table {
    var table = Table(
      name,
      [
        "assumed", "shorter interval: answered", "interpolated: right", "firm ends: right", "said same",
        "same hides",
      ])
    for (words, study) in studies {
      let part = study.taken(.tap)
      let same = part.scores.count { $0.verdict == .same }
      table.rows.append([
        words, part.filter { $0.isInterval && !$0.isLonger }.answered(.interpolated).percent,
        part.tally([.interpolated]).lines.percent,
        part.firmEnds([.observed, .bounded, .interpolated]).fraction, String(same), part.hidden.fraction,
      ])
    }
    return table
  }

  /// The study in a few numbers.
  public func extent(_ name: String) -> Table {
    let lines = taken(.tap).answered(.unidentified).count
    return Table(
      name,
      [
        "scripts", "predictions", "lines, from a tap", "identity",
        "observed and bounded lines that come again",
      ],
      [
        [
          Text.count(scripts), Text.count(scores.count), Text.count(lines), identities.fraction,
          repeated.percent,
        ]
      ])
  }
}
