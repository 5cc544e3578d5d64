/// How the command ends.
package enum ExitStatus: Int32, Sendable {
  /// All is as expected.
  case expected = 0
  /// Something differs.
  case differs = 1
  /// Wrong usage, or input that cannot be read.
  case failed = 2
  /// The question cannot be answered with what is known.
  case inconclusive = 3

  /// The status of two results together: 2 over 1 over 3 over 0.
  package func and(_ other: ExitStatus) -> ExitStatus { rank >= other.rank ? self : other }

  private var rank: Int {
    switch self {
    case .expected: 0
    case .inconclusive: 1
    case .differs: 2
    case .failed: 3
    }
  }
}
