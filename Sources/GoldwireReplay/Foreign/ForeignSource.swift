internal import GoldwireTrace

/// A conversation as an option of a replay: equal to itself alone.
public struct ForeignSource: Equatable, Sendable {
  /// The conversation.
  public let session: ForeignSession

  /// Takes a conversation.
  public init(_ session: ForeignSession) { self.session = session }

  /// Whether both are the same conversation.
  public static func == (left: ForeignSource, right: ForeignSource) -> Bool { left.session === right.session }
}

extension ForeignSource {
  /// Replays a trace into machines of another language.
  ///
  /// Throws why the conversation ended, or that the parameters are another machine's.
  func replay(
    _ trace: Trace, _ parameters: MachineParameters, options: ReplayOptions
  ) throws(ReplayError) -> (replayed: Replayed, assume: [GoldenHeader.Assumption]) {
    let unit = trace.header.unit
    guard session.machine == parameters.machine else {
      throw ReplayError(
        "\(session.name) is a \(session.machine.rawValue), and cannot be asked as \(parameters.machine.rawValue)"
      )
    }
    var assume: [GoldenHeader.Assumption] = []
    let replayed: Replayed
    switch parameters.machine {
    case .heartbeat:
      replayed = Replayer.replay(
        ForeignAdapter<HeartbeatAdapter, HeartbeatCoding>(
          base: HeartbeatAdapter(try parameters.heartbeat(unit), header: trace.header), session: session,
          parameters: parameters, unit: unit), trace.lines, unit: unit, options: options)
    case .retry:
      let base = RetryAdapter(try parameters.retry(unit), trace)
      replayed = Replayer.replay(
        ForeignAdapter<RetryAdapter, RequestCoding>(
          base: base, session: session, parameters: parameters, unit: unit), trace.lines, unit: unit,
        options: options)
      if replayed.actions.contains(where: { base.isUnitAssumed($0.line) }) { assume = [.unit] }
    case .stream:
      let base = StreamAdapter(try parameters.stream(unit), trace)
      replayed = Replayer.replay(
        ForeignAdapter<StreamAdapter, StreamCoding>(
          base: base, session: session, parameters: parameters, unit: unit), trace.lines, unit: unit,
        options: options)
      if base.isHandlingAssumed { assume = [.handled] }
    }
    if let failure = session.failure { throw failure }
    return (replayed, assume)
  }

  /// Tries mutants of a trace on machines of another language.
  func perturb(
    _ trace: Trace, _ parameters: MachineParameters, seed: UInt64, count: Int
  ) throws(ReplayError) -> PerturbReport {
    let (unit, session) = (trace.header.unit, session)
    guard session.machine == parameters.machine else {
      throw ReplayError(
        "\(session.name) is a \(session.machine.rawValue), and cannot be asked as \(parameters.machine.rawValue)"
      )
    }
    // Other languages keep whole numbers exactly up to 2^53: no clock near the end of its range.
    let kinds = Set(MutationKind.all(for: parameters.machine.family)).subtracting([.clockEnd])
    let report: PerturbReport
    switch parameters.machine {
    case .heartbeat:
      let own = try parameters.heartbeat(unit)
      let perturbation = Perturbation(invariants: [.heartbeat(own)]) {
        ForeignAdapter<HeartbeatAdapter, HeartbeatCoding>(
          base: HeartbeatAdapter(own, header: $0.header), session: session, parameters: parameters, unit: unit
        )
      }
      report = run(perturbation, trace, seed: seed, count: count, kinds: kinds)
    case .retry:
      let own = try parameters.retry(unit)
      let perturbation = Perturbation(invariants: [.retry(own)]) {
        ForeignAdapter<RetryAdapter, RequestCoding>(
          base: RetryAdapter(own, $0), session: session, parameters: parameters, unit: unit)
      }
      report = run(perturbation, trace, seed: seed, count: count, kinds: kinds)
    case .stream:
      let own = try parameters.stream(unit)
      let perturbation = Perturbation(invariants: [.stream(own)]) {
        ForeignAdapter<StreamAdapter, StreamCoding>(
          base: StreamAdapter(own, $0), session: session, parameters: parameters, unit: unit)
      }
      report = run(perturbation, trace, seed: seed, count: count, kinds: kinds)
    }
    if let failure = session.failure { throw failure }
    return report
  }

  /// Tries mutants for as long as the conversation goes on.
  private func run<Adapter: ReplayAdapter>(
    _ perturbation: Perturbation<Adapter>, _ trace: Trace, seed: UInt64, count: Int, kinds: Set<MutationKind>
  ) -> PerturbReport {
    var perturbation = perturbation
    perturbation.isOver = { [session] in session.failure != nil }
    return perturbation.run(trace, seed: seed, count: count, kinds: kinds)
  }
}
