internal import GoldwireBytes

/// Decodes frames down to TCP: link, IPv4 and IPv6 with fragments, TCP header.
///
/// It says where things lie and copies nothing, save for fragments, which wait here for the rest.
public struct PacketDecoder: Sendable {
  /// The limits that hold.
  public let limits: PacketLimits
  /// The bytes that the latest `reassembled` segment points into.
  public private(set) var datagram: [UInt8] = []
  private var fragments: FragmentStore
  private let links: LinkDecoder
  /// Where the next subframe of the latest frame begins, or -1.
  @usableFromInline var next = -1

  /// Makes a decoder.
  public init(limits: PacketLimits = PacketLimits()) {
    self.limits = limits
    fragments = FragmentStore(limits: limits)
    links = LinkDecoder(tags: limits.linkTags)
  }

  /// How many datagrams were given up because their fragments did not come, or at a limit.
  public var lostDatagrams: Int { fragments.lost }

  /// How many datagrams still wait for fragments.
  public var waitingDatagrams: Int { fragments.count }

  /// Decodes one frame.
  ///
  /// `originalCount` is how many bytes the frame had before the capture cut it; `time` is its instant in
  /// microseconds, used only to give up fragments.
  public mutating func decode(
    _ frame: Span<UInt8>, originalCount: Int, link: LinkType, at time: Int
  ) -> PacketVerdict {
    if next >= 0 { next = -1 }
    switch link == .ethernet ? links.etherType(frame, at: 12) : links.decode(frame, link: link) {
    case .ignored(let reason): return .ignored(reason)
    case .ip(let start): return packet(frame, at: start, end: max(originalCount, frame.count), at: time)
    case .aggregate(let start):
      next = start
      return decodeNext(frame, originalCount: originalCount, at: time) ?? .ignored(.cut)
    }
  }

  /// Whether the frame that was decoded last may carry another packet.
  public var hasMore: Bool { next >= 0 }

  /// Decodes the next packet of the frame that was decoded last, where it carries several; nil behind the last.
  ///
  /// Call it until it gives nil, with what was given to ``decode(_:originalCount:link:at:)``.
  @inline(__always)
  public mutating func decodeNext(
    _ frame: Span<UInt8>, originalCount: Int, at time: Int
  ) -> PacketVerdict? {
    next < 0 ? nil : subframe(frame, whole: max(originalCount, frame.count), at: time)
  }

  private mutating func subframe(_ frame: Span<UInt8>, whole: Int, at time: Int) -> PacketVerdict? {
    let start = next
    guard frame.count >= start &+ 14 else {
      next = -1
      // What is left of a whole frame is padding, or its check sequence.
      return frame.count < whole && whole >= start &+ 14 ? .ignored(.cut) : nil
    }
    let found = links.subframe(frame, at: start)
    next = found.next
    guard case .ip(let inside) = found.payload else {
      if case .ignored(let reason) = found.payload { return .ignored(reason) }
      return .ignored(.malformed)
    }
    return packet(frame, at: inside, end: min(found.end, whole), at: time)
  }

  @inline(__always)
  private mutating func packet(
    _ frame: Span<UInt8>, at start: Int, end: Int, at time: Int
  ) -> PacketVerdict {
    switch IPHeader.parse(frame, at: start, end: end, extensions: limits.extensionHeaders) {
    case .ignored(let reason): return .ignored(reason)
    case .whole(let header):
      if header.number == 6 { return TCPHeader.parse(header, in: frame) }
      return transport(header, in: frame, tunnels: 0, at: time)
    case .fragment(let header, let fragment):
      return keep(header, fragment, in: frame, tunnels: 0, at: time)
    }
  }

  /// Takes the bytes of the latest reassembled datagram out, so that they can be read beside the decoder.
  public mutating func takeDatagram() -> [UInt8] {
    let bytes = datagram
    datagram = []
    return bytes
  }

