internal import GoldwireBytes

/// What a fragment says of its place in its datagram.
struct IPFragment: Equatable {
  var identification: UInt32
  var offset: Int
  var isLast: Bool
}

/// The parts of an IP header that matter: addresses, the protocol, and where its data lies.
struct IPHeader: Equatable {
  var source: IPAddress
  var destination: IPAddress
  var number: UInt8
  /// Where the data begins.
  var start: Int
  /// Where the data ended before the capture cut the packet; link padding is not counted.
  var end: Int

  enum Outcome: Equatable {
    case whole(IPHeader)
    case fragment(IPHeader, IPFragment)
    case ignored(PacketVerdict.Reason)
  }

  /// Reads the header at `start`; `end` is where the frame ended before the capture cut it.
  @inline(__always)
  static func parse(_ bytes: Span<UInt8>, at start: Int, end: Int, extensions: Int) -> Outcome {
    guard start < bytes.count else { return .ignored(.cut) }
    switch bytes[start] >> 4 {
    case 4: return version4(bytes, start, end)
    case 6: return version6(bytes, start, end, extensions)
    default: return .ignored(.malformed)
    }
  }

  @inline(__always)
  private static func version4(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Outcome {
    guard bytes.count &- start >= 20 else { return .ignored(.cut) }
    let head = bytes.extracting(start..<(start &+ 20))
    let headerLength = Int(head[0] & 0x0F) &* 4
    guard headerLength >= 20 else { return .ignored(.malformed) }
    // A total length of 0 is what a card leaves that cuts large segments itself.
    let total = Int(head.be16(at: 2))
    guard total == 0 || total >= headerLength else { return .ignored(.malformed) }
    let header = IPHeader(
      source: IPAddress(ipv4: head.be32(at: 12)), destination: IPAddress(ipv4: head.be32(at: 16)),
      number: head[9], start: start &+ headerLength,
      end: total == 0 ? max(end, start &+ headerLength) : start &+ total)
    let word = head.be16(at: 6)
    guard word & 0x3FFF != 0 else { return .whole(header) }
    return .fragment(
      header,
      IPFragment(
        identification: UInt32(head.be16(at: 4)), offset: Int(word & 0x1FFF) &* 8,
        isLast: word & 0x2000 == 0))
  }

  private static func version6(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ extensions: Int
  ) -> Outcome {
    guard bytes.count &- start >= 40 else { return .ignored(.cut) }
    let head = bytes.extracting(start..<(start &+ 40))
    // A payload length of 0 is a jumbogram, or was left by a card that cuts large segments itself.
    let length = Int(head.be16(at: 4))
    var header = IPHeader(
      source: IPAddress(high: head.be64(at: 8), low: head.be64(at: 16)),
      destination: IPAddress(high: head.be64(at: 24), low: head.be64(at: 32)),
      number: head[6], start: start &+ 40, end: length == 0 ? max(end, start &+ 40) : start &+ 40 &+ length)
    if header.number == 6 { return .whole(header) }
    if let reason = skipExtensions(&header, in: bytes, limit: extensions) { return .ignored(reason) }
    guard header.number == 44 else { return .whole(header) }
    guard bytes.count &- header.start >= 8 else { return .ignored(.cut) }
    let word = bytes.be16(at: header.start &+ 2)
    let fragment = IPFragment(
      identification: bytes.be32(at: header.start &+ 4), offset: Int(word & 0xFFF8), isLast: word & 1 == 0)
    header.number = bytes[header.start]
    header.start &+= 8
    guard header.start <= header.end else { return .ignored(.malformed) }
    if fragment.offset == 0, fragment.isLast {
      if let reason = skipExtensions(&header, in: bytes, limit: extensions) { return .ignored(reason) }
      return .whole(header)
    }
    return .fragment(header, fragment)
  }

  /// Whether a protocol number is that of an IPv6 extension header that can be passed over.
  static func isExtension(_ number: UInt8) -> Bool {
    number == 0 || number == 43 || number == 60 || number == 51 || number == 135
  }

  /// Moves past extension headers (RFC 8200 section 4) up to a fragment header or the payload.
  static func skipExtensions(
    _ header: inout IPHeader, in bytes: Span<UInt8>, limit: Int
  ) -> PacketVerdict.Reason? {
    for _ in 0...limit {
      guard isExtension(header.number) else { return nil }
      guard bytes.count &- header.start >= 2 else { return .cut }
      let units = Int(bytes[header.start &+ 1])
      // The authentication header counts in words of four bytes (RFC 4302).
      let length = header.number == 51 ? (units &+ 2) &* 4 : (units &+ 1) &* 8
      header.number = bytes[header.start]
      header.start &+= length
      guard header.start <= header.end else { return .malformed }
      guard header.start <= bytes.count else { return .cut }
    }
    return .malformed
  }
}
