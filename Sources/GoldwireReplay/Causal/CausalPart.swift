public import GoldwireTrace

/// What a prediction says of one channel, or of one request in it.
public struct CausalPart: Equatable, Sendable {
  /// The channel.
  public var channel: Channel
  /// The logical request, of a machine that has one for each.
  public var req: Int?
  /// The verdict.
  public var verdict: CausalVerdict
  /// What the client would have done, in order.
  public var actions: [CausalAction] = []
  /// What decided, or could not be decided.
  public var branches: [CausalBranch] = []
  /// Why, and what to record or declare in order to know, in words, a line each.
  public var reasons: [String] = []

  /// Makes a part.
  public init(_ channel: Channel, req: Int? = nil, _ verdict: CausalVerdict) {
    self.channel = channel
    self.req = req
    self.verdict = verdict
  }

  /// How many actions have each grade, the firmest first.
  public var grades: [(grade: Grade, count: Int)] {
    Grade.allCases.map { grade in (grade, actions.count { $0.line.grade == grade }) }.filter { $0.count > 0 }
  }

  /// Makes it inconclusive, for a reason that comes before all others.
  mutating func doubt(_ reason: String) {
    verdict = .inconclusive
    reasons.insert(reason, at: 0)
    for index in actions.indices where (actions[index].line.grade ?? .observed) > .assumed {
      actions[index].line.grade = .assumed
    }
  }
}
