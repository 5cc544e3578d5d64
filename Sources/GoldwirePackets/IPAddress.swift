/// An IP address of either version, as one 128-bit number.
public struct IPAddress: Equatable, Hashable, Comparable, Sendable {
  /// The upper eight bytes; 0 for an IPv4 address.
  public var high: UInt64
  /// The lower eight bytes; an IPv4 address stands in the lowest four, with 0xFFFF before them.
  public var low: UInt64

  /// Makes an address from its two words.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an IPv4 address, kept as the IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2).
  @inlinable
  public init(ipv4: UInt32) {
    high = 0
    low = 0xFFFF_0000_0000 | UInt64(ipv4)
  }

  /// Whether it is an IPv4 address.
  public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether it is a loopback address: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    isIPv4 ? UInt32(truncatingIfNeeded: low) >> 24 == 127 : high == 0 && low == 1
  }

  /// Whether the left address is the lower number.
  @inlinable
  public static func < (left: IPAddress, right: IPAddress) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}
