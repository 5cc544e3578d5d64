public import GoldwireMachines

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// What carries a single attempt to the server and its reply back; it never sends anything twice by itself.
public protocol HTTPTransport: Sendable {
  /// Sends one attempt, and returns once the head of its final reply is there; the body follows as it comes.
  ///
  /// `onHop` is told each reply that the transport follows by itself, a redirect or a renewed login, before it follows.
  /// Ends promptly when the task is cancelled, and leaves no request behind. Throws a ``TransportFailure``, or
  /// `CancellationError`.
  func send(_ request: URLRequest, onHop: @escaping @Sendable (ReplyHead) -> Void) async throws -> HTTPReply
}

/// An attempt that got no reply, or whose reply broke off.
public struct TransportFailure: Error, Equatable, Sendable {
  /// What failed.
  public var cause: Retry.TransportCause

  /// Makes a failure.
  public init(_ cause: Retry.TransportCause) { self.cause = cause }
}

/// The reply to an attempt: its head, and its body as it comes.
public struct HTTPReply: Sendable {
  /// The status and the fields.
  public var head: ReplyHead
  /// The body; it is read once.
  public var body: any ReplyBody

  /// Makes a reply.
  public init(head: ReplyHead, body: any ReplyBody) {
    self.head = head
    self.body = body
  }
}

/// The body of a reply, pulled piece by piece, so that a slow reader holds the sender back.
public protocol ReplyBody: Sendable {
  /// The next piece; nil at the end of a body that is whole.
  ///
  /// Throws a ``TransportFailure`` where it broke off, `CancellationError` where the task or the body was cancelled.
  func next() async throws -> [UInt8]?

  /// Gives the rest up and ends the request; what waits in ``next()`` throws.
  func cancel()
}

extension ReplyBody {
  /// The whole body.
  ///
  /// Throws a ``TransportFailure`` of the cause `other` for more than `limit` bytes, and cancels the rest.
  public func bytes(limit: Int = 16 << 20) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try await next() {
      guard bytes.count + piece.count <= limit else {
        cancel()
        throw TransportFailure(.other)
      }
      bytes += piece
    }
    return bytes
  }
}
