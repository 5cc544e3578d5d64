internal import Foundation
internal import GoldwireLive
internal import GoldwireMachines
internal import GoldwireServer
internal import GoldwireTap
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension LiveRetry {
  /// Sends the requests, one after the other.
  func run(_ server: FaultServer, _ path: String) async throws {
    let parameters = try Retry.Parameters(
      unit: .microseconds, base: base * 1_000, cap: 300_000, count: count, transport: retriesTransport)
    let tap = try Tap(writingTo: path, parameters: TapParameters(retry: parameters))
    let gate = SessionGate(tap: tap)
    let wish = WishBox()
    let executor = RetryExecutor(
      transport: URLSessionTransport(), parameters: parameters, gate: gate, tap: tap
    ) { record in
      if record.plannedDelay != nil { wish.waiting() }
    }
    for (number, request) in requests.enumerated() {
      // Each has a path of its own: a capture takes the same one soon after a failure for a retry.
      guard let url = server.url("http", "/jobs/\(number)") else { throw NoAddress() }
      var message = URLRequest(url: url)
      message.httpMethod = request.method
      if request.method != "GET", request.method != "HEAD" { message.httpBody = Data("{}".utf8) }
      let logical = LogicalRequest(message, idempotency: request.hasKey ? .serverKeepsKeys() : .none)
      let task = Task {
        let result = try await executor.send(logical)
        if let reply = result.reply { _ = try await reply.body.bytes() }
      }
      switch request.wish {
      case .none: wish.set(nil)
      case .cancelWaiting: wish.set { task.cancel() }
      case .cancelSending:
        wish.set(nil)
        task.cancel()
      case .changeSession: wish.set { gate.raise() }
      }
      _ = await task.result
    }
    tap.finish()
  }
}

/// What the caller does once a wait has begun.
private final class WishBox: Sendable {
  private let wish = Mutex<(@Sendable () -> Void)?>(nil)
  private let isDue = Mutex(false)

  /// Sets the wish for the coming request; at once, where its wait has begun already.
  func set(_ action: (@Sendable () -> Void)?) {
    wish.withLock { $0 = action }
    let wasDue = isDue.withLock { isDue in
      defer { isDue = false }
      return isDue
    }
    if wasDue { action?() }
  }

  func waiting() {
    let action = wish.withLock { $0 }
    if let action { action() } else { isDue.withLock { $0 = true } }
  }
}
