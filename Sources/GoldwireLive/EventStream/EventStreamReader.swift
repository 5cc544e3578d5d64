public import GoldwireMachines
public import GoldwireProtocols
public import GoldwireTap

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Reads an event stream over all its connections, and hands each event to a handler as it comes.
///
/// Events are handled one after the other, in the order of the stream, and never gathered: while a handler runs, nothing
/// more is read. The cursor moves once the handler has succeeded. What the store keeps decides what a killed app finds
/// again. Cancelling the task that runs the reader ends its request and its timer.
public final class EventStreamReader<Store: CursorStore>: Sendable {
  /// Handles an event; what it writes through the transaction is kept with the cursor, or not at all.
  public typealias Handler = @Sendable (StreamEvent, Store.Transaction) async throws -> Void

  let request: URLRequest
  let transport: any HTTPTransport
  let store: Store
  let parameters: EventStream.Parameters
  let limits: EventStreamParser.Limits
  let clock: any DriverClock
  let gate: SessionGate
  let unit: RandomUnit
  let wall: WallTime
  let tap: Tap?
  let log: (@Sendable (StreamRecord) -> Void)?
  let handler: Handler
  private let isRunning = Guarded(false)

  /// Makes a reader; nothing is sent before ``run()``.
  ///
  /// `gate` is shared by all that belongs to the app's session, and has the same clock. `unit` and `wall` serve refusals
  /// with a `Retry-After`, where the parameters wait these out. `limits` bound one event.
  public init(
    _ request: URLRequest, transport: any HTTPTransport, store: Store,
    parameters: EventStream.Parameters = .standard(.microseconds),
    limits: EventStreamParser.Limits = EventStreamParser.Limits(),
    clock: any DriverClock = ContinuousDriverClock(), gate: SessionGate? = nil,
    unit: @escaping RandomUnit = systemRandomUnit, wall: WallTime = .system, tap: Tap? = nil,
    log: (@Sendable (StreamRecord) -> Void)? = nil, handler: @escaping Handler
  ) {
    self.request = request
    self.transport = transport
    self.store = store
    self.parameters = parameters.inMicroseconds
    self.limits = limits
    self.clock = clock
    self.gate = gate ?? SessionGate(clock: clock, tap: tap)
    self.unit = unit
    self.wall = wall
    self.tap = tap
    self.log = log
    self.handler = handler
  }

  /// Reads until the stream stops for good, or the app's session changes.
  ///
  /// Throws `CancellationError` when the task is cancelled, ``AlreadyUnderWay`` while it runs elsewhere, and what the
  /// store throws where it cannot be read or moved.
  public func run() async throws -> StreamEnd {
    let isFirst = isRunning.withLock { isRunning in
      defer { isRunning = true }
      return !isRunning
    }
    guard isFirst else { throw AlreadyUnderWay() }
    defer { isRunning.withLock { $0 = false } }
    let session = gate.session
    return try await withThrowingTaskGroup(of: StreamEnd.self) { group in
      group.addTask {
        var run = StreamRun(self, session: session)
        return try await run.end()
      }
      group.addTask { [gate] in
        try await gate.changes(from: session)
        return .stale
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .stale
    }
  }
}

extension EventStream.Parameters {
  /// The same in the unit of the drivers.
  var inMicroseconds: EventStream.Parameters {
    guard unit == .milliseconds else { return self }
    let same = try? EventStream.Parameters(
      unit: .microseconds, delay: Self.micro(delay), least: Self.micro(least), most: Self.micro(most),
      idle: idle.map(Self.micro), dedup: dedup, window: window, failures: failures,
      retryStatuses: retryStatuses)
    return same ?? .standard(.microseconds)
  }

  private static func micro(_ milliseconds: Int) -> Int {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
    return overflow ? Int.max : product
  }
}
