import GoldwireLive
import GoldwireMachines
import GoldwireReplay
import GoldwireTap
import GoldwireTesting
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// What a reader did is what the replay of its own trace says it should have done.
@Suite(.timeLimit(.minutes(5))) struct StreamTapTests {
  @Test func aStreamIsWrittenLineByLine() async throws {
    let bench = try StreamBench(
      [
        .stream([.text("retry: 2000\n: hi\n" + blocks(1) + "id: 2\ndata: half"), .cut(.reset)]),
        .events(blocks(1, 2) + "id: 3\n\n"), .over,
      ], cursor: "secret-0"
    ) { _, call in if call == 2 { throw StreamBench.Refused() } }
    _ = try await bench.run()
    let trace = try bench.taps.finish()
    #expect(
      trace.text.split(separator: "\n").dropFirst().joined(separator: "\n") == """
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.connect","cursor":"e1"}
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream"}
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.retry","ms":2000}
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.comment"}
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e2","bytes":2}
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.handled","n":1,"ok":true}
        {"t":0,"ch":"sse1","ev":"sse.commit","cursor":"e2"}
        {"t":0,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"reset","dir":"in","partial":16}
        {"t":2000000,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2"}
        {"t":2000000,"ch":"sse1","gen":2,"ev":"sse.open","status":200,"type":"text/event-stream"}
        {"t":2000000,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e2","bytes":2}
        {"t":2000000,"ch":"sse1","gen":2,"ev":"sse.event","n":2,"id":"e3","bytes":2}
        {"t":2000000,"ch":"sse1","gen":2,"ev":"sse.handled","n":2,"ok":false}
        {"t":2000000,"ch":"sse1","gen":2,"ev":"sse.cut","cause":"local","dir":"out","partial":0}
        {"t":4000000,"ch":"sse1","gen":3,"ev":"sse.connect","cursor":"e2"}
        {"t":4000000,"ch":"sse1","gen":3,"ev":"sse.open","status":204,"type":"other"}
        {"t":4000000,"ev":"rec.end","why":"stopped"}
        """)
    let conformance = try trace.conformance(.stream)
    #expect(conformance.status == .expected, "\(conformance.text())")
  }

  @Test func nothingOfAPayloadIsInTraceOrLog() async throws {
    let secret = "canary-5551234"
    let bench = try StreamBench(
      [.events("event: \(secret)\nid: \(secret)\ndata: \(secret)\n: \(secret)\n\(secret): x\n\n"), .over],
      cursor: secret)
    _ = try await bench.run()
    let text = try bench.taps.finish().text + bench.log.map { "\($0)" }.joined()
    #expect(!text.contains("canary") && !text.contains("5551234"))
  }

  /// Random streams, cuts, failures and cancellations, from seeds.
  @Test func randomStreamsReplayToWhatWasDone() async throws {
    for seed in 1...80 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let parameters = try EventStream.Parameters(
        unit: .microseconds, delay: .random(in: 1...5_000_000, using: &random),
        idle: Bool.random(using: &random) ? .random(in: 1...5_000_000, using: &random) : nil,
        dedup: Bool.random(using: &random) ? .id : .idAndContent,
        failures: .random(in: 1...5, using: &random),
        retryStatuses: .random(using: &random))
      let fates = (0..<40).map { _ in Int.random(in: 0...9, using: &random) }
      let script = (0..<8).map { _ in Self.answer(&random, holds: parameters.idle != nil) } + [.over]
      let bench = try StreamBench(script, parameters: parameters) { _, call in
        if fates[call % fates.count] == 0 { throw StreamBench.Refused() }
      }
      let turn = Int.random(in: 1...12, using: &random)
      let kind = Int.random(in: 0...3, using: &random)
      let task = Task { try await bench.reader.run() }
      let mover = Task {
        var waits = 0
        while !Task.isCancelled, await bench.clock.waits() != nil {
          // With an idle timeout somebody waits also while pieces are on their way.
          guard (try? await bench.transport.quiet()) != nil else { return }
          waits += 1
          if waits == turn, kind == 1 { task.cancel() }
          if waits == turn, kind == 2 { bench.gate.raise() }
          if let due = bench.clock.due.first { bench.clock.advance(to: due) }
        }
      }
      _ = try? await task.value
      mover.cancel()
      await mover.value
      #expect(bench.leftovers == 0, "seed \(seed)")
      let trace = try bench.taps.finish()
      let conformance = try trace.conformance(.stream)
      #expect(conformance.departures.isEmpty, "seed \(seed): \(conformance.text())\(trace.text)")
    }
  }

  private static func answer(_ random: inout SeededGenerator, holds: Bool) -> ScriptedTransport.Answer {
    switch Int.random(in: 0...9, using: &random) {
    case 0: return .failure(.refused)
    case 1: return .status(503, retryAfter: "1")
    default: break
    }
    var pieces: [ScriptedTransport.Piece] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let id = Int.random(in: 1...6, using: &random)
      switch Int.random(in: 0...9, using: &random) {
      case 0: pieces.append(.text("data: without\n\n"))
      case 1: pieces.append(.text("id: \(id)\n\n"))
      case 2: pieces.append(.text(": life\n"))
      case 3: pieces.append(.text("retry: \(id * 300)\n\n"))
      case 4: pieces.append(.text("id: \(id)\ndata: other\n\n"))
      case 5: pieces.append(.text("id\ndata: empty\n\n"))
      default: pieces.append(.text(blocks(id)))
      }
    }
    switch Int.random(in: 0...3, using: &random) {
    case 0: pieces.append(.text("id: 9\ndata: hal"))
    case 1: pieces.append(.cut(.reset))
    case 2 where holds: pieces.append(.hold)
    default: break
    }
    return .stream(pieces)
  }
}
