internal import GoldwireBytes

/// What a frame carries, by its link header.
enum LinkPayload: Equatable {
  /// An IP packet of the version that its first byte says.
  case ip(start: Int)
  /// Several packets, each in a subframe of IEEE 802.11; the first subframe's header begins here.
  case aggregate(start: Int)
  case ignored(PacketVerdict.Reason)
}

/// Reads link headers.
struct LinkDecoder: Sendable {
  let tags: Int

  /// Finds the IP packet in a frame.
  func decode(_ frame: Span<UInt8>, link: LinkType) -> LinkPayload {
    switch link {
    case .ethernet: etherType(frame, at: 12)
    case .raw, .raw12, .raw14, .ipv4, .ipv6: frame.isEmpty ? .ignored(.cut) : .ip(start: 0)
    case .null, .loop: family(frame)
    case .sll: etherType(frame, at: 14)
    case .sll2: frame.count < 20 ? .ignored(.cut) : etherType(frame.be16(at: 0), frame, next: 20)
    case .ppp, .pppHDLC: framedPPP(frame, at: 0)
    case .pppWithDirection: framedPPP(frame, at: 1)
    case .pppoe: session(frame, at: 0)
    case .hdlc: frame.count < 4 ? .ignored(.cut) : etherType(frame.be16(at: 2), frame, next: 4)
    case .pktap: pktap(frame)
    case .wifi: wifi(frame, at: 0)
    case .radiotap: radiotap(frame)
    case .prism: prism(frame)
    case .avs: avs(frame)
    case .ppi: ppi(frame)
    default: .ignored(.linkType)
    }
  }

  @inline(__always)
  func etherType(_ frame: Span<UInt8>, at offset: Int) -> LinkPayload {
    guard frame.count >= offset &+ 2 else { return .ignored(.cut) }
    return etherType(frame.be16(at: offset), frame, next: offset &+ 2)
  }

  /// Follows an EtherType and the tags that it may announce.
  @inline(__always)
  private func etherType(_ first: UInt16, _ frame: Span<UInt8>, next start: Int) -> LinkPayload {
    var type = first
    var next = start
    for _ in 0...tags {
      switch type {
      case 0x0800, 0x86DD: return next < frame.count ? .ip(start: next) : .ignored(.cut)
      case 0x8100, 0x88A8, 0x9100, 0x9200, 0x9300:
        guard frame.count >= next &+ 4 else { return .ignored(.cut) }
        type = frame.be16(at: next &+ 2)
        next &+= 4
      case 0x8864: return session(frame, at: next)
      default: return .ignored(.notIP)
      }
    }
    return .ignored(.malformed)
  }

  /// A PPPoE session packet (RFC 2516): six bytes, then PPP without framing.
  private func session(_ frame: Span<UInt8>, at offset: Int) -> LinkPayload {
    guard frame.count > offset &+ 8 else { return .ignored(.cut) }
    guard frame[offset] == 0x11, frame[offset &+ 1] == 0 else { return .ignored(.notIP) }
    return ppp(frame, at: offset &+ 6)
  }

  /// PPP with or without address and control, or Cisco HDLC in its place (RFC 1547, 1662).
  func framedPPP(_ frame: Span<UInt8>, at offset: Int) -> LinkPayload {
    guard frame.count >= offset &+ 4 else { return .ignored(.cut) }
    switch frame.be16(at: offset) {
    case 0xFF03: return ppp(frame, at: offset &+ 2)
    case 0x0F00, 0x8F00: return etherType(frame, at: offset &+ 2)
    default: return ppp(frame, at: offset)
    }
  }

  /// The PPP protocol number, which may be compressed to one byte.
  private func ppp(_ frame: Span<UInt8>, at offset: Int) -> LinkPayload {
    guard frame.count > offset &+ 2 else { return .ignored(.cut) }
    let isShort = frame[offset] & 1 == 1
    let number = isShort ? UInt16(frame[offset]) : frame.be16(at: offset)
    guard number == 0x0021 || number == 0x0057 else { return .ignored(.notIP) }
    return .ip(start: offset &+ (isShort ? 1 : 2))
  }

  /// The address family of BSD loopback, in the byte order of whoever captured it.
  private func family(_ frame: Span<UInt8>) -> LinkPayload {
    guard frame.count > 4 else { return .ignored(.cut) }
    let number = frame.be32(at: 0)
    switch min(number, number.byteSwapped) {
    case 2, 10, 24, 28, 30: return .ip(start: 4)
    default: return .ignored(.notIP)
    }
  }

  /// Apple's header: its length, the kind of record, the real link type, all little-endian.
  private func pktap(_ frame: Span<UInt8>) -> LinkPayload {
    guard frame.count >= 12 else { return .ignored(.cut) }
    let length = Int(frame.le32(at: 0))
    guard frame.le32(at: 4) == 1 else { return .ignored(.notIP) }
    guard length >= 12 else { return .ignored(.malformed) }
    return inner(frame, at: length, LinkType(rawValue: frame.le32(at: 8)))
  }

  /// Per-packet information: version, flags, the header's length, the real link type, all little-endian.
  private func ppi(_ frame: Span<UInt8>) -> LinkPayload {
    guard frame.count >= 8 else { return .ignored(.cut) }
    let length = Int(frame.le16(at: 2))
    guard frame[0] == 0, length >= 8 else { return .ignored(.malformed) }
    return inner(frame, at: length, LinkType(rawValue: frame.le32(at: 4)))
  }

  /// A frame behind a header that names its link type, which must not be another such header.
  private func inner(_ frame: Span<UInt8>, at offset: Int, _ link: LinkType) -> LinkPayload {
    guard link != .pktap, link != .ppi else { return .ignored(.malformed) }
    guard offset < frame.count else { return .ignored(.cut) }
    switch decode(frame.extracting(offset..<frame.count), link: link) {
    case .ip(let start): return .ip(start: start &+ offset)
    case .aggregate(let start): return .aggregate(start: start &+ offset)
    case .ignored(let reason): return .ignored(reason)
    }
  }
}
