public import GoldwireTrace

/// The first line of a golden file: which machine, over which trace, asked how.
public struct GoldenHeader: Equatable, Sendable {
  /// The version of the format that this library reads and writes.
  public static let version = 1

  /// Where a golden's parameters come from.
  public enum Parameters: Equatable, Sendable {
    /// They stand in the golden itself, which pins them.
    case literal([ParameterName: ParameterValue])
    /// They are those of a named set in the nearest configuration.
    case set(String)
  }

  /// How the trace is replayed.
  public enum Mode: String, CaseIterable, Sendable {
    /// As recorded.
    case recorded
    /// With the environment that the recording allows for.
    case causal
  }

  /// Which lines a golden has.
  public enum Detail: String, CaseIterable, Sendable {
    /// Every action; what a golden without the key means.
    case all
    /// Outcomes, and one line for each run of pings.
    case outcomes
  }

  /// What a replay had to take for granted.
  public enum Assumption: String, CaseIterable, Sendable {
    /// Each event counts as handled at its own instant.
    case handled
    /// The random unit of a wait is fitted to the recorded next send.
    case unit
  }

  /// The file name of the trace.
  public var trace: String
  /// The machine.
  public var machine: ActionWord
  /// Where the parameters come from.
  public var parameters: Parameters
  /// How the trace is replayed.
  public var mode: Mode
  /// When the machine is woken.
  public var tick: TickMode
  /// Which lines there are; nil for all.
  public var detail: Detail?
  /// What is taken for granted, in the order of the vocabulary.
  public var assume: [Assumption]
  /// The unit of all instants: the trace's.
  public var unit: Unit

  /// Makes a header.
  public init(
    trace: String, machine: ActionWord, parameters: Parameters, mode: Mode = .recorded, tick: TickMode,
    detail: Detail? = nil, assume: [Assumption] = [], unit: Unit
  ) {
    self.trace = trace
    self.machine = machine
    self.parameters = parameters
    self.mode = mode
    self.tick = tick
    self.detail = detail
    self.assume = assume
    self.unit = unit
  }

  /// The machine, if it is one of the built-in ones.
  public var builtIn: MachineName? { MachineName(rawValue: machine.description) }
}
