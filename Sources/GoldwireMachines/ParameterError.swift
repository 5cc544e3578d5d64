/// A parameter of a machine that lies outside what the machine accepts.
public struct ParameterError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The parameter as files and options write it, such as `heartbeat.interval`.
  public let name: String
  /// What the parameter must be, as the end of a sentence.
  public let rule: String

  /// Makes an error that says which parameter breaks which rule.
  public init(name: String, rule: String) {
    self.name = name
    self.rule = rule
  }

  /// One line that names the parameter and the remedy.
  public var description: String { "\(name) must be \(rule)" }
}
