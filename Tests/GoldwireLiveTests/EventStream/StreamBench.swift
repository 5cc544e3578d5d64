import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A reader with everything around it in a test's hands.
final class StreamBench: Sendable {
  /// A handler that does as a test says; it is told the event and how often it was called, from 1.
  typealias Handler = @Sendable (StreamEvent, Int) async throws -> Void

  struct Refused: Error {}

  let clock = ManualClock()
  let gate: SessionGate
  let transport: ScriptedTransport
  let store: MemoryCursorStore
  let taps: TapBench
  let reader: EventStreamReader<MemoryCursorStore>
  private let seen: Seen

  final class Seen: Sendable {
    let events = Mutex<[StreamEvent]>([])
    let records = Mutex<[StreamRecord]>([])
    let calls = Watched(0)
  }

  init(
    _ script: [ScriptedTransport.Answer], parameters: EventStream.Parameters = .standard(.microseconds),
    cursor: String = "", handler: @escaping Handler = { _, _ in }
  ) throws {
    let seen = Seen()
    self.seen = seen
    transport = ScriptedTransport(script, clock: clock)
    taps = try TapBench(clock, TapParameters(stream: parameters))
    gate = SessionGate(clock: clock, tap: taps.tap)
    store = MemoryCursorStore(cursor: cursor)
    let url = URL(string: "http://127.0.0.1/events") ?? URL(filePath: "/")
    reader = EventStreamReader(
      URLRequest(url: url), transport: transport, store: store, parameters: parameters, clock: clock,
      gate: gate,
      unit: { 1_000_000 }, tap: taps.tap, log: { record in seen.records.withLock { $0.append(record) } }
    ) { event, _ in
      let call = seen.calls.update { calls in
        calls += 1
        return calls
      }
      try await handler(event, call)
      seen.events.withLock { $0.append(event) }
    }
  }

  /// What the handler took, as `id=data`.
  var events: [String] { seen.events.withLock { $0.map { "\($0.hasID ? $0.lastEventID : "-")=\($0.data)" } } }
  var taken: [StreamEvent] { seen.events.withLock { $0 } }
  var log: [StreamRecord] { seen.records.withLock { $0 } }
  var calls: Int { seen.calls.value }

  /// Returns once the handler was called so often.
  func called(_ count: Int) async throws { try await seen.calls.wait { $0 >= count ? () : nil } }

  /// What each request carried as `Last-Event-ID`.
  var cursors: [String?] { transport.sends.map { $0.request.value(forHTTPHeaderField: "Last-Event-ID") } }

  /// When each request came, in milliseconds.
  var instants: [Int] { transport.sends.map { milliseconds($0.at) } }

  /// Runs the reader to its end, moving the clock to each wait as it comes.
  func run() async throws -> StreamEnd {
    try await withThrowingTaskGroup(of: StreamEnd?.self) { group in
      group.addTask { try await self.reader.run() }
      group.addTask {
        while !Task.isCancelled { await self.clock.advanceToNextWait() }
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() { if let result { return result } }
      throw CancellationError()
    }
  }

  /// The number of waits and requests that are left behind.
  var leftovers: Int { clock.waiting + transport.open }
}

/// The blocks of events with these ids, and data of the same number.
func blocks(_ ids: Int...) -> String { ids.map { "id: \($0)\ndata: d\($0)\n\n" }.joined() }

extension ScriptedTransport.Answer {
  /// An event stream that ends after this text.
  static func events(_ text: String) -> Self { .stream([.text(text)]) }
  /// The answer at which a reader stops for good.
  static var over: Self { .status(204) }
}
