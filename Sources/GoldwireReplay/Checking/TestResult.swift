public import GoldwireTrace

/// What came of one golden, or of a trace or golden that lacks its other half.
public struct TestResult: Equatable, Sendable {
  /// How it came out.
  public enum Verdict: String, CaseIterable, Sendable {
    case same
    case shifted
    case changed
    case outcome
    /// A golden that is required is not there.
    case missing
    /// A golden whose trace is not there.
    case orphan
    /// A trace that drives nothing, or a folder without any.
    case empty
    /// With the parameters asked a connection would have ended, or a request failed, where the recorded one did not.
    case regression
    /// With the parameters asked an end of the recording would not have come, and nothing worse.
    case improvement
    /// It cannot be told.
    case inconclusive
    /// A file cannot be read or written, or a parameter is missing.
    case error
  }

  /// The first action that differs.
  public struct First: Equatable, Sendable {
    /// The instant.
    public var t: Int
    /// The channel.
    public var channel: Channel?
    /// The golden's action.
    public var want: GoldenLine?
    /// The replay's action.
    public var got: GoldenLine?
    /// The number of the trace line behind it.
    public var line: Int?
  }

  /// The trace, as a path from where the command runs; of an orphan, where it should be.
  public var trace: String
  /// The golden; nil where none is meant.
  public var golden: String?
  /// The machine; nil where none is meant.
  public var machine: MachineName?
  /// How it came out.
  public var verdict: Verdict
  /// The first action that differs.
  public var first: First?
  /// Golden and replay, held against each other; nil where no action differs.
  public var comparison: Comparison?
  /// How many actions the replay gave.
  public var actions: Int = 0
  /// How many actions are shifted.
  public var shifted: Int = 0
  /// How many actions are others.
  public var changed: Int = 0
  /// How many outcomes are others.
  public var outcomes: Int = 0
  /// How many ties change the actions.
  public var ties: Int = 0
  /// What happened and what to do, in words, a line each.
  public var explanation: [String] = []
  /// Whether the golden was written.
  public var isWritten = false
  /// Whether the lock forgot a golden that is gone, as was asked.
  public var isForgotten = false

  /// Makes a result.
  public init(trace: String, golden: String? = nil, machine: MachineName? = nil, _ verdict: Verdict) {
    self.trace = trace
    self.golden = golden
    self.machine = machine
    self.verdict = verdict
  }

  /// The exit status that it alone would give.
  public var status: TestStatus {
    switch verdict {
    case .error: return .failed
    case .empty where golden == nil && machine == nil && trace.isEmpty: return .failed
    case _ where isWritten || isForgotten: return ties > 0 ? .differs : .expected
    case .same, .improvement: return ties > 0 ? .differs : .expected
    case .inconclusive: return ties > 0 ? .differs : .inconclusive
    case .shifted, .changed, .outcome, .missing, .orphan, .empty, .regression: return .differs
    }
  }
}

/// How a run ended, graver ones first: failed over differs over inconclusive over expected.
public enum TestStatus: Int, CaseIterable, Sendable {
  /// All is as expected.
  case expected = 0
  /// Something differs.
  case differs = 1
  /// Wrong usage, or a file that cannot be read.
  case failed = 2
  /// The question cannot be answered.
  case inconclusive = 3

  /// The graver of both.
  public func and(_ other: TestStatus) -> TestStatus { gravity >= other.gravity ? self : other }

  private var gravity: Int {
    switch self {
    case .expected: 0
    case .inconclusive: 1
    case .differs: 2
    case .failed: 3
    }
  }
}
