/// What a prediction says of a change; it is judged by its deciding line, not by its weakest.
public enum CausalVerdict: String, CaseIterable, Sendable {
  /// Nothing ends otherwise, and no line is less firm than `interpolated`.
  case same
  /// A firm end, `interpolated` or better, where the recording had none.
  case regression
  /// An end of the recording that no world has, and nothing worse.
  case improvement
  /// The rest: what it would take to know is said beside it.
  case inconclusive

  /// The verdict of two parts together: the one that a release must look at first.
  public func and(_ other: CausalVerdict) -> CausalVerdict { gravity >= other.gravity ? self : other }

  /// The exit status of a run that asked this alone.
  public var status: TestStatus {
    switch self {
    case .same, .improvement: .expected
    case .regression: .differs
    case .inconclusive: .inconclusive
    }
  }

  private var gravity: Int {
    switch self {
    case .same: 0
    case .improvement: 1
    case .inconclusive: 2
    case .regression: 3
    }
  }
}
