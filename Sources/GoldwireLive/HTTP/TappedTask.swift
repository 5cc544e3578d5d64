internal import Foundation
internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What is recorded of one task of a session.
enum TappedTask: Sendable {
  case request(TappedRequest)
  case stream(TappedConnection)

  mutating func redirected(_ head: ReplyHead, _ tap: Tap) {
    guard case .request(var request) = self else { return }
    let now = TapInstant.now
    request.attempt.answered(head.answer(tap, at: now), type: head.type, at: now)
    request.attempt = request.attempt.followed(at: now)
    self = .request(request)
  }

  mutating func answered(_ head: ReplyHead, _ tap: Tap) {
    let now = TapInstant.now
    switch self {
    case .request(var request):
      request.attempt.answered(head.answer(tap, at: now), type: head.type, at: now)
      request.isAnswered = true
      request.mayBeRetried = head.status == 429 || head.status == 503
      self = .request(request)
    case .stream(let connection):
      connection.generation.opened(head.answer(tap, at: now), type: head.type, at: now)
      connection.stream.isReading = head.status == 200 && head.isEventStream
    }
  }

  mutating func received(_ piece: [UInt8]) {
    switch self {
    case .request(var request):
      request.bytes += piece.count
      self = .request(request)
    case .stream(let connection): connection.read(piece)
    }
  }

  mutating func ended(_ error: (any Error)?) {
    let code = error.map { ($0 as? URLError)?.code ?? .unknown }
    switch self {
    case .request(var request):
      request.ended(code)
      self = .request(request)
    case .stream(let connection): connection.ended(code)
    }
  }
}

/// A logical request, and its attempt that is under way.
struct TappedRequest: Sendable {
  let request: RequestTap
  var attempt: AttemptTap
  var bytes = 0
  var isAnswered = false
  var mayBeRetried = false

  init(_ origin: OriginTap, _ request: URLRequest) {
    self.request = origin.request(
      Method(rawValue: request.httpMethod ?? "GET") ?? .other, bytes: request.httpBody?.count)
    attempt = self.request.sent()
  }

  /// The same request, sent once more.
  func next() -> TappedRequest {
    var next = self
    next.attempt = request.sent()
    (next.bytes, next.isAnswered, next.mayBeRetried) = (0, false, false)
    return next
  }

  mutating func ended(_ code: URLError.Code?) {
    let now = TapInstant.now
    if isAnswered, bytes > 0 || code == nil { attempt.body(.in, bytes: bytes, done: code == nil, at: now) }
    guard let code else { return }
    if code == .cancelled { return request.cancelled(at: now) }
    attempt.failed(Cause(rawValue: Retry.TransportCause(code).rawValue) ?? .other, at: now)
    mayBeRetried = true
  }
}

extension ReplyHead {
  fileprivate func answer(_ tap: Tap, at now: TapInstant) -> Answer {
    answer(wall: tap.wall(at: now), unit: 0)
  }

  fileprivate var type: GoldwireTrace.MediaType { isEventStream ? .eventStream : .other }
}
