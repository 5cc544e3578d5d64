import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// A timer that keeps to its instants, however late it was the time before: what most systems call a repeating one.
@Suite struct PeriodicInferenceTests {
  private static let slack = 250_000

  /// Pings every so often, each late by a length of its own.
  private static func trace(
    _ interval: Int, pings: Int, late: Int, seed: UInt64, closes: Bool = true
  ) -> Trace {
    var random = SeededGenerator(seed: seed)
    var lines: [TraceLine] = []
    func put(_ t: Int, _ event: TraceEvent) {
      lines.append(TraceLine(t: t, channel: Channel(.ws, 1), generation: 1, event: event))
    }
    put(0, .wsConnect)
    put(40_000, .wsOpen(status: 101, deflate: nil))
    var t = 40_000
    for id in 1...pings {
      t = 40_000 + id * interval + Int.random(in: 0...late, using: &random)
      put(t, .wsPing(dir: .out, id: id, bytes: 0))
      if id == pings, closes {
        put(t + 1_500_000, .wsClose(dir: .out, code: 1011, by: .machine))
      } else {
        put(t + Int.random(in: 20_000...1_400_000, using: &random), .wsPong(dir: .in, id: id, bytes: 0))
      }
    }
    lines.append(TraceLine(t: t + 1_600_000, event: .recEnd(why: .stopped, counts: nil)))
    return Trace(
      header: TraceHeader(tool: "test", source: .tap, unit: .us, clock: .continuous, at: .client),
      lines: lines)
  }

  @Test("its interval is allowed, and many pings bound it closely") func bounds() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let interval = Int.random(in: 2_000_000...60_000_000, using: &random)
      let pings = Int.random(in: 2...40, using: &random)
      let trace = Self.trace(interval, pings: pings, late: Self.slack / 2, seed: seed)
      let inference = Inference(trace, .heartbeat, slack: TimeSpan(microseconds: Self.slack))
      let value = try #require(inference["interval"]).value
      #expect(value.allows(span: interval), "seed \(seed): \(value) \(interval)")
      guard case .span(_, let high?) = value, inference["cadence"]?.value.allows(word: "afterPong") == false
      else { continue }
      #expect(high <= interval + 2_000 + 2 * Self.slack / min(pings, 4), "seed \(seed): \(value)")
    }
  }

  @Test("it is held to its own interval, and not to its lateness") func conforms() throws {
    for seed in 0..<50 as Range<UInt64> {
      let trace = Self.trace(10_000_000, pings: 40, late: 100_000, seed: seed)
      let parameters = try MachineParameters.of(
        .heartbeat, "interval=10s timeout=1500ms cadence=fixed")
      let conformance = try Conformance(trace, parameters)
      #expect(conformance.departures == [], "seed \(seed)")
      #expect(conformance.acts == 41)
      let inference = Inference(trace, .heartbeat)
      #expect(inference["interval"]?.taken == .span(TimeSpan(microseconds: 10_000_000)), "seed \(seed)")
    }
  }

  @Test("a ping that comes earlier than any lateness explains departs") func early() throws {
    var trace = Self.trace(10_000_000, pings: 10, late: 20_000, seed: 1, closes: false)
    let place = try #require(
      trace.lines.lastIndex { if case .wsPing = $0.event { true } else { false } })
    trace.lines[place].t -= 100_000
    let parameters = try MachineParameters.of(.heartbeat, "interval=10s timeout=5s cadence=fixed")
    #expect(try Conformance(trace, parameters).departures.map(\.kind) == [.early])
  }

  @Test("a client that pays no heed to Retry-After has a backoff of its own") func ignoredServer() throws {
    var lines: [String] = []
    var t = 0
    for request in 1...3 {
      for attempt in 1...4 {
        lines.append("\(t) http1 http.send req=\(request) try=\(attempt) method=GET")
        t += 20
        lines.append("\(t) http1 http.response req=\(request) try=\(attempt) status=503 retryAfter=30")
        t += (1_000 << (attempt - 1)) + 3
      }
      t += 200_000
    }
    lines.append("\(t) rec.end why=stopped")
    let inference = Inference(try Written(lines: lines, source: "tap").trace(), .retry)
    #expect(inference["retryAfter"]?.value == .flag(false))
    #expect(inference["base", "none"]?.value.allows(span: 1_000) == true)
    #expect(inference["base", "none"]?.taken == .span(TimeSpan(microseconds: 1_000_000)))
    #expect(inference["count"]?.value == .count(low: 3, high: 3))
  }
}
