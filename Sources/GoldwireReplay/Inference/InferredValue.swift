public import GoldwireTrace

/// What a recording tells of one setting of a client: all that the evidence allows, and what it rests on.
///
/// Lengths of time are in the trace's unit. A value is never a guess: where the evidence does not suffice, it
/// says so, and ``record`` says what to record.
public struct InferredValue: Equatable, Sendable {
  /// What the evidence allows.
  public enum Value: Equatable, Sendable {
    /// A length of time between two bounds, both allowed; nil where nothing bounds it.
    case span(low: Int?, high: Int?)
    /// A factor between two bounds.
    case factor(low: Double, high: Double)
    /// A whole number between two bounds; nil where nothing bounds it above.
    case count(low: Int, high: Int?)
    /// One of these words.
    case words([String])
    /// Exactly these numbers.
    case numbers([Int])
    /// Yes or no.
    case flag(Bool)
    /// Nothing can be told.
    case untold
  }

  /// The setting: a parameter's name, or what no machine has a parameter for.
  public var name: String
  /// The assumption under which it holds, as one kind of jitter among several; nil for none.
  public var condition: String?
  /// What the evidence allows.
  public var value: Value
  /// How many observations it rests on.
  public var observations: Int
  /// The indices of the trace lines that decide it, in order.
  public var lines: [Int]
  /// What else a reader should know: residuals, odds, observations that do not fit.
  public var remark: String?
  /// What to record so that more can be told.
  public var record: String?
  /// The value that the machine is run with.
  public var taken: ParameterValue?

  /// Makes a value.
  public init(
    _ name: String, _ value: Value, observations: Int = 0, lines: [Int] = [], condition: String? = nil,
    remark: String? = nil, record: String? = nil, taken: ParameterValue? = nil
  ) {
    self.name = name
    self.value = value
    self.observations = observations
    self.lines = Array(Set(lines)).sorted()
    self.condition = condition
    self.remark = remark
    self.record = record
    self.taken = taken
  }
}

extension InferredValue.Value {
  /// Whether a length of time is allowed.
  public func allows(span: Int) -> Bool {
    guard case .span(let low, let high) = self else { return false }
    return span >= low ?? Int.min && span <= high ?? Int.max
  }

  /// Whether a word is allowed.
  public func allows(word: String) -> Bool {
    guard case .words(let words) = self else { return false }
    return words.contains(word)
  }
}

extension InferredValue.Value {
  /// Whether the evidence allows one word alone.
  var isOneWord: Bool { if case .words(let words) = self { words.count == 1 } else { false } }
}
