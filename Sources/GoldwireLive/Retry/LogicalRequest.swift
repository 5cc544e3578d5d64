public import Foundation
public import GoldwireMachines
internal import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// One request as the app means it, however often it is sent: it holds the one budget of its retries.
///
/// What decides whether it may be sent twice is frozen here: the method, the address, the body and the key. Whoever
/// sends the same value again, in a loop of its own or in a layer below, gets the one outcome and no further budget.
public final class LogicalRequest: Sendable {
  /// Makes the body anew for each attempt.
  public typealias BodySource = @Sendable () -> InputStream?
  /// Adapts the header of an attempt, from 1, with a fresh token, say; whatever else it changes does not count.
  public typealias HeaderSource = @Sendable (URLRequest, Int) async throws -> URLRequest

  private enum State {
    case fresh
    case running
    case ended(RetryResult)
    case cancelled
  }

  /// Its number in this process: the identity that a log may name.
  public let number: Int
  /// What the machine decides by.
  public let facts: Retry.Request

  let request: URLRequest
  let idempotency: Idempotency
  private let body: BodySource?
  private let header: HeaderSource?
  private let state = Guarded(State.fresh)

  private static let count = Atomic(0)

  /// The request of which an attempt is under way in this task.
  @TaskLocal static var current: LogicalRequest?

  /// Makes a request.
  ///
  /// A body in `httpBody` can be repeated, one in `httpBodyStream` cannot: it is sent once, unless `body` makes it anew.
  /// `header` is called before each attempt.
  public init(
    _ request: URLRequest, idempotency: Idempotency = .none, body: BodySource? = nil,
    header: HeaderSource? = nil
  ) {
    number = Self.count.add(1, ordering: .relaxed).newValue
    self.request = request
    self.idempotency = idempotency
    self.body = body
    self.header = header
    let method = request.httpMethod ?? "GET"
    facts = Retry.Request(
      isSafe: method == "GET" || method == "HEAD", serverKeepsKeys: idempotency.key != nil,
      hasKey: idempotency.key != nil, bodyIsRepeatable: body != nil || request.httpBodyStream == nil)
  }

  /// Whether an attempt of `other` is one of this request too: the same value, or made for the same method and address.
  func covers(_ other: LogicalRequest) -> Bool {
    self === other
      || (request.url == other.request.url && request.httpMethod == other.request.httpMethod)
  }

  /// The request of an attempt, from 1, with all that is frozen put back in its place.
  func attempt(_ number: Int) async throws -> URLRequest {
    var attempt = request
    if let header {
      let adapted = try await header(request, number)
      for (name, value) in adapted.allHTTPHeaderFields ?? [:] {
        attempt.setValue(value, forHTTPHeaderField: name)
      }
    }
    if let body {
      attempt.httpBodyStream = body()
    } else if let bytes = request.httpBody {
      attempt.httpBody = bytes
    }
    let frozen = idempotency.key ?? request.value(forHTTPHeaderField: idempotency.field)
    attempt.setValue(frozen, forHTTPHeaderField: idempotency.field)
    return attempt
  }
}

// MARK: - The one outcome

extension LogicalRequest {
  /// What a sender finds.
  enum Claim {
    /// It is the first, and sends.
    case first
    /// It comes while the request is under way.
    case running
    /// The outcome is there.
    case ended(RetryResult)
    /// It was cancelled.
    case cancelled
  }

  func claim() -> Claim {
    state.withLock { state in
      switch state {
      case .fresh:
        state = .running
        return .first
      case .running: return .running
      case .ended(let result): return .ended(result)
      case .cancelled: return .cancelled
      }
    }
  }

  func end(_ result: RetryResult?) {
    state.withLock { $0 = result.map { .ended($0) } ?? .cancelled }
  }
}
