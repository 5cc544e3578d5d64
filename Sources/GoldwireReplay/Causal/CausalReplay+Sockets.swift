internal import GoldwireMachines
internal import GoldwireTrace

extension CausalReplay {
  /// Predicts the WebSocket channels.
  mutating func sockets(
    _ replayed: Replayed, _ inForce: MachineParameters, _ pool: EvidencePool?
  ) throws(ReplayError) -> [CausalPart] {
    let unit = trace.header.unit
    let (old, asked) = (try inForce.heartbeat(unit), try parameters.heartbeat(unit))
    let premises = SocketPremises(assumptions, pool, trace.header)
    let departures = try departures(inForce)
    return SocketReader.sockets(in: trace, old, replayed: replayed).map { socket in
      var part = SocketPrediction(SocketEvidence(socket, premises), asked).part(words)
      if let departure = departures[Place(socket.channel, nil)] { part.doubt(departure) }
      return part
    }
  }

  /// The first action of each channel, or request, in which the recorded client was not the machine with what was in force.
  ///
  /// A timer that is late is no such thing, unless the source sees packets: bytes that wait in the client's stack for an
  /// older one to be acknowledged look the same, and nobody saw when the client acted.
  func departures(_ inForce: MachineParameters) throws(ReplayError) -> [Place: String] {
    var options = ReplayOptions(tick: .recorded, isGate: true)
    options.slack = words.configuration.slack ?? options.slack
    var found: [Place: String] = [:]
    let seesPackets = trace.header.blind.contains(.tick)
    guard trace.header.source != .written else { return found }
    let (replayed, _) = try TraceReplay.replay(trace, inForce, options: options)
    for departure in replayed.departures.sorted(by: { $0.t < $1.t }) {
      let subject = Place(departure.line)
      guard departure.kind != .late || seesPackets, found[subject] == nil else { continue }
      let place = departure.index.map { " (line \(trace.lineNumber(at: $0)))" } ?? ""
      found[subject] =
        "the recorded client is not the machine with \(inForce.words): at \(words.instant(departure.t))\(place) "
        + "\(words.action(departure.line)) is \(departure.kind.rawValue); see goldwire conform"
    }
    return found
  }
}
