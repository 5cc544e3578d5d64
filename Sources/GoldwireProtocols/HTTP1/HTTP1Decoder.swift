/// The decoder of one direction of an HTTP/1 connection.
public struct HTTP1Decoder: Sendable {
  /// The side that is read.
  public let role: HTTP1Role
  /// The limits in force.
  public let limits: HTTP1Limits
  /// The facts of the latest head.
  public private(set) var head: HTTP1Head = HTTP1Head()
  /// Bytes held back until a head is complete; after a switch, those that belong to the other protocol.
  public private(set) var held: [UInt8] = []

  /// Makes a decoder for the start of a connection, or for its middle at a message's start.
  public init(_ role: HTTP1Role, limits: HTTP1Limits = HTTP1Limits()) {
    self.role = role
    self.limits = limits
  }

  /// Whether the direction speaks another protocol now; the decoder takes no more bytes.
  public var isSwitched: Bool { false }

  /// Whether a framing error ended decoding; further bytes are swallowed.
  public var isStopped: Bool { false }

  /// Takes bytes from `offset` on and gives the next event, or nil when it needs more.
  public mutating func next(
    _ bytes: Span<UInt8>, _ offset: inout Int, exchanges: inout HTTP1Exchanges
  ) -> HTTP1Event? {
    offset = bytes.count
    return nil
  }

  /// Says that the direction ended in good order; call it until it gives nil.
  public mutating func finish(exchanges: inout HTTP1Exchanges) -> HTTP1Event? { nil }

  /// Says that the recording misses the next `count` bytes, or an unknown number of them if nil.
  public mutating func lost(_ count: Int?, exchanges: inout HTTP1Exchanges) -> GapOutcome { .ignored }

  /// Gives `body` the bytes of the head whose event came last; `bytes` is the span that was passed to that step.
  public func withHead<Result>(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
    body(held.span)
  }
}
