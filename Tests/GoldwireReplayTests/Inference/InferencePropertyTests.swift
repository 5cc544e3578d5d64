import GoldwireMachines
import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Whatever a client is set to, and however late its timers are within the slack: what is inferred allows it.
@Suite struct InferencePropertyTests {
  private static let slack = 250_000
  private static let allowed = TimeSpan(microseconds: slack)

  @Test("the true interval, timeout, cadence and policy are always allowed", arguments: 0..<8)
  func heartbeat(block: UInt64) throws {
    var (cadences, policies, closes) = (0, 0, 0)
    for seed in block * 100..<block * 100 + 100 {
      let session = try SimulatedHeartbeat(seed: seed, slack: Self.slack)
      let inference = Inference(session.trace, .heartbeat, slack: Self.allowed)
      let known = session.parameters
      let interval = try #require(inference["interval"])
      #expect(
        interval.value.allows(span: known.interval), "seed \(seed): \(interval.value) \(known.interval)")
      let timeout = try #require(inference["timeout"])
      #expect(
        timeout.value == .untold || timeout.value.allows(span: known.timeout),
        "seed \(seed): \(timeout.value) \(known.timeout)")
      if case .span(_, .some) = timeout.value { closes += 1 }
      let cadence = try #require(inference["cadence"])
      #expect(cadence.value.allows(word: "\(known.cadence)"), "seed \(seed): \(cadence.value)")
      if case .words(let words) = cadence.value, words.count == 1 { cadences += 1 }
      let policy = try #require(inference["policy"])
      #expect(policy.value.allows(word: "\(known.policy)"), "seed \(seed): \(policy.value)")
      if case .words(let words) = policy.value, words.count == 1 { policies += 1 }
      try keeps(session, inference, "seed \(seed)")
    }
    // What allows everything tells nothing.
    #expect(cadences > 50 && closes > 20 && policies > 1, "\(cadences) \(closes) \(policies)")
  }

  /// Where all is told, a client that runs the machine keeps to the machine with what was inferred.
  private func keeps(_ session: SimulatedHeartbeat, _ inference: Inference, _ seed: Comment) throws {
    guard inference.isBounded, session.parameters.policy == .pongOnly,
      inference["policy"]?.value.allows(word: "pongOnly") == true,
      let parameters = inference.parameters
    else { return }
    let conformance = try Conformance(
      session.trace, parameters, early: TimeSpan(microseconds: Self.slack + 2_000),
      slack: TimeSpan(microseconds: 2 * Self.slack + 2_000))
    #expect(conformance.departures == [], seed)
  }

  @Test("the true jitter, base, factor, cap and count are always allowed", arguments: 0..<8)
  func retry(block: UInt64) throws {
    var (kinds, factors) = (0, 0)
    for seed in block * 100..<block * 100 + 100 {
      let session = SimulatedRetries(seed: seed, slack: Self.slack)
      let inference = Inference(session.trace, .retry, slack: Self.allowed)
      guard let jitter = inference["jitterKind"] else { continue }
      #expect(jitter.value.allows(word: session.jitter), "seed \(seed) \(session.jitter): \(jitter.value)")
      if case .words(let words) = jitter.value, words.count < 3 { kinds += 1 }
      let base = try #require(inference["base", session.jitter])
      // The first wait at most, where the cap holds the rest down.
      #expect(
        base.value.allows(span: session.base) || session.isCapped,
        "seed \(seed) \(session.jitter): \(base.value) \(session.base)")
      if let factor = inference["factor", session.jitter], session.jitter != "decorrelated",
        !session.isCapped,
        case .factor(let low, let high) = factor.value
      {
        factors += 1
        #expect(
          low <= session.factor && session.factor <= high, "seed \(seed): \(factor.value) \(session.factor)")
      }
      let count = try #require(inference["count"])
      guard case .count(let low, let high) = count.value else {
        Issue.record("no count")
        continue
      }
      #expect(low <= session.count && session.count <= high ?? Int.max, "seed \(seed): \(count.value)")
      if session.isGivenUp { #expect(low == session.count, "seed \(seed)") }
    }
    #expect(kinds > 10 && factors > 20, "\(kinds) \(factors)")
  }

  @Test("the true delay and idle timeout of a stream are always allowed", arguments: 0..<4)
  func stream(block: UInt64) throws {
    for seed in block * 100..<block * 100 + 100 {
      var random = SeededGenerator(seed: seed)
      let delay = Int.random(in: 200_000...20_000_000, using: &random)
      let idle = Int.random(in: 1_000_000...90_000_000, using: &random)
      var (t, lines): (Int, [TraceLine]) = (0, [])
      func put(_ generation: Int, _ event: TraceEvent) {
        lines.append(TraceLine(t: t, channel: Channel(.sse, 1), generation: generation, event: event))
      }
      let times = Int.random(in: 2...6, using: &random)
      for generation in 1...times {
        put(generation, .sseConnect(cursor: generation > 1 ? 1 : nil))
        t += 10_000
        put(generation, .sseOpen(status: 200, type: .eventStream, retry: RetryFields()))
        for n in 1...3 {
          t += Int.random(in: 1...idle - 1, using: &random)
          put(generation, .sseEvent(n: n, id: 1, rev: 1, bytes: 3))
        }
        let isSilent = Bool.random(using: &random)
        t += isSilent ? idle + Int.random(in: 0...Self.slack, using: &random) : 1
        put(generation, .sseCut(cause: isSilent ? .local : .eof, dir: isSilent ? .out : .in, partial: 0))
        t += delay + Int.random(in: 0...Self.slack, using: &random)
      }
      let header = TraceHeader(tool: "test", source: .tap, unit: .us, clock: .continuous, at: .client)
      let inference = Inference(Trace(header: header, lines: lines), .stream, slack: Self.allowed)
      #expect(inference["delay"]?.value.allows(span: delay) == true, "seed \(seed)")
      #expect(inference["idle"]?.value.allows(span: idle) == true, "seed \(seed)")
      #expect(inference["lastEventID"]?.value == .flag(true), "seed \(seed)")
    }
  }
}

extension Inference {
  /// The setting of this name, of one kind of jitter where one is named.
  subscript(_ name: String, _ condition: String? = nil) -> InferredValue? {
    values.first { $0.name == name && (condition == nil || $0.condition == condition) }
  }
}
