public import GoldwireTrace

/// What `goldwire test` is asked to do.
public struct TestOptions: Equatable, Sendable {
  /// Which goldens may be written anew.
  public enum Update: Equatable, Sendable {
    /// None.
    case none
    /// Those whose actions are shifted or changed; an outcome only where the golden itself is named.
    case actions
    /// All.
    case outcomes
  }

  /// Folders, traces and goldens.
  public var paths: [String]
  /// Values that are only asked about.
  public var overrides: ParameterTable
  /// What causal replays take for given.
  public var assumptions = CausalAssumptions()
  /// Machines of another language, in the place of one of the built-in ones.
  public var foreign: ForeignSource?
  /// Which goldens may be written anew.
  public var update: Update
  /// Whether goldens that are not there are made.
  public var recordsMissing: Bool
  /// Whether each tie is taken in both orders.
  public var ties: Bool
  /// Whether an inconclusive verdict is no failure.
  public var allowsInconclusive: Bool
  /// Whether every difference is told, and not only those near the first.
  public var showsAll = false
  /// Whether this is a continuous integration's run, where nothing is written.
  public var isCI: Bool
  /// How many traces are looked at at once.
  public var workers: Int

  /// Makes options.
  public init(
    paths: [String], overrides: ParameterTable = ParameterTable(), update: Update = .none,
    recordsMissing: Bool = false, ties: Bool = false, allowsInconclusive: Bool = false, isCI: Bool = false,
    workers: Int = 2
  ) {
    self.paths = paths
    self.overrides = overrides
    self.update = update
    self.recordsMissing = recordsMissing
    self.ties = ties
    self.allowsInconclusive = allowsInconclusive
    self.isCI = isCI
    self.workers = workers
  }

  /// Whether a continuous integration runs this: `CI` is set to anything but empty, `0` or `false`.
  public static func isCI(_ environment: [String: String]) -> Bool {
    !["", "0", "false"].contains(environment["CI", default: ""])
  }

  /// Whether anything may be written.
  var writes: Bool { update != .none || recordsMissing }

  /// Refuses what must not be asked together.
  func check() throws(ReplayError) {
    if isCI, writes {
      throw ReplayError(
        "--update and --record are refused where CI is set; update on your own machine and commit the goldens"
      )
    }
    if writes, !overrides.values.isEmpty {
      throw ReplayError(
        "--set only asks and writes nothing; to update, change the set in \(Configuration.file), or the "
          + "golden's header")
    }
  }
}
