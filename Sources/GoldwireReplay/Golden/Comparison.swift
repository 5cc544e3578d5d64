/// A golden held against a replay: which actions are the same, and how the others differ.
public struct Comparison: Equatable, Sendable {
  /// How two files of actions differ, the later words being the graver.
  public enum Verdict: String, CaseIterable, Sendable {
    /// Not at all.
    case same
    /// The same actions at other instants.
    case shifted
    /// Other actions.
    case changed
    /// Another close, end, stop or delivery.
    case outcome
  }

  /// One action on either side, or on both.
  public struct Pair: Equatable, Sendable {
    /// The index of the golden's action.
    public var want: Int?
    /// The index of the replay's action.
    public var got: Int?
    /// How they differ.
    public var verdict: Verdict

    /// Makes a pair.
    public init(want: Int?, got: Int?, verdict: Verdict) {
      self.want = want
      self.got = got
      self.verdict = verdict
    }
  }

  /// The golden's actions.
  public var want: [GoldenLine]
  /// The replay's actions.
  public var got: [GoldenLine]
  /// All actions in the order of their instants, those that belong together paired.
  public private(set) var pairs: [Pair]

  /// Compares the actions of a golden with those of a replay.
  public init(want: [GoldenLine], got: [GoldenLine]) {
    self.want = want
    self.got = got
    pairs = []
    if want == got {
      pairs = want.indices.map { Pair(want: $0, got: $0, verdict: .same) }
      return
    }
    pairs = Self.aligned(want, got)
  }

  /// The gravest difference.
  public var verdict: Verdict {
    var gravest = Verdict.same
    for pair in pairs where pair.verdict > gravest { gravest = pair.verdict }
    return gravest
  }

  /// The index of the first pair that differs.
  public var first: Int? { pairs.firstIndex { $0.verdict != .same } }

  /// How many pairs there are of each verdict.
  public func count(of verdict: Verdict) -> Int { pairs.count { $0.verdict == verdict } }
}

extension Comparison.Verdict: Comparable {
  /// Whether the left is the less grave.
  public static func < (left: Self, right: Self) -> Bool { left.gravity < right.gravity }

  private var gravity: Int {
    switch self {
    case .same: 0
    case .shifted: 1
    case .changed: 2
    case .outcome: 3
    }
  }
}

// MARK: - Alignment

extension Comparison {
  private static func aligned(_ want: [GoldenLine], _ got: [GoldenLine]) -> [Pair] {
    Alignment.pairs(want, got, place: Place.init, instant: \.t) { $0.isSameAction(as: $1) }
      .map { pair($0, $1, want, got) }
  }

  private static func pair(_ w: Int?, _ g: Int?, _ want: [GoldenLine], _ got: [GoldenLine]) -> Pair {
    let (one, two) = (w.map { want[$0] }, g.map { got[$0] })
    let verdict: Verdict
    if let one, let two, one.isSameAction(as: two) {
      verdict = one == two ? .same : .shifted
    } else if let one, let two, isOnlyGrade(one, two) {
      verdict = (two.grade ?? .observed) < (one.grade ?? .observed) ? .outcome : .changed
    } else {
      verdict = (one?.action.isOutcome ?? false) || (two?.action.isOutcome ?? false) ? .outcome : .changed
    }
    return Pair(want: w, got: g, verdict: verdict)
  }

  private static func isOnlyGrade(_ one: GoldenLine, _ two: GoldenLine) -> Bool {
    var other = two
    other.grade = one.grade
    return one.isSameAction(as: other)
  }
}
