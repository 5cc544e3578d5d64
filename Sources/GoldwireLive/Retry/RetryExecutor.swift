public import GoldwireMachines
public import GoldwireTap

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends logical requests, and retries them as the ``Retry`` machine decides.
///
/// It checks cancellation and the app's session before each send, after each wait and before delivery. Between the last
/// check and the bytes a race remains: a request that was cancelled may have reached the server all the same.
///
/// Executors nest: one that is called within an attempt of the same logical request sends once, and leaves the retries to
/// the outer one, so that several layers send no more often than one.
public struct RetryExecutor: Sendable {
  let transport: any HTTPTransport
  let parameters: Retry.Parameters
  let clock: any DriverClock
  let gate: SessionGate
  let unit: RandomUnit
  let wall: WallTime
  let tap: Tap?
  let origin: OriginTap?
  let log: (@Sendable (RetryRecord) -> Void)?

  /// Makes an executor.
  ///
  /// `gate` is shared by all that belongs to the app's session, and has the same clock. `unit` is the random unit of each
  /// wait, `wall` the local wall clock, which is read for dates alone. With a tap the executor is one origin of its trace.
  public init(
    transport: any HTTPTransport, parameters: Retry.Parameters = .standard(.microseconds),
    clock: any DriverClock = ContinuousDriverClock(), gate: SessionGate? = nil,
    unit: @escaping RandomUnit = systemRandomUnit, wall: WallTime = .system,
    tap: Tap? = nil, log: (@Sendable (RetryRecord) -> Void)? = nil
  ) {
    self.transport = transport
    self.parameters = parameters.inMicroseconds
    self.clock = clock
    self.gate = gate ?? SessionGate(clock: clock, tap: tap)
    self.unit = unit
    self.wall = wall
    self.tap = tap
    origin = tap?.origin()
    self.log = log
  }

  /// Sends a request until it has its one outcome.
  ///
  /// Throws `CancellationError` where the task is cancelled: that is no failure, and has no result. Throws
  /// ``AlreadyUnderWay`` where the same value is being sent elsewhere, and what the header source throws.
  public func send(_ request: LogicalRequest) async throws -> RetryResult {
    if let outer = LogicalRequest.current, outer.covers(request) { return try await sendOnce(request) }
    switch request.claim() {
    case .first: break
    case .running: throw AlreadyUnderWay()
    case .ended(let result): return result
    case .cancelled: throw CancellationError()
    }
    var run = RetryRun(self, request)
    do {
      let result = try await run.result()
      request.end(result)
      return result
    } catch {
      request.end(nil)
      throw error
    }
  }

  /// An attempt of an outer executor's request.
  private func sendOnce(_ request: LogicalRequest) async throws -> RetryResult {
    let reply = try await transport.send(try await request.attempt(1)) { _ in }
    try Task.checkCancellation()
    return RetryResult(reply.head.status < 400 ? .delivered : .notRetryable, reply: reply, sends: 1)
  }
}

extension RetryExecutor: HTTPTransport {
  /// Sends a request as a transport does, with its retries: for a layer that knows nothing of them.
  ///
  /// Throws ``StaleSession`` where the session has changed.
  public func send(
    _ request: URLRequest, onHop: @escaping @Sendable (ReplyHead) -> Void
  ) async throws -> HTTPReply {
    let result = try await send(LogicalRequest(request))
    if let reply = result.reply { return reply }
    if case .transport(let cause) = result.outcome { throw TransportFailure(cause) }
    throw StaleSession()
  }
}

extension Retry.Parameters {
  /// The same in the unit of the drivers.
  var inMicroseconds: Retry.Parameters {
    guard unit == .milliseconds else { return self }
    let same = try? Retry.Parameters(
      unit: .microseconds, base: base * 1_000, factor: factor, cap: cap * 1_000, jitter: jitter, count: count,
      statuses: statuses, transport: transport, oldDates: oldDates)
    return same ?? .standard(.microseconds)
  }
}
