internal import GoldwireMachines
internal import GoldwireTap
internal import GoldwireTrace

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// What a tap is told of one logical request: each input and each decision, at the machine's own instants.
final class RetryRecorder: Sendable {
  private let request: RequestTap
  private let attempt = Guarded<AttemptTap?>(nil)

  /// Makes a recorder of a request that is about to be sent.
  init(_ origin: OriginTap, _ tap: Tap?, _ logical: LogicalRequest) {
    let hasKey = logical.idempotency.key != nil
    // What only the caller knows: that the server keeps keys, or that the body is gone after one send.
    let replayable: Bool? = logical.facts.bodyIsRepeatable ? (hasKey ? true : nil) : false
    request = origin.request(
      Method(rawValue: logical.request.httpMethod ?? "GET") ?? .other, replayable: replayable,
      key: hasKey ? tap?.key() : nil, bytes: logical.request.httpBody?.count)
  }

  func sent(at now: TapInstant) {
    let sent = request.sent(at: now)
    attempt.withLock { $0 = sent }
  }

  /// The transport follows a reply by itself.
  func followed(_ answer: Answer, isEventStream: Bool, at now: TapInstant) {
    attempt.withLock { attempt in
      attempt?.answered(answer, type: isEventStream ? .eventStream : .other, at: now)
      attempt = attempt?.followed(at: now)
    }
  }

  func answered(_ answer: Answer, isEventStream: Bool, at now: TapInstant) {
    current?.answered(answer, type: isEventStream ? .eventStream : .other, at: now)
  }

  func failed(_ cause: Retry.TransportCause, at now: TapInstant) {
    current?.failed(Cause(rawValue: cause.rawValue) ?? .other, at: now)
  }

  func cancelled(at now: TapInstant) { request.cancelled(at: now) }

  /// So many bytes of the reply's body were read; `isWhole` where it ended.
  func body(_ bytes: Int, isWhole: Bool, at now: TapInstant) {
    current?.body(.in, bytes: bytes, done: isWhole, at: now)
  }

  /// The machine decided so; `unit` is the random unit that it was given.
  func decided(_ action: Retry.Action, unit: Int, at now: TapInstant) {
    switch action {
    case .send: sent(at: now)
    case .wait(let span, _): request.waits(microseconds: span, unit: unit, at: now)
    case .stop(let outcome): request.stopped(StopReason(rawValue: outcome.word) ?? .transport, at: now)
    }
  }

  private var current: AttemptTap? { attempt.withLock { $0 } }
}
