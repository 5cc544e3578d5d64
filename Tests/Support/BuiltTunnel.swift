/// A tunnel to be built around an IP packet.
public enum BuiltTunnel: Equatable, Sendable {
  /// IPv4 or IPv6 alone in an IP packet of the version given.
  case plain(ipv6: Bool)
  /// Generic Routing Encapsulation, with checksum, key and sequence number by its flags: 0x8000, 0x2000, 0x1000.
  case routed(flags: UInt16)
  /// An Ethernet frame in Generic Routing Encapsulation, with a key.
  case bridged
  /// PPTP's variant, with or without an acknowledgment.
  case pptp(acknowledges: Bool)
  /// Teredo, perhaps with an authentication and an origin.
  case teredo(authenticated: Bool, origin: Bool)

  /// The IP packet around another.
  public func packet(around packet: [UInt8]) -> [UInt8] {
    let isIPv6 = packet.first.map { $0 >> 4 == 6 } ?? false
    var body: [UInt8] = []
    var number: UInt8 = 47
    var isOuterIPv6 = false
    switch self {
    case .plain(let ipv6):
      isOuterIPv6 = ipv6
      number = isIPv6 ? 41 : 4
      body = packet
    case .routed(let flags):
      for number in [flags, isIPv6 ? 0x86DD : 0x0800] { body.put(number) }
      for bit: UInt16 in [0x8000, 0x2000, 0x1000] where flags & bit != 0 { body += [1, 2, 3, 4] }
      body += packet
    case .bridged:
      for number: UInt16 in [0x2000, 0x6558, 0, 9] { body.put(number) }
      body += BuiltLink.ethernet.frame(of: packet)
    case .pptp(let acknowledges):
      for number: UInt16 in [acknowledges ? 0x3081 : 0x3001, 0x880B, UInt16(packet.count + 4), 5, 0, 1] {
        body.put(number)
      }
      if acknowledges { body += [0, 0, 0, 3] }
      body += BuiltLink.ppp(framed: true).frame(of: packet)
    case .teredo(let authenticated, let origin):
      number = 17
      var inside: [UInt8] = []
      if authenticated { inside += [0, 1, 2, 3, 7, 7, 8, 8, 8] + [UInt8](repeating: 1, count: 9) }
      if origin { inside += [0, 0, 1, 2, 3, 4, 5, 6] }
      inside += packet
      for number: UInt16 in [3_544, 60_000, UInt16(inside.count + 8), 0] { body.put(number) }
      body += inside
    }
    let hosts: (BuiltHost, BuiltHost) =
      isOuterIPv6 ? (.v6(201, port: 0), .v6(202, port: 0)) : (.v4(201, port: 0), .v4(202, port: 0))
    return BuiltSegment.ip(protocol: number, from: hosts.0, to: hosts.1, body)
  }
}
