internal import GoldwireMachines
public import GoldwireReplay
internal import GoldwireTrace
public import ValidationScoring

/// Which scripts, clients and changes are run: one half to develop on, one that is kept back and run at the end.
///
/// The rule: of families, changes and clients, in the order in which they are listed, those at even places are developed
/// on; so are even seeds. What is kept back has odd seeds, and the changes and clients at odd places; it has all families,
/// those at odd places having been kept back themselves.
public enum Half: String, CaseIterable, Sendable {
  /// To develop on.
  case develop
  /// Kept back.
  case heldBack = "held-back"

  private var parity: Int { self == .develop ? 0 : 1 }

  func own<Element>(_ elements: [Element]) -> [Element] {
    elements.indices.filter { $0 % 2 == parity }.map { elements[$0] }
  }

  /// The families: its own; kept back, the others too.
  public var families: [FaultFamily] { self == .develop ? own(FaultFamily.allCases) : FaultFamily.allCases }
  /// Whether nothing was developed on the family.
  public static func isKeptBack(_ family: FaultFamily) -> Bool {
    Half.heldBack.own(FaultFamily.allCases).contains(family)
  }
  /// The changes.
  public var changes: [ClientChange] { own(ClientChange.all) }
  /// The clients that are changed: interval and timeout in seconds.
  public var clients: [(interval: Int, timeout: Int)] {
    own([(10, 5), (20, 5), (20, 10), (30, 10), (25, 20), (15, 3)])
  }
  /// Its seed of this number, from 0.
  public func seed(_ number: Int) -> Int { 2 * number + parity }
}

/// A change of a client's parameters, asked both ways.
public struct ClientChange: Equatable, Sendable {
  /// What the interval is multiplied by, in hundredths.
  public var interval: Int
  /// What the timeout is multiplied by.
  public var timeout: Int

  /// Makes a change.
  public init(interval: Int, timeout: Int) { (self.interval, self.timeout) = (interval, timeout) }

  /// All changes.
  public static let all = [
    ClientChange(interval: 50, timeout: 100), ClientChange(interval: 80, timeout: 100),
    ClientChange(interval: 125, timeout: 100), ClientChange(interval: 200, timeout: 100),
    ClientChange(interval: 100, timeout: 50), ClientChange(interval: 100, timeout: 200),
  ]

  /// `interval ×0.5`.
  public var name: String {
    func factor(_ hundredths: Int) -> String {
      let rest = hundredths % 100
      let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest)"
      return "×\(hundredths / 100)" + digits
    }
    return interval != 100 ? "interval " + factor(interval) : "timeout " + factor(timeout)
  }
}

/// A script and a client: all that is run under it.
public struct SessionPlan: Sendable {
  /// The kind of its faults.
  public var family: FaultFamily
  /// What it is drawn from.
  public var seed: Int
  /// What is exchanged.
  public var traffic: Traffic
  /// The client's interval and timeout in seconds.
  public var client: (interval: Int, timeout: Int)
  /// The changes that are asked.
  public var changes: [ClientChange]

  /// Makes a plan.
  public init(
    family: FaultFamily, seed: Int, traffic: Traffic, client: (interval: Int, timeout: Int),
    changes: [ClientChange]
  ) {
    self.family = family
    self.seed = seed
    self.traffic = traffic
    self.client = client
    self.changes = changes
  }

  /// All plans of a half, so many scripts for each family.
  public static func all(_ half: Half, scripts: Int) -> [SessionPlan] {
    let (clients, traffics) = (half.clients, Traffic.allCases)
    return half.families.flatMap { family in
      (0..<scripts).map { number in
        SessionPlan(
          family: family, seed: half.seed(number), traffic: traffics[number % traffics.count],
          client: clients[number / traffics.count % clients.count], changes: half.changes)
      }
    }
  }

  /// Connects are given up after ten seconds.
  private static let connectTimeout = TimeSpan(microseconds: 10_000_000)

  /// The client's parameters, before a change or after it.
  public func parameters(_ change: ClientChange?) throws -> MachineParameters {
    let interval = client.interval * 10_000 * (change?.interval ?? 100)
    let timeout = client.timeout * 10_000 * (change?.timeout ?? 100)
    return try MachineParameters(
      .heartbeat,
      [
        .interval: .span(TimeSpan(microseconds: interval)), .timeout: .span(TimeSpan(microseconds: timeout)),
        .connectTimeout: .span(Self.connectTimeout),
      ])
  }

  /// The script.
  public var script: FaultScript {
    FaultScript(
      family, seed: seed, traffic, interval: client.interval * 1_000_000, timeout: client.timeout * 1_000_000)
  }

  /// Runs it: each change both ways, from a tap and from a capture.
  public func experiments() throws -> [Experiment] {
    let script = script
    let known = script.known
    let base = try parameters(nil)
    let first = try SimulatedSession(script, base, weather: seed)
    let firstAgain = try SimulatedSession(script, base, weather: seed + 1_000_003)
    let firstKnown = try SimulatedSession(known, base, weather: 0)
    var experiments: [Experiment] = []
    for change in changes {
      let asked = try parameters(change)
      let second = try SimulatedSession(script, asked, weather: seed)
      let secondAgain = try SimulatedSession(script, asked, weather: seed + 1_000_003)
      let secondKnown = try SimulatedSession(known, asked, weather: 0)
      for vantage in Experiment.Vantage.allCases {
        let (there, back) = (setting(change.name), setting("← " + change.name))
        experiments.append(
          Experiment(
            there, vantage, recorded: vantage == .tap ? first.tap : first.capture, asked: asked,
            truth: second.tap, again: secondAgain.tap, oracle: secondKnown.tap))
        experiments.append(
          Experiment(
            back, vantage, recorded: vantage == .tap ? second.tap : second.capture, asked: base,
            truth: first.tap, again: firstAgain.tap, oracle: firstKnown.tap))
      }
    }
    return experiments
  }

  /// What the runs of a change have in common.
  public func setting(_ change: String) -> Experiment.Setting {
    Experiment.Setting(
      family: family.rawValue, hasOutage: family.hasOutage, seed: seed, traffic: traffic.rawValue,
      change: change)
  }
}
