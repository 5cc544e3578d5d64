public import GoldwireMachines

/// Something that must hold of a machine for every input.
///
///     Invariant("silentAfterClose", "a closed connection is not barked at") { history in
///       history.moments.firstIndex { … }
///     }
public struct Invariant<Subject: Machine>: Sendable {
  /// Where a rule is broken.
  struct Breach: Equatable, Sendable {
    var rule: PerturbRule
    /// The index of the moment that breaks it; past the last where something is lacking at the end.
    var moment: Int
    /// Whether the machine had been told something of an old connection before.
    var isAfterStale = false
  }

  /// The rules that are asked.
  let rules: [PerturbRule]
  let check: @Sendable (History<Subject>) -> Breach?

  /// Makes an invariant of one rule.
  ///
  /// `broken` gives the index of the moment that breaks it, or nil where it holds.
  public init(
    _ name: String, _ words: String, broken: @escaping @Sendable (History<Subject>) -> Int?
  ) {
    let rule = PerturbRule(name, words)
    rules = [rule]
    check = { history in broken(history).map { Breach(rule: rule, moment: $0) } }
  }

  /// Makes an invariant that asks several rules in one pass.
  init(_ rules: [PerturbRule], check: @escaping @Sendable (History<Subject>) -> Breach?) {
    self.rules = rules
    self.check = check
  }
}
