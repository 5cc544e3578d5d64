/// A close code that an endpoint may send (RFC 6455 section 7.4).
public struct WebSocketCloseCode: Equatable, Sendable {
  /// The number: 1000 to 1003, 1007 to 1014, or 3000 to 4999.
  public let number: Int

  private init(known number: Int) { self.number = number }

  /// Makes a code; nil for a number that must not be sent, or that nobody may use.
  public init?(_ number: Int) {
    switch number {
    case 1_000...1_003, 1_007...1_014, 3_000...4_999: self.number = number
    default: return nil
    }
  }

  /// 1000: the purpose is fulfilled.
  public static let normal = WebSocketCloseCode(known: 1_000)
  /// 1001: the endpoint goes away.
  public static let goingAway = WebSocketCloseCode(known: 1_001)
  /// 1002: a rule of the protocol was broken.
  public static let protocolError = WebSocketCloseCode(known: 1_002)
  /// 1007: the data does not suit its type, text that is not UTF-8.
  public static let invalidData = WebSocketCloseCode(known: 1_007)
  /// 1008: a policy was broken, where no other code fits.
  public static let policyViolation = WebSocketCloseCode(known: 1_008)
  /// 1009: a message is too large.
  public static let messageTooBig = WebSocketCloseCode(known: 1_009)
}
