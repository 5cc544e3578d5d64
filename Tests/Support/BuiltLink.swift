/// The link layers that a test capture can have.
public indirect enum BuiltLink: Equatable, Sendable {
  /// Ethernet.
  case ethernet
  /// Ethernet with tags of these types before the packet, outermost first.
  case tagged([UInt16])
  /// PPPoE on Ethernet.
  case pppoe
  /// BSD loopback; the family stands in the byte order given.
  case null(bigEndian: Bool)
  /// OpenBSD loopback.
  case loop
  /// IP alone, under link type 101, 12, 14, 228 or 229.
  case raw(UInt32)
  /// PPP with or without address and control bytes.
  case ppp(framed: Bool)
  /// Cisco HDLC.
  case hdlc
  /// Linux cooked capture.
  case sll
  /// Linux cooked capture, second version.
  case sll2
  /// Apple's per-packet header before a raw packet.
  case pktap
  /// Apple's per-packet header as its older systems numbered it, with an interface's name.
  case privatePktap
  /// A data frame of IEEE 802.11, behind the header of a driver.
  case wifi(BuiltWiFi)
  /// A tunnel on another link.
  case tunnel(BuiltTunnel, BuiltLink)
  /// A link type of this number, with the packet as it is.
  case other(UInt32)

  /// The link type's number in a file.
  public var number: UInt32 {
    switch self {
    case .ethernet, .tagged, .pppoe: 1
    case .null: 0
    case .loop: 108
    case .raw(let number), .other(let number): number
    case .ppp: 9
    case .hdlc: 104
    case .sll: 113
    case .sll2: 276
    case .pktap: 258
    case .privatePktap: 149
    case .wifi(let frame): frame.number
    case .tunnel(_, let link): link.number
    }
  }

  /// The frame that carries an IP packet.
  public func frame(of packet: [UInt8]) -> [UInt8] {
    let isIPv6 = packet.first.map { $0 >> 4 == 6 } ?? false
    let etherType: UInt16 = isIPv6 ? 0x86DD : 0x0800
    let pppType: UInt16 = isIPv6 ? 0x0057 : 0x0021
    var frame: [UInt8] = []
    switch self {
    case .ethernet, .tagged, .pppoe:
      frame = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]
      if case .tagged(let types) = self {
        for (index, type) in types.enumerated() {
          frame.put(type)
          frame.put(UInt16(100 + index))
        }
      }
      guard self == .pppoe else {
        frame.put(etherType)
        break
      }
      for number: UInt16 in [0x8864, 0x1100, 1, UInt16(packet.count + 2), pppType] { frame.put(number) }
    case .null(let bigEndian): frame.put(isIPv6 ? 30 as UInt32 : 2, bigEndian: bigEndian)
    case .loop: frame.put(isIPv6 ? 24 as UInt32 : 2)
    case .raw, .other: break
    case .ppp(let framed):
      frame = framed ? [0xFF, 0x03] : []
      frame.put(pppType)
    case .hdlc: for number in [0x0F00, etherType] { frame.put(number) }
    case .sll: for number in [0, 1, 6, 0x0200, 0, 1, 0, etherType] { frame.put(number) }
    case .sll2: for number in [etherType, 0, 0, 2, 1, 6, 0x0200, 0, 1, 0] { frame.put(number) }
    case .pktap, .privatePktap:
      for number: UInt32 in [108, 1, 101] { frame.put(number, bigEndian: false) }
      if self == .privatePktap { frame += Array("utun3".utf8) }
      frame += [UInt8](repeating: 0, count: 108 - frame.count)
    case .wifi(let wifi): return wifi.frame(of: packet, etherType: etherType)
    case .tunnel(let tunnel, let link): return link.frame(of: tunnel.packet(around: packet))
    }
    return frame + packet
  }
}
