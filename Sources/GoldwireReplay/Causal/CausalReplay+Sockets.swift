internal import GoldwireMachines
internal import GoldwireTrace

extension CausalReplay {
  /// Predicts the WebSocket channels.
  mutating func sockets(
    _ replayed: Replayed, _ inForce: MachineParameters, _ pool: EvidencePool?
  ) throws(ReplayError) -> [CausalPart] {
    let unit = trace.header.unit
    let (old, asked) = (try inForce.heartbeat(unit), try parameters.heartbeat(unit))
    var premises = SocketPremises()
    premises.idle = assumptions.idle.map { Double($0.microseconds) / (unit == .us ? 1 : 1_000) }
    premises.isPingRateUnknown = assumptions.pingRate == .unknown
    premises.pool = pool?.silences(in: unit)
    premises.isInPool = pool?.holdsAsked ?? false
    premises.best = best
    let departures = try departures(inForce)
    return SocketReader.sockets(in: trace, old, replayed: replayed).map { socket in
      var part = SocketPrediction(SocketEvidence(socket, premises), asked).part(words)
      if let departure = departures[socket.channel] {
        part.verdict = .inconclusive
        part.reasons.insert(departure, at: 0)
        for index in part.actions.indices where part.actions[index].line.grade ?? .observed > .assumed {
          part.actions[index].line.grade = .assumed
        }
      }
      return part
    }
  }

  /// The first action of each channel in which the recorded client was not the machine with what was in force.
  ///
  /// A timer that is late is no such thing.
  private func departures(_ inForce: MachineParameters) throws(ReplayError) -> [Channel: String] {
    var options = ReplayOptions(tick: .recorded, isGate: true)
    options.slack = words.configuration.slack ?? options.slack
    var found: [Channel: String] = [:]
    guard trace.header.source != .written else { return found }
    let (replayed, _) = try TraceReplay.replay(trace, inForce, options: options)
    for departure in replayed.departures.sorted(by: { $0.t < $1.t }) {
      guard departure.kind != .late, let channel = departure.line.channel, found[channel] == nil else {
        continue
      }
      let place = departure.index.map { " (line \(trace.lineNumber(at: $0)))" } ?? ""
      found[channel] =
        "the recorded client is not the machine with \(inForce.words): at \(words.instant(departure.t))\(place) "
        + "\(words.action(departure.line)) is \(departure.kind.rawValue); see goldwire conform"
    }
    return found
  }
}
