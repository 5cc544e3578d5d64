/// An address of a documentation range, with a port.
public struct BuiltHost: Equatable, Sendable {
  /// The address's bytes, four or sixteen.
  public var address: [UInt8]
  /// The port.
  public var port: UInt16

  /// Makes a host of an address of four or sixteen bytes.
  public init(address: [UInt8], port: UInt16) {
    self.address = address
    self.port = port
  }

  /// A host in 192.0.2.0/24 (RFC 5737).
  public static func v4(_ last: UInt8, port: UInt16) -> BuiltHost {
    BuiltHost(address: [192, 0, 2, last], port: port)
  }

  /// A host in 2001:db8::/32 (RFC 3849).
  public static func v6(_ last: UInt8, port: UInt16) -> BuiltHost {
    BuiltHost(address: [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [last], port: port)
  }
}
