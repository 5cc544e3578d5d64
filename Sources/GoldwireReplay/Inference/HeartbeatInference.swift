internal import GoldwireTrace

/// The interval, timeout, cadence and policy of a client's heartbeat.
///
/// Each reading of its timers is held against all that was seen; what no reading explains better is left open.
struct HeartbeatInference {
  private let seen: HeartbeatObservations
  private let tolerance: TimerTolerance
  private let header: TraceHeader
  private let words: Words
  private let horizon: Int
  private let lines: [TraceLine]
  private(set) var values: [InferredValue] = []
  /// See ``Inference/otherCadence``.
  private(set) var otherCadence: [ParameterName: ParameterValue]?
  /// Why the machine cannot stand for the client; nil where it can.
  private(set) var mismatch: Inference.Mismatch?

  init(_ trace: Trace, _ tolerance: TimerTolerance) {
    seen = HeartbeatObservations(trace, tolerance)
    self.tolerance = tolerance
    header = trace.header
    words = Words(header.unit)
    horizon = TraceScan(trace.lines).horizon
    lines = trace.lines
    let cadences = cadences()
    values.append(interval(cadences))
    values.append(cadence(cadences))
    otherCadence = otherCadence(cadences)
    let policies = fits(HeartbeatObservations.Policy.allCases, seen.waits)
    values.append(timeout(policies))
    values.append(policy(policies))
    values.append(connectTimeout())
  }

  private typealias Reading<Key> = (key: Key, fit: TimerFit)

  /// The readings of what an interval is counted from, as far as they come into question.
  private func cadences() -> [Reading<HeartbeatObservations.Cadence>] {
    // Who waits for a pong before the next interval begins sends no ping while one is unanswered.
    let isUnasked = seen.overlapping.count > 1 && seen.overlapping.count > seen.answered
    let all = fits(HeartbeatObservations.Cadence.allCases, seen.gaps) { $0 == .fixed }
    let known = all.filter { $0.key == .fixed || $0.key == .afterPong && !isUnasked }
    let least = known.map(\.fit.misfits).min() ?? 0
    return all.filter { reading in
      // What no parameter says must explain what the machine's own readings do not, and more than once.
      let isBetter = reading.fit.used.count > 2 && reading.fit.misfits + 2 <= least
      return switch reading.key {
      case .fixed: true
      case .afterPong: !isUnasked
      case .afterInbound: !isUnasked && seen.hasLifeBetween
      case .afterOutbound: seen.hasSendsBetween && isBetter
      case .afterTraffic: (seen.hasSendsBetween || seen.hasLifeBetween) && isBetter
      }
    }
  }

  /// The readings with the fewest lengths that do not fit.
  private func fits<Key: Hashable>(
    _ keys: [Key], _ spans: [Key: [TimerSpan]], isPeriodic: (Key) -> Bool = { _ in false }
  ) -> [Reading<Key>] {
    keys.map { ($0, TimerFit(spans[$0] ?? [], tolerance, isPeriodic: isPeriodic($0))) }
  }

  private func allowed<Key>(_ readings: [Reading<Key>]) -> [Reading<Key>] {
    let sound = readings.filter { !$0.fit.isTorn }
    let fewest = sound.map(\.fit.misfits).min() ?? 0
    return sound.filter { $0.fit.misfits == fewest }
  }

  /// Those of ``allowed(_:)``, and the machine's own best one where another explains one length more at most: that may
  /// be chance.
  private func allowed(
    _ readings: [Reading<HeartbeatObservations.Cadence>]
  ) -> [Reading<HeartbeatObservations.Cadence>] {
    let sound = readings.filter { !$0.fit.isTorn }
    let fewest = sound.map(\.fit.misfits).min() ?? 0
    let own = sound.filter(\.key.isKnown).map(\.fit.misfits).min() ?? .max
    return sound.filter {
      $0.fit.misfits == fewest || $0.key.isKnown && $0.fit.misfits == own && own - fewest < 2
    }
  }

  /// The bounds that hold whichever reading is right.
  private func hull<Key>(_ readings: [Reading<Key>]) -> InferredValue.Value {
    let lows = readings.map(\.fit.low)
    let highs = readings.map(\.fit.high)
    let low = lows.contains(nil) ? nil : lows.compactMap(\.self).min()
    let high = highs.contains(nil) ? nil : highs.compactMap(\.self).max()
    return low == nil && high == nil ? .untold : .span(low: low, high: high)
  }

