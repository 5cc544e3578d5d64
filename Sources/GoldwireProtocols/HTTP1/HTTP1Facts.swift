/// Yes-or-no facts of a head.
public struct HTTP1Facts: OptionSet, Equatable, Sendable {
  /// The facts as bits.
  public let rawValue: UInt32

  /// Makes a set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The last transfer coding is chunked.
  public static let chunked: HTTP1Facts = HTTP1Facts(rawValue: 1)
  /// `Connection: close`.
  public static let close: HTTP1Facts = HTTP1Facts(rawValue: 1 << 1)
  /// `Connection: keep-alive`.
  public static let keepAlive: HTTP1Facts = HTTP1Facts(rawValue: 1 << 2)
  /// `Connection: upgrade`.
  public static let upgrade: HTTP1Facts = HTTP1Facts(rawValue: 1 << 3)
  /// `Upgrade: websocket`.
  public static let webSocket: HTTP1Facts = HTTP1Facts(rawValue: 1 << 4)
  /// `Upgrade: h2c`.
  public static let h2c: HTTP1Facts = HTTP1Facts(rawValue: 1 << 5)
  /// An `Upgrade` to something else.
  public static let otherUpgrade: HTTP1Facts = HTTP1Facts(rawValue: 1 << 6)
  /// `Accept` names text/event-stream, with a quality that is not 0.
  public static let acceptsEventStream: HTTP1Facts = HTTP1Facts(rawValue: 1 << 7)
  /// The content type is text/event-stream.
  public static let eventStream: HTTP1Facts = HTTP1Facts(rawValue: 1 << 8)
  /// There is an `Authorization`.
  public static let authorization: HTTP1Facts = HTTP1Facts(rawValue: 1 << 9)
  /// `Expect: 100-continue`.
  public static let expectContinue: HTTP1Facts = HTTP1Facts(rawValue: 1 << 10)
  /// There are several `Retry-After` lines, and they differ.
  public static let retryAfterDiffers: HTTP1Facts = HTTP1Facts(rawValue: 1 << 11)
  /// There is a `Transfer-Encoding`.
  public static let transferCoding: HTTP1Facts = HTTP1Facts(rawValue: 1 << 12)
  /// Chunked is among the transfer codings.
  public static let namesChunked: HTTP1Facts = HTTP1Facts(rawValue: 1 << 13)
  /// Chunked is among the transfer codings more than once.
  public static let chunkedTwice: HTTP1Facts = HTTP1Facts(rawValue: 1 << 14)
}
