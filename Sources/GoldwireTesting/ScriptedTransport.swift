public import GoldwireLive
internal import GoldwireMachines

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport in memory that answers by a script, in order, for requests and for event streams.
///
///     let transport = ScriptedTransport([.status(503), .status(429, retryAfter: "2"), .status(200)], clock: clock)
///
/// It keeps what was sent and when. After the last line of the script every send fails as `unreach`.
public final class ScriptedTransport: HTTPTransport {
  /// One send, as the transport saw it.
  public struct Send: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// When it came, since the clock was made.
    public let at: Duration
    /// The time since the reply to the send before it: the delay that was kept.
    public let delay: Duration?
    /// The request as it would have gone out.
    public let request: URLRequest
    /// The bytes of its body, also where that is a stream.
    public let body: [UInt8]
  }

  struct Progress: Sendable {
    var sends: [Send] = []
    var answered: Duration?
    /// Sends and bodies that were neither read to their end nor cancelled.
    var open = 0
    var cancelled = 0
    var held = 0
    var releases = 0
    /// Bodies that were cancelled while they were held.
    var dropped: Set<Int> = []
  }

  private let script: [Answer]
  private let clock: ManualClock
  let progress = Watched(Progress())

  /// Makes a transport that answers the first send by the first line of the script, and so on.
  public init(_ script: [Answer], clock: ManualClock = ManualClock()) {
    self.script = script
    self.clock = clock
  }

  /// What was sent so far.
  public var sends: [Send] { progress.value.sends }

  /// How many requests are under way: sends without a reply, and bodies that were neither read to the end nor cancelled.
  public var open: Int { progress.value.open }

  /// How many sends and bodies were cancelled.
  public var cancelled: Int { progress.value.cancelled }

  /// Returns once the send of this number, from 1, has come.
  ///
  /// Throws `CancellationError` when the task is cancelled.
  @discardableResult
  public func sent(_ number: Int) async throws -> Send {
    try await progress.wait { $0.sends.count >= number ? $0.sends[number - 1] : nil }
  }

  /// Returns once somebody stands at a `hold` of the script.
  ///
  /// Throws `CancellationError` when the task is cancelled.
  public func held() async throws {
    try await progress.wait { $0.held > 0 ? () : nil }
  }

  /// Returns once nothing is on its way: no request is under way, or whoever reads stands at a `hold`.
  ///
  /// Throws `CancellationError` when the task is cancelled.
  public func quiet() async throws {
    try await progress.wait { $0.open == 0 || $0.held > 0 ? () : nil }
  }

  /// Lets whoever stands at a `hold`, or comes to one next, go on.
  public func release() { progress.update { $0.releases += 1 } }

  /// Answers a send by its line of the script.
  ///
  /// Throws a `TransportFailure` where the script says so, `CancellationError` where the task is cancelled at a `hold`.
  public func send(
    _ request: URLRequest, onHop: @escaping @Sendable (ReplyHead) -> Void
  ) async throws -> HTTPReply {
    let body = Self.bytes(of: request)
    let at = clock.elapsed
    let number = progress.update { progress in
      let delay = progress.answered.map { at - $0 }
      let number = progress.sends.count + 1
      progress.sends.append(Send(number: number, at: at, delay: delay, request: request, body: body))
      progress.open += 1
      return number
    }
    do {
      return try await answer(number, onHop)
    } catch {
      progress.update { progress in
        progress.open -= 1
        if error is CancellationError { progress.cancelled += 1 }
        progress.answered = clock.elapsed
      }
      throw error
    }
  }

  private func answer(_ number: Int, _ onHop: (ReplyHead) -> Void) async throws -> HTTPReply {
    guard number <= script.count else { throw TransportFailure(.unreach) }
    let answer = script[number - 1]
    for step in answer.steps {
      switch step {
      case .hold: try await hold()
      case .hop(let head): onHop(head)
      case .fail(let cause): throw TransportFailure(cause)
      case .reply(let head, let pieces):
        progress.update { $0.answered = clock.elapsed }
        return HTTPReply(head: head, body: ScriptedBody(number, pieces, self))
      }
    }
    throw TransportFailure(.other)
  }

  /// Stands at a `hold`, of a send or of the body of this number.
  func hold(body number: Int = 0) async throws {
    progress.update { $0.held += 1 }
    defer { progress.update { $0.held -= 1 } }
    let isDropped = try await progress.wait { progress -> Bool? in
      if progress.dropped.contains(number) { return true }
      guard progress.releases > 0 else { return nil }
      progress.releases -= 1
      return false
    }
    if isDropped { throw CancellationError() }
  }

  private static func bytes(of request: URLRequest) -> [UInt8] {
    guard let stream = request.httpBodyStream else { return request.httpBody.map { [UInt8]($0) } ?? [] }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    stream.open()
    defer { stream.close() }
    while true {
      let count = unsafe buffer.withUnsafeMutableBufferPointer { pointer in
        unsafe pointer.baseAddress.map { unsafe stream.read($0, maxLength: pointer.count) } ?? 0
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
