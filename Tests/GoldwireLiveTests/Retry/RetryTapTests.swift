import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireReplay
import GoldwireTap
import GoldwireTesting
import GoldwireTestSupport
import GoldwireTrace
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What an executor did is what the replay of its own trace says it should have done.
@Suite(.timeLimit(.minutes(1))) struct RetryTapTests {
  private static func bench(
    _ script: [ScriptedTransport.Answer], _ parameters: Retry.Parameters = .standard(.microseconds),
    unit: @escaping RandomUnit = { 1_000_000 }
  ) throws -> (RetryBench, TapBench) {
    let clock = ManualClock()
    let tap = try TapBench(clock, TapParameters(retry: parameters))
    return (RetryBench(script, parameters: parameters, clock: clock, tap: tap.tap, draw: unit), tap)
  }

  @Test func aRetriedRequestIsWrittenLineByLine() async throws {
    let (bench, tap) = try Self.bench([
      .status(503, retryAfter: "2"), .status(200, body: "four").behindRedirect(),
    ])
    let result = try await bench.run(
      LogicalRequest(write(body: "order"), idempotency: .serverKeepsKeys("K1")))
    _ = try await result.reply?.body.bytes()
    let trace = try tap.finish()
    #expect(
      trace.text.split(separator: "\n").dropFirst().joined(separator: "\n") == """
        {"t":0,"ch":"http1","ev":"http.send","req":1,"try":1,"method":"POST","replayable":true,"key":"k1","bytes":5}
        {"t":0,"ch":"http1","ev":"http.response","req":1,"try":1,"status":503,"retryAfter":2,"type":"other"}
        {"t":0,"ch":"http1","ev":"http.wait","req":1,"try":2,"for":2000000,"unit":1000000}
        {"t":2000000,"ch":"http1","ev":"http.send","req":1,"try":2,"method":"POST","replayable":true,"key":"k1","bytes":5}
        {"t":2000000,"ch":"http1","ev":"http.response","req":1,"try":2,"status":307,"type":"other"}
        {"t":2000000,"ch":"http1","ev":"http.send","req":1,"try":2,"hop":1,"method":"POST","replayable":true,"key":"k1","bytes":5}
        {"t":2000000,"ch":"http1","ev":"http.response","req":1,"try":2,"hop":1,"status":200,"type":"other"}
        {"t":2000000,"ch":"http1","ev":"http.stop","req":1,"why":"delivered"}
        {"t":2000000,"ch":"http1","ev":"http.body","req":1,"try":2,"dir":"in","bytes":4,"done":true}
        {"t":2000000,"ev":"rec.end","why":"stopped"}
        """)
    let conformance = try trace.conformance(.retry)
    #expect(conformance.status == .expected, "\(conformance.text())")
    #expect(conformance.acts == 3)
  }

  @Test func aDateIsWaitedForAsTheTraceTellsIt() async throws {
    let (bench, tap) = try Self.bench([
      .status(503, retryAfter: "Fri, 26 Jun 2020 04:28:20 GMT"), .status(200),
    ])
    _ = try await bench.run(get())
    #expect(bench.delays == [10_000])
    let conformance = try tap.finish().conformance(.retry)
    #expect(conformance.status == .expected, "\(conformance.text())")
  }

  @Test func aCancelledWaitIsACancellation() async throws {
    let (bench, tap) = try Self.bench([.status(503), .status(200)])
    let task = Task { try await bench.executor.send(get()) }
    _ = await bench.clock.waits()
    bench.clock.advance(by: .milliseconds(300))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let trace = try tap.finish()
    #expect(trace.text.contains(#"{"t":300000,"ch":"http1","ev":"http.cancel","req":1}"#))
    #expect(trace.text.contains(#"{"t":300000,"ch":"http1","ev":"http.stop","req":1,"why":"cancelled"}"#))
    #expect(try trace.conformance(.retry).status == .expected)
  }

  @Test func aChangeOfSessionIsInTheTraceToo() async throws {
    let (bench, tap) = try Self.bench([.status(503), .status(200)])
    async let result = bench.executor.send(get())
    _ = await bench.clock.waits()
    bench.gate.raise()
    await bench.clock.advanceToNextWait()
    #expect(try await result.outcome == .stale)
    let trace = try tap.finish()
    #expect(trace.text.contains(#""ev":"app.session","session":1}"#))
    let conformance = try trace.conformance(.retry)
    #expect(conformance.status == .expected, "\(conformance.text())")
  }

  /// Random scripts, parameters, units, cancellations and changes of session, from seeds.
  @Test func randomSessionsReplayToWhatWasDone() async throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...4, using: &random)
      let parameters = try Retry.Parameters(
        unit: .microseconds, base: .random(in: 1...3_000_000, using: &random),
        factor: Double(Int.random(in: 1...3, using: &random)),
        cap: .random(in: 1_000_000...40_000_000, using: &random), count: count,
        transport: .random(using: &random))
      let script = (0...5).map { _ in Self.answer(&random) }
      let units = (0...5).map { _ in Int.random(in: 0...1_000_000, using: &random) }
      let drawn = Watched(0)
      let (bench, tap) = try Self.bench(script, parameters) {
        drawn.update { index in
          defer { index += 1 }
          return units[index % units.count]
        }
      }
      let isSafe = Bool.random(using: &random)
      let request = isSafe ? get() : LogicalRequest(write(body: "x"), idempotency: .serverKeepsKeys())
      try await Self.drive(bench, request, &random)
      let trace = try tap.finish()
      let conformance = try trace.conformance(.retry)
      #expect(conformance.departures.isEmpty, "seed \(seed): \(conformance.text())\(trace.text)")
      #expect(trace.lines.count { if case .httpStop = $0.event { true } else { false } } == 1, "seed \(seed)")
      let sends = trace.lines.count {
        if case .httpSend(let send) = $0.event { send.hop == nil } else { false }
      }
      #expect(sends == bench.transport.sends.count && sends <= count + 1, "seed \(seed)")
    }
  }

  private static func drive(
    _ bench: RetryBench, _ request: LogicalRequest, _ random: inout SeededGenerator
  ) async throws {
    let turn = Int.random(in: 1...4, using: &random)
    let kind = Int.random(in: 0...3, using: &random)
    let task = Task { try await bench.executor.send(request) }
    let mover = Task {
      var waits = 0
      while !Task.isCancelled, let due = await bench.clock.waits() {
        waits += 1
        if waits == turn, kind == 1 { task.cancel() }
        if waits == turn, kind == 2 {
          bench.clock.advance(by: .microseconds(1))
          bench.gate.raise()
        }
        bench.clock.advance(to: due)
      }
    }
    _ = try? await task.value
    mover.cancel()
    await mover.value
    #expect(bench.clock.waiting == 0)
  }

  private static func answer(_ random: inout SeededGenerator) -> ScriptedTransport.Answer {
    let asked =
      [
        nil, nil, "0", "2", "31", "-1", "99999999999999999999", "Fri, 26 Jun 2020 04:28:20 GMT",
        "Friday, 26-Jun-20 04:28:15 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", "soon",
      ].randomElement(using: &random) ?? nil
    switch Int.random(in: 0...9, using: &random) {
    case 0...3: return .status(503, retryAfter: asked)
    case 4...5: return .status(429, retryAfter: asked)
    case 6: return .failure(.reset)
    case 7: return .status(503, retryAfter: asked).behindRedirect()
    case 8: return .status(500, retryAfter: asked)
    default: return .status(200)
    }
  }
}
