internal import Foundation
internal import GoldwireLive
internal import GoldwireMachines
internal import GoldwireServer
internal import GoldwireTap
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension LiveStream {
  /// Reads the stream until enough events came or it stopped; gives what is wrong with the effects.
  func run(_ server: FaultServer, _ path: String) async throws -> [String] {
    let parameters = try EventStream.Parameters(
      unit: .microseconds, delay: delay * 1_000, least: 1_000, most: 200_000, idle: idle.map { $0 * 1_000 })
    guard let url = server.url("http", "/events") else { throw NoAddress() }
    let tap = try Tap(writingTo: path, parameters: TapParameters(stream: parameters))
    let effects = Effects(failsEvery: failsEvery)
    let (enough, gate) = AsyncStream<Never>.makeStream()
    let most = events
    let reader = EventStreamReader(
      URLRequest(url: url), transport: URLSessionTransport(), store: MemoryCursorStore(),
      parameters: parameters,
      tap: tap
    ) { event, _ in
      if try effects.take(event) >= most { gate.finish() }
    }
    let task = Task {
      _ = try? await reader.run()
      gate.finish()
    }
    for await _ in enough {}
    task.cancel()
    await task.value
    tap.finish()
    return effects.faults()
  }
}

/// The effects of the events, as an app would have them.
private final class Effects: Sendable {
  private struct Failure: Error {}

  private struct State {
    var tries = 0
    var ids: [String] = []
  }

  private let failsEvery: Int
  private let state = Mutex(State())

  init(failsEvery: Int) { self.failsEvery = failsEvery }

  /// Takes an event; gives how many there are now.
  func take(_ event: StreamEvent) throws -> Int {
    try state.withLock { state in
      state.tries += 1
      if failsEvery > 0, state.tries % failsEvery == 0 { throw Failure() }
      state.ids.append(event.lastEventID)
      return state.ids.count
    }
  }

  /// Each numbered event once, in order, and none left out.
  func faults() -> [String] {
    let numbers = state.withLock { $0.ids }.compactMap { Int($0) }
    let wanted = Array(1...max(1, numbers.count)).prefix(numbers.count)
    return numbers.elementsEqual(wanted) ? [] : ["the events came as \(numbers)"]
  }
}
