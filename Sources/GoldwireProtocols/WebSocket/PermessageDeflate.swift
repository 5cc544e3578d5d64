/// The parameters of permessage-deflate (RFC 7692 section 7.1), offered or agreed.
public struct PermessageDeflate: Equatable, Sendable {
  /// Whether the server starts each message with an empty window.
  public var serverNoContextTakeover: Bool = false
  /// Whether the client starts each message with an empty window.
  public var clientNoContextTakeover: Bool = false
  /// The base-2 logarithm of the server's window, 8 to 15; nil if it is not limited.
  public var serverWindowBits: Int?
  /// The same for the client; 0 in an offer that names the parameter without a value.
  public var clientWindowBits: Int?

  /// Makes the extension without parameters.
  public init() {}

  /// Whether `peer` starts each message with an empty window.
  public func startsAfresh(_ peer: WebSocketPeer) -> Bool {
    switch peer {
    case .client: clientNoContextTakeover
    case .server: serverNoContextTakeover
    case .unknown: false
    }
  }
}