  private mutating func transport(
    _ header: IPHeader, in bytes: Span<UInt8>, tunnels: Int, at time: Int
  ) -> PacketVerdict {
    switch header.number {
    case 6: TCPHeader.parse(header, in: bytes)
    case 1, 58: UnreachableReport.parse(header, in: bytes)
    default: carried(header, in: bytes, tunnels: tunnels, at: time)
    }
  }

  /// Decodes what a tunnel carries.
  private mutating func carried(
    _ outer: IPHeader, in bytes: Span<UInt8>, tunnels: Int, at time: Int
  ) -> PacketVerdict {
    switch Tunnel.enter(outer, in: bytes) {
    case .none: .ignored(.notTCP)
    case .ignored(let reason): .ignored(reason)
    case .ip(let start, let version):
      packet(bytes, at: start, version: version, outer, tunnels: tunnels, at: time)
    case .ethernet(let start): framed(bytes, at: start, .ethernet, outer, tunnels: tunnels, at: time)
    case .ppp(let start): framed(bytes, at: start, .ppp, outer, tunnels: tunnels, at: time)
    }
  }

  private mutating func framed(
    _ bytes: Span<UInt8>, at start: Int, _ link: LinkType, _ outer: IPHeader, tunnels: Int, at time: Int
  ) -> PacketVerdict {
    let end = min(outer.end, bytes.count)
    guard start < end else { return .ignored(.cut) }
    switch links.decode(bytes.extracting(start..<end), link: link) {
    case .ignored(let reason): return .ignored(reason)
    case .aggregate: return .ignored(.malformed)
    case .ip(let inside):
      return packet(bytes, at: start &+ inside, version: nil, outer, tunnels: tunnels, at: time)
    }
  }

  private mutating func packet(
    _ bytes: Span<UInt8>, at start: Int, version: UInt8?, _ outer: IPHeader, tunnels: Int, at time: Int
  ) -> PacketVerdict {
    guard tunnels < limits.tunnels else { return .ignored(.nested) }
    guard start < bytes.count else { return .ignored(.cut) }
    if let version, bytes[start] >> 4 != version { return .ignored(.malformed) }
    switch IPHeader.parse(bytes, at: start, end: outer.end, extensions: limits.extensionHeaders) {
    case .ignored(let reason): return .ignored(reason)
    case .whole(let header): return transport(header, in: bytes, tunnels: tunnels &+ 1, at: time)
    case .fragment(let header, let fragment):
      return keep(header, fragment, in: bytes, tunnels: tunnels &+ 1, at: time)
    }
  }

  private mutating func keep(
    _ header: IPHeader, _ fragment: IPFragment, in frame: Span<UInt8>, tunnels: Int, at time: Int
  ) -> PacketVerdict {
    // Only TCP and tunnels are worth the wait; an IPv6 extension header may still lead to them.
    let number = header.number
    guard number == 6 || Tunnel.mayCarry(number) || IPHeader.isExtension(number) else {
      return .ignored(.notTCP)
    }
    let end = min(header.end, frame.count)
    guard header.start <= end else { return .ignored(.cut) }
    let data = frame.extracting(header.start..<end)
    switch fragments.add(header, fragment, data, isCut: end < header.end, at: time) {
    case .refused: return .ignored(.badFragment)
    case .kept: return .fragment
    case .whole(let bytes, let number):
      return reassembled(header, number, bytes, tunnels: tunnels, at: time)
    }
  }

  private mutating func reassembled(
    _ header: IPHeader, _ number: UInt8, _ whole: [UInt8], tunnels: Int, at time: Int
  ) -> PacketVerdict {
    var inner = header
    inner.number = number
    inner.start = 0
    inner.end = whole.count
    let bytes = whole.span
    guard IPHeader.skipExtensions(&inner, in: bytes, limit: limits.extensionHeaders) == nil else {
      return .ignored(.malformed)
    }
    guard inner.number == 6 || Tunnel.mayCarry(inner.number) else { return .ignored(.notTCP) }
    let verdict = transport(inner, in: bytes, tunnels: tunnels, at: time)
    // Fragments in a tunnel of fragments have put their own datagram there.
    guard case .segment(let segment) = verdict else { return verdict }
    datagram = whole
    return .reassembled(segment)
  }
}
