/// A link type as capture files number it: how the first bytes of a frame are to be read.
public struct LinkType: RawRepresentable, Equatable, Hashable, Sendable {
  /// The LINKTYPE_ number.
  public var rawValue: UInt32

  /// Makes a link type from its LINKTYPE_ number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a link type from the number that libpcap's `pcap_datalink` gives on this platform.
  public init(dataLink: Int32) {
    #if canImport(Darwin)
      self = dataLink == 149 ? .pktap : LinkType(rawValue: UInt32(bitPattern: dataLink))
    #else
      self.init(rawValue: UInt32(bitPattern: dataLink))
    #endif
  }

  /// BSD loopback: the address family in four bytes of either order.
  public static let null = LinkType(rawValue: 0)
  /// Ethernet.
  public static let ethernet = LinkType(rawValue: 1)
  /// PPP.
  public static let ppp = LinkType(rawValue: 9)
  /// IP without a link header, as some systems number it.
  public static let raw12 = LinkType(rawValue: 12)
  /// IP without a link header, as OpenBSD numbers it.
  public static let raw14 = LinkType(rawValue: 14)
  /// PPP in HDLC-like framing.
  public static let pppHDLC = LinkType(rawValue: 50)
  /// A PPPoE session without its Ethernet header.
  public static let pppoe = LinkType(rawValue: 51)
  /// IP without a link header.
  public static let raw = LinkType(rawValue: 101)
  /// Cisco HDLC.
  public static let hdlc = LinkType(rawValue: 104)
  /// IEEE 802.11 without anything before it.
  public static let wifi = LinkType(rawValue: 105)
  /// OpenBSD loopback: the address family in four bytes.
  public static let loop = LinkType(rawValue: 108)
  /// Linux cooked capture, first version.
  public static let sll = LinkType(rawValue: 113)
  /// IEEE 802.11 behind the header of Prism cards.
  public static let prism = LinkType(rawValue: 119)
  /// IEEE 802.11 behind a radiotap header.
  public static let radiotap = LinkType(rawValue: 127)
  /// A number for private use, which some of Apple's systems wrote for PKTAP.
  public static let user2 = LinkType(rawValue: 149)
  /// IEEE 802.11 behind an AVS header.
  public static let avs = LinkType(rawValue: 163)
  /// Any link type behind a per-packet information header.
  public static let ppi = LinkType(rawValue: 192)
  /// PPP with a direction byte before it.
  public static let pppWithDirection = LinkType(rawValue: 204)
  /// IPv4 without a link header.
  public static let ipv4 = LinkType(rawValue: 228)
  /// IPv6 without a link header.
  public static let ipv6 = LinkType(rawValue: 229)
  /// Apple's per-packet header, with the real link type in it.
  public static let pktap = LinkType(rawValue: 258)
  /// Linux cooked capture, second version.
  public static let sll2 = LinkType(rawValue: 276)

  /// Whether frames of this type can be decoded.
  public var isSupported: Bool {
    switch self {
    case .null, .ethernet, .ppp, .raw12, .raw14, .pppHDLC, .pppoe, .raw, .hdlc, .wifi, .loop, .sll,
      .prism, .radiotap, .avs, .ppi, .pppWithDirection, .ipv4, .ipv6, .pktap, .sll2:
      true
    default:
      false
    }
  }
}
