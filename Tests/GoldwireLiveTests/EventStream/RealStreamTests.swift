import GoldwireLive
import GoldwireMachines
import GoldwireReplay
import GoldwireServer
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Testing

/// Event streams on real sockets, cut and resumed.
@Suite(.timeLimit(.minutes(1))) struct RealStreamTests {
  /// A reader of a real stream, whose clock is moved by hand.
  private final class Reading: Sendable {
    let clock = ManualClock()
    let handled = Watched<[String]>([])
    let taps: TapBench
    let reader: EventStreamReader<MemoryCursorStore>

    init(_ bench: RealBench, _ path: String, _ store: MemoryCursorStore) throws {
      taps = try TapBench(clock, TapParameters(stream: .standard(.microseconds)))
      let handled = handled
      reader = EventStreamReader(
        try bench.request(path), transport: bench.transport, store: store, clock: clock, tap: taps.tap
      ) { event, _ in handled.update { $0.append("\(event.lastEventID)=\(event.data)") } }
    }
  }

  @Test func exactlyTheRestComesAfterACut() async throws {
    let bench = try RealBench(named: "events")
    let store = MemoryCursorStore()
    let first = try Reading(bench, "/events?cut=1", store)
    let task = Task { try await first.reader.run() }
    _ = await first.clock.waits()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(first.handled.value == ["1=queued"])
    #expect(await store.cursor == "1")
    #expect(first.clock.waiting == 0)

    let second = try Reading(bench, "/events", store)
    let rest = Task { try await second.reader.run() }
    _ = await second.clock.waits()
    rest.cancel()
    _ = try? await rest.value
    #expect(second.handled.value == ["2=building", "3=finished"])
    #expect(await store.cursor == "3")
    try await bench.idle()
    await bench.server.stop()
    let cursors = bench.server.log.lines.compactMap { line -> Int? in
      if case .sseConnect(let cursor) = line.event { cursor ?? 0 } else { nil }
    }
    #expect(cursors == [0, 1])
    for taps in [first.taps, second.taps] {
      let conformance = try taps.finish().conformance(.stream)
      #expect(conformance.departures.isEmpty, "\(conformance.text())")
    }
  }

  @Test func everyCutThatHurtsLosesAndDoublesNothing() async throws {
    let bench = try RealBench(named: "cuts")
    let parameters = try EventStream.Parameters(unit: .microseconds, retryStatuses: true)
    let clock = ManualClock()
    let handled = Watched<[String]>([])
    let store = MemoryCursorStore()
    let reader = EventStreamReader(
      try bench.request("/events"), transport: bench.transport, store: store, parameters: parameters,
      clock: clock
    ) { event, _ in handled.update { $0.append("\(event.lastEventID)=\(event.data)") } }
    let task = Task { try await reader.run() }
    let mover = Task { while !Task.isCancelled { await clock.advanceToNextWait() } }
    #expect(try await task.value == .stopped(.noContent))
    mover.cancel()
    #expect(handled.value == ["1=queued", "2=bâti", "3=finished"])
    #expect(await store.cursor == "3")
    try await bench.idle()
    await bench.server.stop()
  }

  @Test func cancellingAQuietStreamLeavesNoRequestBehind() async throws {
    let bench = try RealBench(
      #"{"script":1,"rules":[{"path":"/e","events":{"end":"open","events":[{"id":"1","data":"a"}]}}]}"#)
    let reading = try Reading(bench, "/e", MemoryCursorStore())
    let task = Task { try await reading.reader.run() }
    try await reading.handled.wait { $0.isEmpty ? nil : () }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await bench.idle()
    #expect(reading.clock.waiting == 0)
    await bench.server.stop()
  }
}
