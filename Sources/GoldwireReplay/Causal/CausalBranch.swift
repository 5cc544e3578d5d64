/// An end of a session, or the outcome of a request, that decides a verdict.
public struct CausalBranch: Equatable, Sendable {
  /// How it stands to the recording.
  public enum Kind: String, CaseIterable, Sendable {
    /// All worlds have it, and the recording had none.
    case gained
    /// The recording has it, and no world does.
    case lost
    /// Some worlds have it, and some do not.
    case split
  }

  /// How it stands to the recording.
  public var kind: Kind
  /// The end, with its grade.
  public var line: GoldenLine
  /// When it comes at the earliest.
  public var earliest: Int
  /// When it comes at the latest.
  public var latest: Int
  /// In how many worlds it is.
  public var worlds: Int
  /// How many worlds were asked.
  public var of: Int
  /// The indices of the trace lines that it rests on.
  public var lines: [Int]

  /// Makes a branch.
  public init(
    _ kind: Kind, _ line: GoldenLine, earliest: Int, latest: Int, worlds: Int, of: Int, lines: [Int]
  ) {
    self.kind = kind
    self.line = line
    self.earliest = earliest
    self.latest = latest
    self.worlds = worlds
    self.of = of
    self.lines = lines
  }
}
