/// How firm a predicted action is: the grade of its weakest cause.
public enum Grade: String, CaseIterable, Sendable {
  case observed
  case bounded
  case interpolated
  case assumed
  case unidentified
}

extension Grade: Comparable {
  /// Whether the left is the less firm.
  public static func < (left: Grade, right: Grade) -> Bool { left.firmness < right.firmness }

  private var firmness: Int {
    switch self {
    case .observed: 4
    case .bounded: 3
    case .interpolated: 2
    case .assumed: 1
    case .unidentified: 0
    }
  }
}
