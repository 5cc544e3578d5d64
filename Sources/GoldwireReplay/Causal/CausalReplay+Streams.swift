internal import GoldwireMachines
internal import GoldwireTrace

extension CausalReplay {
  /// Predicts the event streams.
  mutating func streams(_ replayed: Replayed, _ inForce: MachineParameters) throws(ReplayError)
    -> [CausalPart]
  {
    let unit = trace.header.unit
    let (old, asked) = (try inForce.stream(unit), try parameters.stream(unit))
    let departures = try departures(inForce)
    return StreamReader.streams(in: trace, old, replayed: replayed).map { stream in
      var part = StreamPrediction(
        stream, asked, inForce: old, horizon: horizon, best: best,
        assumesHandled: trace.header.blind.contains(.handler)
      ).part(words)
      if let departure = departures[Place(stream.channel, nil)] { part.doubt(departure) }
      return part
    }
  }
}
