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

  /// Makes a decoder.
  public init(limits: PacketLimits = PacketLimits()) {
    self.limits = limits
    fragments = FragmentStore(limits: limits)
    links = LinkDecoder(tags: limits.linkTags)
  }

  /// How many datagrams were given up because their fragments did not come, or at a limit.
  public var lostDatagrams: Int { fragments.lost }

  /// Decodes one frame.
  ///
  /// `originalCount` is how many bytes the frame had before the capture cut it; `time` is its instant in
  /// microseconds, used only to give up fragments.
  public mutating func decode(
    _ frame: Span<UInt8>, originalCount: Int, link: LinkType, at time: Int
  ) -> PacketVerdict {
    switch links.decode(frame, link: link) {
    case .ignored(let reason): return .ignored(reason)
    case .ip(let start):
      let whole = max(originalCount, frame.count)
      switch IPHeader.parse(frame, at: start, end: whole, extensions: limits.extensionHeaders) {
      case .ignored(let reason): return .ignored(reason)
      case .whole(let header): return Self.transport(header, in: frame)
      case .fragment(let header, let fragment): return keep(header, fragment, in: frame, at: time)
      }
    }
  }

  /// Takes the bytes of the latest reassembled datagram out, so that they can be read beside the decoder.
  public mutating func takeDatagram() -> [UInt8] {
    let bytes = datagram
    datagram = []
    return bytes
  }

  private static func transport(_ header: IPHeader, in bytes: Span<UInt8>) -> PacketVerdict {
    switch header.number {
    case 6: TCPHeader.parse(header, in: bytes)
    case 1, 58: UnreachableReport.parse(header, in: bytes)
    default: .ignored(.notTCP)
    }
  }

  private mutating func keep(
    _ header: IPHeader, _ fragment: IPFragment, in frame: Span<UInt8>, at time: Int
  ) -> PacketVerdict {
    // Only TCP is worth the wait; an IPv6 extension header may still lead to it.
    guard header.number == 6 || IPHeader.isExtension(header.number) else { return .ignored(.notTCP) }
    let end = min(header.end, frame.count)
    guard header.start <= end else { return .ignored(.cut) }
    let data = frame.extracting(header.start..<end)
    switch fragments.add(header, fragment, data, isCut: end < header.end, at: time) {
    case .refused: return .ignored(.badFragment)
    case .kept: return .fragment
    case .whole(let bytes, let number):
      datagram = bytes
      return reassembled(header, number)
    }
  }

  private func reassembled(_ header: IPHeader, _ number: UInt8) -> PacketVerdict {
    var inner = header
    inner.number = number
    inner.start = 0
    inner.end = datagram.count
    let bytes = datagram.span
    guard IPHeader.skipExtensions(&inner, in: bytes, limit: limits.extensionHeaders) == nil else {
      return .ignored(.malformed)
    }
    guard inner.number == 6 else { return .ignored(.notTCP) }
    switch TCPHeader.parse(inner, in: bytes) {
    case .segment(let segment): return .reassembled(segment)
    case let other: return other
    }
  }
}
