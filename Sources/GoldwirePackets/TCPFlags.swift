/// The control bits of a TCP header (RFC 9293 section 3.1).
public struct TCPFlags: OptionSet, Equatable, Sendable {
  /// The bits as they stand in the header.
  public var rawValue: UInt8

  /// Makes flags from the header's byte.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The sender has no more data.
  public static let fin = TCPFlags(rawValue: 0x01)
  /// The sender opens a connection, or agrees to it.
  public static let syn = TCPFlags(rawValue: 0x02)
  /// The connection is aborted or refused.
  public static let rst = TCPFlags(rawValue: 0x04)
  /// Data should be handed on at once.
  public static let psh = TCPFlags(rawValue: 0x08)
  /// The acknowledgment number counts.
  public static let ack = TCPFlags(rawValue: 0x10)
}
