internal import GoldwireMachines
public import GoldwireTrace

/// What came of the mutants of a trace.
public struct PerturbReport: Equatable, Sendable {
  /// The seed that the mutants were drawn from.
  public let seed: UInt64
  /// How many were tried.
  public let count: Int
  /// The rules that each was held to.
  public let rules: [PerturbRule]
  /// The kinds of changes that the machine's family allows.
  public internal(set) var kinds: [MutationKind] = []
  /// In how many mutants there was a change of a kind.
  public internal(set) var tried: [MutationKind: Int] = [:]
  /// The broken rules, in the order in which they were found.
  public internal(set) var findings: [PerturbFinding] = []
  /// How many events and ticks the machines took of the clean trace.
  public internal(set) var inputs = 0
  /// How many lines of the trace were changed.
  public internal(set) var lines = 0
  var linesInAll = 0
  var unit = Unit.us
  /// The built-in machine that was asked.
  var parameters: MachineParameters?
  var words: Words { Words(unit) }

  init(seed: UInt64, count: Int, rules: [PerturbRule]) {
    (self.seed, self.count) = (seed, count)
    var seen: Set<PerturbRule> = []
    self.rules = rules.filter { seen.insert($0).inserted }
  }

  /// How it came out: differs with any finding, inconclusive where nothing reached the machine.
  public var status: TestStatus {
    if !findings.isEmpty { return .differs }
    return inputs == 0 || count == 0 ? .inconclusive : .expected
  }

  /// Takes a finding in; of two with one rule the smaller trace stays.
  mutating func add(_ finding: PerturbFinding) {
    guard let place = findings.firstIndex(where: { $0.rule == finding.rule }) else {
      return findings.append(finding)
    }
    var smaller = findings[place].trace.lines.count <= finding.trace.lines.count ? findings[place] : finding
    smaller.mutants = findings[place].mutants + finding.mutants
    findings[place] = smaller
  }
}

// MARK: - The built-in machines

extension PerturbReport {
  /// Tries so many mutants of a trace on a built-in machine, or on a `foreign` one that stands in its place.
  ///
  /// Throws where a parameter makes no sense, or is no whole number of the trace's unit.
  public init(
    _ trace: Trace, _ parameters: MachineParameters, seed: UInt64 = 1, count: Int = 2_000,
    foreign: ForeignSource? = nil
  ) throws(ReplayError) {
    if let foreign {
      self = try foreign.perturb(trace, parameters, seed: seed, count: count)
      self.parameters = parameters
      return
    }
    let unit = trace.header.unit
    switch parameters.machine {
    case .heartbeat:
      let own = try parameters.heartbeat(unit)
      self = Perturbation(invariants: [.heartbeat(own)]) { HeartbeatAdapter(own, header: $0.header) }
        .run(trace, seed: seed, count: count)
    case .retry:
      let own = try parameters.retry(unit)
      self = Perturbation(invariants: [.retry(own)]) { RetryAdapter(own, $0) }
        .run(trace, seed: seed, count: count)
    case .stream:
      let own = try parameters.stream(unit)
      let rules = StreamOracle<EventStream>.invariant(own, keepsEffects: true)
      self = Perturbation(invariants: [rules]) { StreamAdapter(own, $0) }
        .run(trace, seed: seed, count: count)
    }
    self.parameters = parameters
  }
}

// MARK: - Words

extension PerturbReport {
  /// The report in words.
  public func text() -> String {
    var lines = [subject + ": " + verdict]
    if self.lines < linesInAll {
      lines.append("  of \(linesInAll) lines \(self.lines) concern it and were changed")
    }
    for finding in findings {
      lines.append("BROKEN \(finding.rule.name): \(finding.rule.words)")
      if finding.shown != finding.rule { lines.append("  it shows in this: \(finding.shown.words)") }
      lines.append(
        "  by \(Words.count(finding.mutants, "mutant")); \(origin(finding)), shrunk to "
          + Words.count(finding.trace.lines.count, "line"))
      lines += finding.story(words)
      lines.append("  broken at " + words.instant(finding.t) + place(finding))
    }
    lines.append("tried:")
    let width = kinds.map { String(tried[$0] ?? 0).count }.max() ?? 1
    for kind in kinds {
      let number = String(tried[kind] ?? 0)
      lines.append("  " + String(repeating: " ", count: width - number.count) + number + "  " + kind.words)
    }
    lines.append("held to:")
    lines += rules.map { "  " + $0.words }
    return lines.joined(separator: "\n") + "\n"
  }

  private var subject: String {
    parameters.map { "\($0.machine.rawValue) with \($0.words)" } ?? "the machine"
  }

  private var verdict: String {
    let drawn = "\(Words.count(count, "mutant")) of seed \(seed)"
    switch status {
    case .expected: return "no rule is broken by \(drawn)"
    case .inconclusive: return "nothing was tried: no event of the trace reaches the machine"
    default: return "\(Words.count(findings.count, "rule")) broken by \(drawn)"
    }
  }

  private func origin(_ finding: PerturbFinding) -> String {
    if finding.mutant == 0 { return "the clean trace itself" }
    return "number \(finding.mutant) (\(finding.kinds.map(\.rawValue).joined(separator: ", ")))"
  }

  private func place(_ finding: PerturbFinding) -> String {
    guard let line = finding.line else { return "" }
    return ", line \(finding.trace.lineNumber(at: line))"
  }
}

// MARK: - JSON

extension PerturbReport {
  /// The report as JSON Lines: an object for each broken rule, last the sums.
  public func json() -> [UInt8] {
    var bytes: [UInt8] = []
    for finding in findings {
      bytes.put("{\"rule\":\"\(finding.rule.name)\",\"shown\":\"\(finding.shown.name)\"")
      bytes.put(",\"mutants\":\(finding.mutants),\"mutant\":\(finding.mutant),\"kinds\":[")
      bytes.put(finding.kinds.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "],\"t\":\(finding.t)")
      if let line = finding.line { bytes.put(",\"line\":\(finding.trace.lineNumber(at: line))") }
      bytes.put(",\"lines\":\(finding.trace.lines.count)}\n")
    }
    bytes.put("{")
    if let parameters { bytes.put("\"machine\":\"\(parameters.machine.rawValue)\",") }
    bytes.put("\"seed\":\(seed),\"mutants\":\(count),\"broken\":\(findings.count),\"tried\":{")
    bytes.put(kinds.map { "\"\($0.rawValue)\":\(tried[$0] ?? 0)" }.joined(separator: ","))
    bytes.put("},\"rules\":[" + rules.map { "\"\($0.name)\"" }.joined(separator: ","))
    bytes.put("],\"status\":\(status.rawValue)}\n")
    return bytes
  }
}
