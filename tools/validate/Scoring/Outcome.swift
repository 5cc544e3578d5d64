public import GoldwireReplay

/// How the steps of one run were predicted, by a prediction or a comparator.
public struct Outcome: Sendable {
  /// A predicted step, judged.
  public struct Line: Equatable, Sendable {
    /// What was predicted.
    public var step: Step
    /// What it is.
    public var kind: Step.Kind { step.key.kind }
    /// How firm it is; nil of a comparator's.
    public var grade: Grade? { step.grade }
    /// How firm it is alone.
    public var proof: Grade? { step.proof }
    /// The run has it, for that reason, near that instant or between the bounds.
    public var isRight: Bool
    /// The same without credit for bounds.
    public var isNear: Bool
    /// How much too late it was predicted, in microseconds; nil where it is wrong.
    public var error: Int?
    /// It is wrong, and the same client's second run was otherwise there as well: not even the run is like itself.
    public var isByChance = false
  }

  /// The predicted steps that count, in order; those that a report has, then the others.
  public var lines: [Line] = []
  /// The reported steps that the run has.
  public var truths = 0
  /// Those of them that were predicted near their instants.
  public var hits = 0
  /// Whether the reported steps came in exactly the predicted sequence.
  public var isExact = false
  /// How many pings were predicted, and how many there were.
  public var pings = (predicted: 0, true: 0)
  /// The same of ends.
  public var ends = (predicted: 0, true: 0)

  /// Makes the outcome of nothing.
  public init() {}

  /// Holds predicted steps against those that were.
  public init(_ predicted: [Step], against truth: [Step], _ window: Window) {
    let known = Self.known(truth)
    let counted = predicted.filter { $0.t <= window.until }
    lines = counted.map { Self.judge($0, known[$0.key], window) }
    let said = Self.known(predicted)
    for step in truth where step.t <= window.until && step.key.kind.isReported {
      truths += 1
      guard let match = said[step.key], match.cause == step.cause else { continue }
      if abs(match.t - step.t) <= window.tolerance { hits += 1 }
    }
    isExact = Self.isExact(predicted, truth, window)
    func count(_ steps: [Step], _ kind: Step.Kind) -> Int {
      steps.count { $0.t <= window.until && $0.key.kind == kind }
    }
    pings = (count(predicted, .ping), count(truth, .ping))
    ends = (count(predicted, .end), count(truth, .end))
  }

  /// Marks wrong lines at which a second run of the same client was not like the first.
  mutating func excuse(by again: [Step], _ truth: [Step], _ window: Window) {
    let (one, two) = (Self.known(truth), Self.known(again))
    for index in lines.indices where !lines[index].isRight {
      let key = lines[index].step.key
      let isAlike =
        switch (one[key], two[key]) {
        case (let one?, let two?): one.cause == two.cause && abs(one.t - two.t) <= window.tolerance
        case (nil, nil): true
        default: false
        }
      lines[index].isByChance = !isAlike
    }
  }

  private static func known(_ steps: [Step]) -> [Step.Key: Step] {
    Dictionary(steps.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func judge(_ step: Step, _ match: Step?, _ window: Window) -> Line {
    let match = match.flatMap { $0.cause == step.cause ? $0 : nil }
    let distance = match.map { step.t - $0.t }
    let isNear = distance.map { abs($0) <= window.tolerance } ?? false
    let isBetween = match.map { step.earliest <= $0.t && $0.t <= step.latest } ?? false
    let isRight = isNear || isBetween
    return Line(
      step: step, isRight: isRight, isNear: isNear,
      error: isRight ? distance : nil)
  }

  /// Whether one sequence goes on where the other ends: at the window's edge one may be a little ahead.
  private static func isExact(_ predicted: [Step], _ truth: [Step], _ window: Window) -> Bool {
    struct Name: Equatable {
      var key: Step.Key
      var cause: String?
    }
    func names(_ steps: [Step], _ edge: Int) -> [Name] {
      steps.filter { $0.key.kind.isReported && $0.t <= edge }.map { Name(key: $0.key, cause: $0.cause) }
    }
    let (left, right) = (names(predicted, .max), names(truth, .max))
    let counted = max(names(predicted, window.until).count, names(truth, window.until).count)
    return left.count >= counted && right.count >= counted && left.prefix(counted) == right.prefix(counted)
  }

  /// The judged steps that a report has.
  public var reported: [Line] { lines.filter(\.kind.isReported) }
}
