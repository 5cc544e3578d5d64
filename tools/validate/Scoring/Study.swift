public import GoldwireReplay

/// The scores of many experiments, added up.
public struct Study: Sendable {
  /// The scores, in order.
  public var scores: [Score]

  /// Makes a study.
  public init(_ scores: [Score]) { self.scores = scores }

  /// Those that were recorded so.
  public func taken(_ vantage: Experiment.Vantage) -> Study {
    Study(scores.filter { $0.vantage == vantage })
  }

  /// Those for which something holds.
  public func filter(_ holds: (Score) -> Bool) -> Study { Study(scores.filter(holds)) }

  /// The families in the order in which they come.
  public var families: [String] { unique(scores.map(\.setting.family)) }
  /// The kinds of traffic in the order in which they come.
  public var traffics: [String] { unique(scores.map(\.setting.traffic)) }
  /// The scripts.
  public var scripts: Int {
    struct Script: Hashable {
      var family: String
      var seed: Int
    }
    return Set(scores.map { Script(family: $0.setting.family, seed: $0.setting.seed) }).count
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  // MARK: Lines by grade

  /// What is known of the lines of one grade.
  public struct GradeTally: Sendable {
    /// Right lines.
    public var lines = Rate()
    /// Right without credit for bounds.
    public var near = Rate()
    /// Runs with such lines, of which all are right.
    public var runs = Rate()
    /// The lines of each run up to its first wrong one, of which that one is the miss.
    public var first = Rate()
    /// How much too late right ones were, in microseconds.
    public var errors: [Int] = []
    /// The wrong lines at which not even the run is like itself.
    public var byChance = 0

    /// The wrong lines of all, and how many of them are so by chance.
    public var wrong: String {
      let all = "\(lines.count - lines.hits - byChance)/\(lines.count)"
      return byChance == 0 ? all : all + ", and \(byChance) by chance"
    }
  }

  /// The reported lines of a grade, or of several, by the product's prediction.
  public func tally(_ grades: Set<Grade>) -> GradeTally {
    var tally = GradeTally()
    for score in scores {
      let lines = (score.outcomes[.causal]?.reported ?? []).filter { $0.grade.map(grades.contains) ?? false }
      guard !lines.isEmpty else { continue }
      for line in lines {
        tally.lines.add(line.isRight)
        tally.near.add(line.isNear)
        if let error = line.error { tally.errors.append(error) }
        if line.isByChance { tally.byChance += 1 }
      }
      let wrong = lines.firstIndex { !$0.isRight }
      tally.runs.add(wrong == nil)
      let counted = wrong.map { $0 + 1 } ?? lines.count
      tally.first.count += counted
      tally.first.hits += wrong == nil ? counted : counted - 1
    }
    return tally
  }

  /// How many reported lines are that firm or firmer.
  public func answered(_ least: Grade) -> Rate {
    var rate = Rate()
    for score in scores {
      for line in score.outcomes[.causal]?.reported ?? [] { rate.add((line.grade ?? .unidentified) >= least) }
    }
    return rate
  }

  /// How many answers to pings are proved for themselves.
  public var ownProofs: Rate {
    var rate = Rate()
    for score in scores {
      for line in score.outcomes[.causal]?.lines ?? [] where line.kind == .answer {
        rate.add((line.proof ?? .unidentified) >= .bounded)
      }
    }
    return rate
  }

  /// The runs whose recording, asked with what was in force, is itself.
  public var identities: Rate {
    let asked = scores.compactMap(\.isIdentity)
    return Rate(asked.count { $0 }, of: asked.count)
  }

  /// The observed and bounded lines that a second run has, in which chance was otherwise.
  public var repeated: Rate {
    scores.reduce(into: Rate()) { rate, score in
      rate.hits += score.repeated.hits
      rate.count += score.repeated.count
    }
  }

  // MARK: Ends and verdicts

  /// The firm ends of these grades.
  public func firmEnds(_ grades: Set<Grade>) -> Rate {
    var rate = Rate()
    for end in scores.flatMap(\.ends) where grades.contains(end.grade) { rate.add(end.isRight) }
    return rate
  }

  /// How many changes were said to be so and were so.
  public func count(said verdict: CausalVerdict, was truth: CausalVerdict) -> Int {
    scores.count { $0.verdict == verdict && $0.truth == truth }
  }

  /// How many of those that were said to be the same were regressions.
  public var hidden: Rate {
    let same = scores.filter { $0.verdict == .same }
    return Rate(same.count { $0.truth == .regression }, of: same.count)
  }

  // MARK: Methods

  /// What a method's decisions come to.
  public struct MethodTally: Equatable, Sendable {
    /// The predicted steps that were there.
    public var precision = Rate()
    /// The steps that were there and were predicted.
    public var recall = Rate()
    /// The runs whose whole sequence was predicted.
    public var exact = Rate()
    /// How much too late right steps were, in microseconds.
    public var errors: [Int] = []
    /// How many pings were predicted, and how many there were.
    public var pings = (predicted: 0, true: 0)
    /// The same of ends.
    public var ends = (predicted: 0, true: 0)

    /// The harmonic mean of precision and recall.
    public var f1: Double {
      let (p, r) = (precision.share, recall.share)
      return p + r == 0 ? 0 : 2 * p * r / (p + r)
    }

    /// Whether both come to the same.
    public static func == (left: MethodTally, right: MethodTally) -> Bool {
      left.precision == right.precision && left.recall == right.recall && left.exact == right.exact
        && left.errors == right.errors && left.pings == right.pings && left.ends == right.ends
    }
  }

  /// The decisions of one method: the same rule for all, without credit for bounds; nil where it was not asked.
  public func tally(_ method: Score.Method) -> MethodTally? {
    var tally = MethodTally()
    var isEmpty = true
    for score in scores {
      guard let outcome = score.outcomes[method] else { continue }
      isEmpty = false
      for line in outcome.reported {
        tally.precision.add(line.isNear)
        if line.isNear, let error = line.error { tally.errors.append(error) }
      }
      tally.recall.count += outcome.truths
      tally.recall.hits += outcome.hits
      tally.exact.add(outcome.isExact)
      tally.pings.predicted += outcome.pings.predicted
      tally.pings.true += outcome.pings.true
      tally.ends.predicted += outcome.ends.predicted
      tally.ends.true += outcome.ends.true
    }
    return isEmpty ? nil : tally
  }
}
