internal import GoldwireMachines
public import GoldwireTrace

/// Replays whole traces into the built-in machines.
public enum TraceReplay {
  /// Replays the trace's channels of one machine.
  ///
  /// Throws where a parameter makes no sense, or is no whole number of the trace's unit.
  public static func replay(
    _ trace: Trace, _ parameters: MachineParameters, options: ReplayOptions
  ) throws(ReplayError) -> (replayed: Replayed, assume: [GoldenHeader.Assumption]) {
    if let foreign = options.foreign { return try foreign.replay(trace, parameters, options: options) }
    let unit = trace.header.unit
    switch parameters.machine {
    case .heartbeat:
      let adapter = HeartbeatAdapter(try parameters.heartbeat(unit), header: trace.header)
      return (Replayer.replay(adapter, trace.lines, unit: unit, options: options), [])
    case .retry:
      let adapter = RetryAdapter(try parameters.retry(unit), trace)
      let replayed = Replayer.replay(adapter, trace.lines, unit: unit, options: options)
      let isAssumed = replayed.actions.contains { adapter.isUnitAssumed($0.line) }
      return (replayed, isAssumed ? [.unit] : [])
    case .stream:
      let adapter = StreamAdapter(try parameters.stream(unit), trace)
      let replayed = Replayer.replay(adapter, trace.lines, unit: unit, options: options)
      return (replayed, adapter.isHandlingAssumed ? [.handled] : [])
    }
  }

  /// The machines that the trace drives, in the order of the vocabulary.
  ///
  /// A source that sees no pings or pongs drives no heartbeat, unless messages are marked as its beats.
  public static func machines(drivenBy trace: Trace) -> [MachineName] {
    var driven: Set<MachineName> = []
    for line in trace.lines {
      switch line.event {
      case .wsConnect, .wsAttach, .wsOpen, .wsPing: driven.insert(.heartbeat)
      case .httpSend: driven.insert(.retry)
      case .sseConnect, .sseOpen: driven.insert(.stream)
      case .httpResponse(let response) where response.sse != nil: driven.insert(.stream)
      default: break
      }
      if driven.count == MachineName.allCases.count { break }
    }
    if trace.header.beats == nil,
      trace.header.blind.contains(.wsPing) || trace.header.blind.contains(.wsPong)
    {
      driven.remove(.heartbeat)
    }
    return MachineName.allCases.filter(driven.contains)
  }
}
