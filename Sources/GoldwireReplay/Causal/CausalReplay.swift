public import GoldwireTrace

/// What would have happened with other parameters: the client runs anew in what the recording tells of its surroundings.
///
/// Replies answer the new actions, and are where the recorded round trips put them; what came by itself keeps its instant;
/// what the client's own behaviour brought about is a mechanism with bounds. All worlds that the recording allows for
/// are asked; what they agree on is firm, and graded by its weakest cause.
public struct CausalReplay: Sendable {
  /// The parameters that were asked.
  public let parameters: MachineParameters
  /// Those that the recorded client ran with; nil where nobody knows.
  public let inForce: MachineParameters?
  /// What was taken for given.
  public let assumptions: CausalAssumptions
  /// What it says of each channel, or request, in order.
  public private(set) var parts: [CausalPart] = []
  /// What is to be said beside them, in words, a line each.
  public private(set) var remarks: [String] = []
  /// The last instant of the recording.
  public let horizon: Int
  /// Whether nothing could be predicted at all.
  public private(set) var isUnanswered = false
  let trace: Trace
  let words: Words
  var assume: [GoldenHeader.Assumption] = []

  /// Asks a trace.
  ///
  /// `pool` is what other traces of the same server tell. Throws where a parameter is no whole number of the trace's
  /// unit; a recording that cannot answer gives an inconclusive verdict that says why.
  public init(
    _ trace: Trace, _ parameters: MachineParameters, assumptions: CausalAssumptions = CausalAssumptions(),
    pool: EvidencePool? = nil, configuration: Configuration = Configuration()
  ) throws(ReplayError) {
    try self.init(trace, parameters, assumptions, pool, configuration, isShort: true)
  }

  /// Without `isShort`, the parameters in force too are run through the model.
  package init(
    _ trace: Trace, _ parameters: MachineParameters, _ assumptions: CausalAssumptions, _ pool: EvidencePool?,
    _ configuration: Configuration, isShort: Bool
  ) throws(ReplayError) {
    self.parameters = parameters
    self.assumptions = assumptions
    self.trace = trace
    words = Words(trace.header.unit, configuration)
    inForce = ParameterSource.inForce(parameters.machine, trace.header)
    horizon = trace.horizon
    guard let inForce else {
      isUnanswered = true
      remarks = Telling.unknownInForce(parameters.machine, trace.header.source, configuration)
      return
    }
    guard !trace.header.blind.contains(.times) else {
      isUnanswered = true
      remarks = Telling.blindTimes
      return
    }
    let (replayed, assume) = try TraceReplay.replay(
      trace, inForce, options: ReplayOptions(tick: Self.tick(trace.header)))
    self.assume = assume
    if let channel = replayed.runaway {
      throw ReplayError(
        "the machine of \(channel) asks to be woken without end; this is a fault of the machine")
    }
    if isShort, inForce == parameters {
      parts = recorded(replayed)
      return
    }
    switch parameters.machine {
    case .heartbeat: parts = try sockets(replayed, inForce, pool)
    case .retry: parts = try requests(replayed, inForce)
    case .stream: parts = try streams(replayed, inForce)
    }
    remarks += caveats(pool)
  }

  /// A written trace has no timers of its own but the machine's.
  private static func tick(_ header: TraceHeader) -> TickMode { TickMode.standard(for: header.source) }

  /// The best grade that anything can have: instants that were not taken at the client are no arrivals.
  var best: Grade { trace.header.at == .client ? .observed : .bounded }

  /// The verdict on all parts together.
  public var verdict: CausalVerdict {
    isUnanswered ? .inconclusive : parts.reduce(.same) { $0.and($1.verdict) }
  }

  /// All actions in canonical order.
  public var actions: [CausalAction] {
    parts.count == 1
      ? parts[0].actions
      : parts.flatMap(\.actions).enumerated().sorted { left, right in
        let (one, two) = (left.element.line, right.element.line)
        return one.precedes(two) || !two.precedes(one) && left.offset < right.offset
      }.map(\.element)
  }

  // MARK: The parameters in force

  /// The recording itself: what was asked is what was done.
  private func recorded(_ replayed: Replayed) -> [CausalPart] {
    var parts: [Place: CausalPart] = [:]
    var order: [Place] = []
    for action in replayed.actions {
      guard let channel = action.line.channel else { continue }
      let place = Place(action.line)
      if parts[place] == nil {
        order.append(place)
        parts[place] = CausalPart(channel, req: action.line.req, .same)
      }
      var line = action.line
      line.grade = best
      parts[place]?.actions.append(
        CausalAction(
          line, earliest: line.t, latest: line.t, proof: best, lines: [action.cause].compactMap(\.self)))
    }
    for channel in replayed.neverInStep {
      guard let place = order.first(where: { $0.channel == channel }) else { continue }
      parts[place]?.verdict = .inconclusive
      parts[place]?.reasons = ["it is never in step with the recorded client"]
    }
    return order.compactMap { parts[$0] }
  }

  /// What holds for all parts.
  private func caveats(_ pool: EvidencePool?) -> [String] {
    var caveats: [String] = []
    if trace.header.at != .client {
      caveats.append(
        "recorded at \(trace.header.at.rawValue), not at the client: its instants are no arrivals, so that no line "
          + "is better than bounded")
    }
    switch parameters.machine {
    case .heartbeat: caveats += socketCaveats(pool)
    case .retry:
      caveats.append(
        "taken for given: this client alone is another one; many that change together load the server otherwise"
      )
    case .stream:
      caveats.append("taken for given: the server sends again what follows the cursor, and no more")
    }
    return caveats
  }

  private func socketCaveats(_ pool: EvidencePool?) -> [String] {
    var caveats: [String] = []
    if trace.header.blind.contains(.app) {
      caveats.append("the source cannot see the app's state: it is taken to be in the foreground throughout")
    }
    switch assumptions.pingRate {
    case .borne:
      caveats.append(
        "taken for given: the server bears pings however fast they come; --assume ping-rate=unknown doubts it"
      )
    case .unknown:
      caveats.append("declared: pings faster than any that were recorded may be punished")
    }
    if let idle = assumptions.idle {
      caveats.append("declared: what lies between forgets a connection after a silence of \(idle)")
    }
    if let pool, pool.traces > 0 {
      caveats.append("pooled: what \(Words.count(pool.traces, "trace")) of the server tell of silences")
    }
    return caveats
  }
}
