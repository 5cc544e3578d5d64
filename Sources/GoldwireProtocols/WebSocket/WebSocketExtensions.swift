/// What `Sec-WebSocket-Extensions` says, over all its lines.
public struct WebSocketExtensions: Equatable, Sendable {
  /// The first well-formed permessage-deflate, if any.
  public private(set) var deflate: PermessageDeflate?
  /// The number of other extensions.
  public private(set) var others: Int = 0
  /// The rule that a malformed or repeated extension broke.
  public private(set) var broken: ProtocolRule?

  /// Makes the value for a head without the field.
  public init() {}

  /// Adds one line's value.
  public mutating func add(_ value: Span<UInt8>) {}
}