  /// The reading with the least residual, of those that rest on enough; the first of equal ones.
  private func best<Key>(_ readings: [Reading<Key>]) -> Reading<Key>? {
    let most = readings.map(\.fit.used.count).max() ?? 0
    return readings.filter { $0.fit.used.count * 2 >= most }
      .min { ($0.fit.residual ?? 0) < ($1.fit.residual ?? 0) }
  }

  private func strays<Key>(_ readings: [Reading<Key>]) -> String? {
    guard let reading = best(readings), !reading.fit.strays.isEmpty else { return nil }
    let places = reading.fit.strays.prefix(3).map { words.span($0.length) }
    let more = reading.fit.strays.count > 3 ? ", …" : ""
    let verb = reading.fit.strays.count == 1 ? "does" : "do"
    return
      "\(Words.count(reading.fit.strays.count, "length")) \(verb) not fit: \(places.joined(separator: ", "))\(more)"
  }
}

// MARK: - The interval

extension HeartbeatInference {
  /// The reading that the machine is run with; one that no parameter says is chosen only where all others are out, and
  /// by more than two lengths.
  private func chosen(
    _ allowed: [Reading<HeartbeatObservations.Cadence>]
  ) -> Reading<HeartbeatObservations.Cadence>? {
    let known = allowed.filter { $0.key.isKnown && !$0.fit.used.isEmpty }
    if !known.isEmpty { return best(known) }
    return best(allowed.filter { $0.key.isKnown || $0.fit.used.count > 2 })
  }

  private func interval(_ readings: [Reading<HeartbeatObservations.Cadence>]) -> InferredValue {
    let allowed = allowed(readings)
    guard seen.pings > 0, let chosen = chosen(allowed), !chosen.fit.used.isEmpty else {
      return untoldInterval(readings)
    }
    var value = InferredValue(
      "interval", hull(allowed), observations: chosen.fit.agreeing, lines: chosen.fit.deciding,
      remark: strays(allowed), taken: chosen.fit.roundest(header.unitMicroseconds).map(header.parameter))
    if !seen.overlapping.isEmpty {
      let count = Words.count(seen.overlapping.count, "ping")
      value.remark = [value.remark, "\(count) sent while one was unanswered"].compactMap(\.self)
        .joined(separator: "; ")
    }
    if chosen.fit.used.count < 2 { value.record = "longer, until there are three pings or more" }
    return value
  }

  private func untoldInterval(_ readings: [Reading<HeartbeatObservations.Cadence>]) -> InferredValue {
    var value = InferredValue("interval", .untold)
    let first = readings.first { $0.key == .afterPong }
    if seen.pings == 0 {
      // A connection without a ping only says that the interval is longer, if there is one.
      if let low = first?.fit.low, low > 0 { value.value = .span(low: low, high: nil) }
      value.remark =
        seen.peerPings > 0
        ? "the client sends no ping; \(Words.count(seen.peerPings, "ping")) of the peer"
        : "the client sends no ping"
      value.record =
        header.beats == nil
        ? "an open connection for longer, with --beats if its heartbeats are messages"
        : "an open connection for longer"
    } else {
      value.observations = seen.pings
      value.remark = "the times between pings are too different for any one interval"
      value.record = "an open connection that nothing disturbs, until there are three pings or more"
    }
    return value
  }

  private mutating func cadence(_ readings: [Reading<HeartbeatObservations.Cadence>]) -> InferredValue {
    let allowed = allowed(readings)
    let told = readings.filter { !$0.fit.used.isEmpty || $0.fit.isTorn }
    guard seen.pings > 1, let chosen = chosen(allowed), !told.isEmpty else {
      return InferredValue(
        "cadence", .words(HeartbeatObservations.Cadence.allCases.prefix(2).map(\.rawValue)),
        record: seen.pings > 1
          ? "an open connection that nothing disturbs" : "two pings or more on one connection")
    }
    let residuals = told.compactMap { reading in
      reading.fit.residual.map { "\(reading.key.rawValue) leaves \(words.span($0))" }
    }
    var value = InferredValue(
      "cadence", .words(allowed.map(\.key.rawValue)), observations: chosen.fit.agreeing,
      lines: chosen.fit.deciding, remark: residuals.joined(separator: ", "))
    if chosen.key.isKnown {
      value.taken = .word(chosen.key == .fixed ? .fixed : .afterPong)
    } else {
      value.remark = residuals.joined(separator: ", ") + "; no parameter of the machine says so"
      let starts = allowed.map(\.key.start).joined(separator: ", or from ")
      mismatch = Inference.Mismatch(
        names: [.cadence], reason: "its pings are counted from \(starts), and the machine has no such cadence"
      )
    }
    if !chosen.key.isKnown, allowed.count > 1 {
      value.record = "messages of both peers, each at times of its own"
    } else if allowed.count > 1 {
      value.record =
        "pongs whose delays differ by more than \(words.span(tolerance.early + tolerance.slack)), or state a "
        + "smaller --slack"
    }
    return value
  }
}

