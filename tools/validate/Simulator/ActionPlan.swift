internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireTrace
public import ValidationScoring

/// A request, or an event stream, in a simulated world, and the changes that are asked of it.
public struct ActionPlan: Sendable {
  /// What befalls it.
  public enum Fault: Equatable, Sendable {
    case request(RequestFault)
    case stream(StreamFault)
  }

  /// What befalls it.
  public var fault: Fault
  /// What it is drawn from.
  public var seed: Int
  /// The changes, each as options name it.
  private var changes: [String]

  /// The changes of schedules.
  private static let schedules = ["base=2s", "base=500ms", "count=6", "factor=1,count=6"]
  /// The changes of readers.
  private static let readers = ["delay=6s", "delay=1s", "idle=20s", "idle=8s"]

  /// All plans of a half for requests, so many for each world; changes at even places are developed on.
  public static func requests(_ half: Half, count: Int) -> [ActionPlan] {
    RequestFault.allCases.flatMap { fault in
      (0..<count).map {
        ActionPlan(fault: .request(fault), seed: half.seed($0), changes: half.own(schedules))
      }
    }
  }

  /// The same for event streams.
  public static func streams(_ half: Half, count: Int) -> [ActionPlan] {
    StreamFault.allCases.flatMap { fault in
      (0..<count).map { ActionPlan(fault: .stream(fault), seed: half.seed($0), changes: half.own(readers)) }
    }
  }

  private var machine: MachineName {
    switch fault {
    case .request: .retry
    case .stream: .stream
    }
  }

  private var family: String {
    switch fault {
    case .request(let fault): fault.rawValue
    case .stream(let fault): fault.rawValue
    }
  }

  private func parameters(_ change: String) throws -> MachineParameters {
    var table = ParameterTable([machine: [:]])
    for word in change.split(separator: ",") { try table.set(option: "\(machine.rawValue).\(word)") }
    return try MachineParameters(machine, table[machine] ?? [:])
  }

  private func trace(_ parameters: MachineParameters) throws -> Trace {
    switch fault {
    case .request(let fault): try SimulatedRequest(fault, seed: seed, parameters).tap
    case .stream(let fault): try SimulatedStream(fault, seed: seed, parameters).tap
    }
  }

  /// Runs it, and scores each change both ways.
  public func scores() throws -> [Score] {
    let base = try parameters("")
    let first = try trace(base)
    return try changes.flatMap { change in
      let asked = try parameters(change)
      let second = try trace(asked)
      return [
        try score(change, first, base, asked, second), try score("← " + change, second, asked, base, first),
      ]
    }
  }

  private func score(
    _ change: String, _ recorded: Trace, _ old: MachineParameters, _ asked: MachineParameters, _ truth: Trace
  ) throws -> Score {
    let window = Window(until: recorded.horizon - 20_000_000, tolerance: 500_000)
    let was = try ActionScore.steps(of: truth, asked)
    let (steps, verdict) = try ActionScore.prediction(of: recorded, asked)
    let verbatim = try ActionScore.steps(of: recorded, asked, tick: .exact)
    let before = try ActionScore.steps(of: recorded, old)
    let setting = Experiment.Setting(
      family: family, hasOutage: true, seed: seed, traffic: machine.rawValue, change: change)
    return Score(
      setting, .tap,
      outcomes: [
        .causal: Outcome(steps, against: was, window), .verbatim: Outcome(verbatim, against: was, window),
        .ordinal: Outcome(try naive(recorded, asked, isConstant: false), against: was, window),
        .constant: Outcome(try naive(recorded, asked, isConstant: true), against: was, window),
      ], verdict: verdict,
      truth: ActionScore.verdict(
        before, was, gaveUp: (ActionScore.gaveUp(recorded), ActionScore.gaveUp(truth)), until: window.until))
  }

  private func naive(_ recorded: Trace, _ asked: MachineParameters, isConstant: Bool) throws -> [Step] {
    switch fault {
    case .request:
      NaiveRequests(
        starts: [0], parameters: try asked.retry(.us), unit: NaiveRequests.units(in: recorded)
      ).steps(after: recorded, isConstant: isConstant)
    case .stream: NaiveStream.steps(of: recorded, try asked.stream(.us), isConstant: isConstant)
    }
  }
}
