internal import GoldwireBytes

/// Tunnels whose inside is read: what an IP packet carries, if that is another packet.
enum Tunnel {
  enum Payload: Equatable {
    /// No tunnel that is known.
    case none
    /// An IP packet, which must be of the version given, if any.
    case ip(start: Int, version: UInt8?)
    /// An Ethernet frame.
    case ethernet(start: Int)
    /// PPP, framed or not.
    case ppp(start: Int)
    /// A tunnel, but nothing in it that can be read.
    case ignored(PacketVerdict.Reason)
  }

  /// Whether a protocol number may be a tunnel's; fragments of those wait for the rest, as TCP's do.
  ///
  /// Teredo's is left out: it never sends fragments (RFC 4380 section 5.2.6).
  static func mayCarry(_ number: UInt8) -> Bool { number == 4 || number == 41 || number == 47 }

  /// Looks into what lies behind an IP header.
  static func enter(_ outer: IPHeader, in bytes: Span<UInt8>) -> Payload {
    switch outer.number {
    case 4: .ip(start: outer.start, version: 4)
    case 41: .ip(start: outer.start, version: 6)
    case 47: routing(outer, in: bytes)
    case 17: teredo(outer, in: bytes)
    default: .none
    }
  }

  /// Generic Routing Encapsulation, with checksum, key and sequence number (RFC 2784, 2890), and PPTP's variant (RFC 2637).
  private static func routing(_ outer: IPHeader, in bytes: Span<UInt8>) -> Payload {
    let end = min(outer.end, bytes.count)
    guard end &- outer.start >= 4 else { return .ignored(.cut) }
    let flags = bytes.be16(at: outer.start)
    let type = bytes.be16(at: outer.start &+ 2)
    var start = outer.start &+ 4
    switch flags & 7 {
    case 0:
      // Source routes are long gone (RFC 2784 section 2.3).
      guard flags & 0x4000 == 0 else { return .ignored(.notTCP) }
      for bit: UInt16 in [0x8000, 0x2000, 0x1000] where flags & bit != 0 { start &+= 4 }
    case 1:
      guard type == 0x880B, flags & 0x2000 != 0 else { return .ignored(.notTCP) }
      start &+= 4
      for bit: UInt16 in [0x1000, 0x0080] where flags & bit != 0 { start &+= 4 }
      // A bare acknowledgment carries nothing.
      return flags & 0x1000 == 0 ? .ignored(.notTCP) : start < end ? .ppp(start: start) : .ignored(.cut)
    default: return .ignored(.notTCP)
    }
    guard start < end else { return .ignored(.cut) }
    switch type {
    case 0x0800: return .ip(start: start, version: 4)
    case 0x86DD: return .ip(start: start, version: 6)
    case 0x6558: return .ethernet(start: start)
    default: return .ignored(.notTCP)
    }
  }

  /// Teredo (RFC 4380): IPv6 in UDP on its port, perhaps behind an authentication and an origin.
  private static func teredo(_ outer: IPHeader, in bytes: Span<UInt8>) -> Payload {
    let end = min(outer.end, bytes.count)
    guard end &- outer.start >= 8 else { return .none }
    let ports = bytes.be32(at: outer.start)
    guard ports >> 16 == 3_544 || ports & 0xFFFF == 3_544 else { return .none }
    var start = outer.start &+ 8
    if end &- start >= 4, bytes.be16(at: start) == 1 {
      start &+= 13 &+ Int(bytes[start &+ 2]) &+ Int(bytes[start &+ 3])
    }
    if end &- start >= 8, bytes.be16(at: start) == 0 { start &+= 8 }
    guard end &- start >= 40, bytes[start] >> 4 == 6 else { return .none }
    return .ip(start: start, version: 6)
  }
}
