/// What an input showed to be wrong.
public struct FuzzFinding: Error, Equatable, CustomStringConvertible {
  /// The property that does not hold, in words.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a finding where a property does not hold.
func hold(_ condition: Bool, _ property: @autoclosure () -> String) throws(FuzzFinding) {
  if !condition { throw FuzzFinding(property()) }
}
