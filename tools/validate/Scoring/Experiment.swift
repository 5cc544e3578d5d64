public import GoldwireReplay
public import GoldwireTrace

/// Two runs under one script of faults, one to predict from and one to hold the prediction against.
///
/// Where the traces come from does not matter: from a simulated world, or from a client and a server on real sockets. All
/// instants are in microseconds; a run in scaled time is stretched to the time that its parameters name before it comes
/// here, by ``Trace/stretched(by:)``.
public struct Experiment: Sendable {
  /// Where the recording was taken.
  public enum Vantage: String, CaseIterable, Sendable {
    /// The client's own: it sees what its transport hands it.
    case tap
    /// A capture beside the client: it sees acknowledgements too.
    case capture
  }

  /// What the runs have in common.
  public struct Setting: Hashable, Sendable {
    /// The kind of the script's faults.
    public var family: String
    /// Whether the faults hold packets back or lose them.
    public var hasOutage: Bool
    /// What the script is drawn from.
    public var seed: Int
    /// What is exchanged beside pings.
    public var traffic: String
    /// The change, as `interval ×0.5`, with `←` where it is asked backwards.
    public var change: String

    /// Makes a setting.
    public init(family: String, hasOutage: Bool, seed: Int, traffic: String, change: String) {
      self.family = family
      self.hasOutage = hasOutage
      self.seed = seed
      self.traffic = traffic
      self.change = change
    }
  }

  /// What the runs have in common.
  public var setting: Setting
  /// Where the recording was taken.
  public var vantage: Vantage
  /// The run to predict from; its header says what was in force.
  public var recorded: Trace
  /// The parameters that are asked.
  public var asked: MachineParameters
  /// The run with those, as its client saw it.
  public var truth: Trace
  /// The same once more, for what no prediction can know: the noise floor.
  public var again: Trace?
  /// The run that one who knows the script expects.
  public var oracle: Trace?
  /// What is taken for given.
  public var assumptions = CausalAssumptions()

  /// Makes an experiment.
  public init(
    _ setting: Setting, _ vantage: Vantage, recorded: Trace, asked: MachineParameters, truth: Trace,
    again: Trace? = nil, oracle: Trace? = nil
  ) {
    self.setting = setting
    self.vantage = vantage
    self.recorded = recorded
    self.asked = asked
    self.truth = truth
    self.again = again
    self.oracle = oracle
  }
}

extension Trace {
  /// The trace of a run in scaled time, in the time that it stands for: all instants are so many times as late.
  ///
  /// What was in force is left as it is: it must say what the scaled parameters stand for.
  public func stretched(by factor: Int) -> Trace {
    var trace = self
    for index in trace.lines.indices {
      trace.lines[index].t *= factor
      switch trace.lines[index].event {
      case .recPause(let length, let slept):
        trace.lines[index].event = .recPause(for: length * factor, slept: slept.map { $0 * factor })
      case .httpWait(let req, let attempt, let length, let unit):
        trace.lines[index].event = .httpWait(req: req, try: attempt, for: length * factor, unit: unit)
      default: break
      }
    }
    return trace
  }
}
