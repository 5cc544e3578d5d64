public import GoldwireTrace

/// A recorded client held against the machine: whether it does what that says, and how late its timers are.
public struct Conformance: Sendable {
  /// The machine, with the parameters that the client is held to.
  public let parameters: MachineParameters
  /// The channels that were looked at.
  public let channels: [Channel]
  /// The channels that were never in step, so that nothing can be said of them.
  public let neverInStep: [Channel]
  /// How the client departed, by instant.
  public let departures: [Departure]
  /// How many recorded actions were held against the machine's.
  public let acts: Int
  /// How late the client acted, in the middle, in the trace's unit; nil where it never acted in time.
  public let medianLateness: Int?
  /// How late the client acted at worst.
  public let worstLateness: Int?
  private let trace: Trace
  private let words: Words

  /// Holds a trace against its machine; `early` and `slack` are how much its timers may be off.
  ///
  /// `foreign` is a machine of another language in the place of the built-in one.
  public init(
    _ trace: Trace, _ parameters: MachineParameters, early: TimeSpan? = nil, slack: TimeSpan? = nil,
    configuration: Configuration = Configuration(), foreign: ForeignSource? = nil
  ) throws(ReplayError) {
    var options = ReplayOptions(tick: .recorded, isGate: true)
    options.early = early ?? options.early
    options.slack = slack ?? configuration.slack ?? options.slack
    options.foreign = foreign
    let (replayed, _) = try TraceReplay.replay(trace, parameters, options: options)
    self.parameters = parameters
    self.trace = trace
    words = Words(trace.header.unit, configuration)
    channels = replayed.channels
    neverInStep = replayed.neverInStep
    departures = replayed.departures.enumerated().sorted { left, right in
      left.element.t == right.element.t ? left.offset < right.offset : left.element.t < right.element.t
    }.map(\.element)
    acts = replayed.acts
    let lateness = replayed.lateness.sorted()
    medianLateness = lateness.isEmpty ? nil : lateness[lateness.count / 2]
    worstLateness = lateness.last
  }

  /// How it came out: differs with any departure, inconclusive where nothing was there to be judged.
  public var status: TestStatus {
    if !departures.isEmpty { return .differs }
    return acts == 0 || !neverInStep.isEmpty ? .inconclusive : .expected
  }
}

// MARK: - Words

extension Conformance {
  /// The report in words.
  public func text() -> String {
    let machine = parameters.machine.rawValue
    var lines = ["\(machine) with \(parameters.words): \(verdict)"]
    lines.append("  \(Words.count(acts, "recorded action")) on \(Words.count(channels.count, "channel"))")
    if let medianLateness, let worstLateness {
      lines.append(
        "  its timers are \(words.span(medianLateness)) late in the middle, \(words.span(worstLateness)) at worst"
      )
    }
    for channel in neverInStep {
      lines.append(
        "  \(words.channel(channel, nil)) was open before the recording; nothing brought the machine in step"
      )
    }
    if let first = departures.first {
      lines.append("  the first departure: " + tell(first))
      lines += causes(first).map { "    " + $0 }
      let counts = Departure.Kind.allCases.compactMap { kind -> String? in
        let count = departures.count { $0.kind == kind }
        return count > 0 ? "\(count) \(kind.rawValue)" : nil
      }
      lines.append("  in all: " + counts.joined(separator: ", "))
    }
    lines += layers.map { "  " + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The layers at fault of an event stream; none where nothing is wrong.
  private var layers: [String] {
    guard parameters.machine == .stream else { return [] }
    let isToldByContent = parameters.values[.dedup] == .word(.idAndContent)
    let findings = StreamDiagnosis(
      trace: trace, words: words, isToldByContent: isToldByContent, channels: Set(channels)
    ).findings
    return findings.isEmpty && departures.isEmpty ? [] : StreamDiagnosis.told(findings)
  }

  private var verdict: String {
    switch status {
    case .expected: "the client does what the machine says"
    case .differs: "the client departs from the machine"
    case .inconclusive where acts == 0: "nothing to judge: no action of the client after it was in step"
    default: "what could be judged is as the machine says"
    }
  }

  /// One departure in a sentence.
  func tell(_ departure: Departure) -> String {
    let action = words.action(departure.line)
    let instant = words.instant(departure.t)
    switch departure.kind {
    case .early: return "at \(instant) \(action) came \(words.span(departure.by)) too early"
    case .late: return "at \(instant) \(action) came \(words.span(departure.by)) late"
    case .missing: return "\(action) was due at \(instant) and did not come"
    case .extra: return "at \(instant) \(action) came without need"
    case .differs:
      let recorded = departure.recorded.map { words.action($0) } ?? ""
      return "at \(instant) the machine says \(action), recorded is \(recorded)"
    }
  }

  private func causes(_ departure: Departure) -> [String] {
    var lines: [String] = []
    if let index = departure.index { lines.append("recorded: " + place(index)) }
    if let cause = departure.cause, cause != departure.index { lines.append("because of: " + place(cause)) }
    return lines
  }

  private func place(_ index: Int) -> String {
    let line = trace.lines[index]
    return "line \(trace.lineNumber(at: index)): \(words.line(line)) at \(words.instant(line.t))"
  }
}

// MARK: - JSON

extension Conformance {
  /// The report as JSON Lines: an object for each departure, last the sums.
  ///
  /// Where nothing names the parameters, `isUnnamed`, the sums say which they were, and are inconclusive.
  public func json(isUnnamed: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    for departure in departures {
      bytes.put("{\"departure\":\"\(departure.kind.rawValue)\",\"t\":\(departure.t),\"by\":\(departure.by)")
      if let index = departure.index { bytes.put(",\"line\":\(trace.lineNumber(at: index))") }
      if let cause = departure.cause { bytes.put(",\"cause\":\(trace.lineNumber(at: cause))") }
      bytes.put(",\"action\":")
      bytes.append(object: departure.line)
      bytes.put("}\n")
    }
    bytes.put("{\"machine\":\"\(parameters.machine.rawValue)\",\"acts\":\(acts),")
    bytes.put("\"departures\":\(departures.count)")
    if let medianLateness { bytes.put(",\"median\":\(medianLateness)") }
    if let worstLateness { bytes.put(",\"worst\":\(worstLateness)") }
    if isUnnamed {
      bytes.put(",\"defaults\":")
      bytes.append(ParameterTable([parameters.machine: parameters.values]), of: parameters.machine)
    }
    bytes.put(",\"status\":\((isUnnamed ? TestStatus.inconclusive : status).rawValue)}\n")
    return bytes
  }
}
