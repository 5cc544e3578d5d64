/// What must hold of a machine: a short name for files and scripts, and a sentence for people.
public struct PerturbRule: Hashable, Sendable {
  /// Letters and digits alone.
  public let name: String
  /// A sentence without a full stop.
  public let words: String

  /// Makes a rule; other characters than ASCII letters and digits are left out of its name.
  public init(_ name: String, _ words: String) {
    self.name = String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    self.words = words
  }

  /// A machine asks to be woken, and goes on asking when it was.
  static let endless = PerturbRule(
    "endless", "a machine that was woken does not ask for the same instant without end")
  /// A tick comes early.
  static let earlyTick = PerturbRule(
    "earlyTick", "a machine that is woken before the instant it asked for does nothing")
}
