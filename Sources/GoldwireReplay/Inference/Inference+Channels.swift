public import GoldwireTrace

extension Inference {
  /// Why no parameters make the machine do what the client did.
  public struct Mismatch: Equatable, Sendable {
    /// The parameters that would have to be named for the client to be held to the machine all the same.
    public var names: Set<ParameterName>
    /// The reason, in words.
    public var reason: String
  }
}

/// What the channels of a trace tell of a machine's settings, all together.
struct Told {
  var values: [InferredValue]
  var otherCadence: [ParameterName: ParameterValue]?
  /// Why the machine cannot stand for the client; nil where it can.
  var mismatch: Inference.Mismatch?

  init(_ trace: Trace, _ machine: MachineName, _ tolerance: TimerTolerance) {
    switch machine {
    case .heartbeat:
      let heartbeat = HeartbeatInference(trace, tolerance)
      (values, otherCadence, mismatch) = (heartbeat.values, heartbeat.otherCadence, heartbeat.mismatch)
    case .retry:
      let retry = RetryInference(trace, tolerance)
      values = retry.values
      mismatch = retry.mismatch.map { Inference.Mismatch(names: [.base, .factor], reason: $0) }
    case .stream: values = StreamInference(trace, tolerance).values
    }
  }

  /// The settings that no one value explains on all channels, with what each of two channels says.
  ///
  /// Requests are not parted: their channels are connections, which a client shares among them.
  static func apart(_ trace: Trace, _ machine: MachineName, _ tolerance: TimerTolerance) -> [String: String] {
    guard machine != .retry else { return [:] }
    let family: Channel.Family = machine == .heartbeat ? .ws : .sse
    let channels = Set(trace.lines.compactMap(\.channel).filter { $0.family == family }).sorted()
    guard channels.count > 1 else { return [:] }
    let words = Words(trace.header.unit)
    var bounds: [String: [(channel: Channel, low: Int, high: Int)]] = [:]
    for channel in channels {
      let lines = trace.lines.filter { $0.channel == nil || $0.channel == channel }
      for value in Told(Trace(header: trace.header, lines: lines), machine, tolerance).values {
        // One length alone may be a stray.
        guard ["interval", "timeout", "delay", "idle"].contains(value.name), value.observations > 1,
          value.record == nil, case .span(let low?, let high?) = value.value
        else { continue }
        bounds[value.name, default: []].append((channel, low, high))
      }
    }
    return bounds.compactMapValues { each in
      guard let least = each.min(by: { $0.high < $1.high }), let most = each.max(by: { $0.low < $1.low }),
        least.high < most.low
      else { return nil }
      return [least, most].map { "\(words.span($0.low)) to \(words.span($0.high)) on \($0.channel)" }
        .joined(separator: ", ")
    }
  }
}
