internal import GoldwireMachines
internal import GoldwireTrace

extension CausalReplay {
  /// Predicts the logical requests of HTTP channels.
  mutating func requests(_ replayed: Replayed, _ inForce: MachineParameters) throws(ReplayError)
    -> [CausalPart]
  {
    let unit = trace.header.unit
    let (old, asked) = (try inForce.retry(unit), try parameters.retry(unit))
    let adapter = RetryAdapter(old, trace)
    let departures = try departures(inForce)
    return RequestReader.requests(in: trace, old, replayed: replayed).map { request in
      let prediction = RequestPrediction(
        request, asked, inForce: old, horizon: horizon, best: best,
        knowsUnit: { attempt in
          let wait = GoldenLine(.wait, channel: request.channel, req: request.req, attempt: attempt + 1)
          return !adapter.isUnitAssumed(wait)
        })
      var part = prediction.part(words)
      if let departure = departures[Place(request.channel, request.req)] { part.doubt(departure) }
      return part
    }
  }
}