extension HeartbeatInference {
  /// The reading that is allowed beside the one that is taken, as parameters.
  private func otherCadence(
    _ readings: [Reading<HeartbeatObservations.Cadence>]
  ) -> [ParameterName: ParameterValue]? {
    let allowed = allowed(readings)
    guard allowed.count == 2, let chosen = chosen(allowed),
      let other = allowed.first(where: { $0.key != chosen.key }), other.key.isKnown,
      let interval = other.fit.roundest(header.unitMicroseconds)
    else { return nil }
    return [
      .interval: header.parameter(interval), .cadence: .word(other.key == .fixed ? .fixed : .afterPong),
    ]
  }
}

// MARK: - The timeouts

extension HeartbeatInference {
  private mutating func timeout(_ readings: [Reading<HeartbeatObservations.Policy>]) -> InferredValue {
    let allowed = allowed(readings)
    guard let chosen = best(allowed), chosen.fit.agreeing > 0 else {
      return InferredValue(
        "timeout", .untold, record: "a peer that answers no ping, until the client closes",
        taken: seen.pings > 0 ? header.parameter(endless) : nil)
    }
    var value = InferredValue(
      "timeout", hull(allowed), observations: chosen.fit.agreeing, lines: chosen.fit.deciding,
      remark: strays(allowed))
    if chosen.fit.used.isEmpty {
      value.record = "a peer that answers no ping, until the client closes"
      guard let alone = Self.alone(chosen.fit) else {
        value.remark = "no unanswered ping ended in the client's close; the machine waits without end"
        value.taken = header.parameter(endless)
        return value
      }
      let taken = chosen.fit.roundestAlone(header.unitMicroseconds, tolerance)
      value.remark = alone + (taken == nil ? "" : "; the machine is run as if it was its own")
      value.record? += ", once more"
      value.taken = taken.map(header.parameter)
      if taken == nil, mismatch == nil {
        mismatch = Inference.Mismatch(
          names: [.timeout], reason: "closes that may have been the user's fit no one timeout")
      }
    } else {
      let closes = chosen.fit.used.count
      value.remark = [value.remark, "\(Words.count(closes, "close")) of the client while a pong was awaited"]
        .compactMap(\.self).joined(separator: "; ")
      value.taken = chosen.fit.roundest(header.unitMicroseconds).map(header.parameter)
    }
    return value
  }

  /// What is said of closes that nothing bears out; nil for none.
  private static func alone(_ fit: TimerFit) -> String? {
    switch fit.alone.count {
    case 0: nil
    case 1: "from above it cannot be told: one close, which may have been the user's"
    default:
      "from above it cannot be told: \(fit.alone.count) closes, no two alike, which may have been the user's"
    }
  }

  /// Whole seconds, longer than the recording.
  private var endless: Int {
    let second = 1_000_000 / header.unitMicroseconds
    return (min(max(0, horizon), 1 << 50) / second + 2) * second
  }

  private func policy(_ readings: [Reading<HeartbeatObservations.Policy>]) -> InferredValue {
    let allowed = allowed(readings)
    let names = allowed.isEmpty ? HeartbeatObservations.Policy.allCases : allowed.map(\.key)
    var value = InferredValue("policy", .words(names.map(\.rawValue)))
    if names.count == 1, let chosen = allowed.first {
      value.observations = chosen.fit.agreeing
      value.lines = chosen.fit.deciding
      value.taken = .word(chosen.key == .pongOnly ? .pongOnly : .anyInboundIsLife)
    } else {
      value.remark = seen.hasLifeInWait ? "both explain what was seen" : nil
      value.record =
        "a peer that sends messages and answers no ping, and one that falls silent, until the client closes"
    }
    return value
  }

  private func connectTimeout() -> InferredValue {
    let fit = TimerFit(seen.handshakes, tolerance)
    guard fit.agreeing > 0, !fit.used.isEmpty else {
      return InferredValue(
        "connectTimeout", fit.low.map { .span(low: $0, high: nil) } ?? .untold, observations: fit.agreeing,
        lines: fit.deciding, remark: Self.alone(fit) ?? "off, or longer",
        record: "a peer that takes connections and answers no handshake, until the client gives up")
    }
    return InferredValue(
      "connectTimeout", .span(low: fit.low, high: fit.high), observations: fit.agreeing, lines: fit.deciding,
      taken: fit.roundest(header.unitMicroseconds).map(header.parameter))
  }
}
