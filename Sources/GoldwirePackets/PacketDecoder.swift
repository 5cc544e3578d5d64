internal import GoldwireBytes

/// Decodes frames down to TCP: link, IPv4 and IPv6 with fragments, TCP header.
///
/// It says where things lie and copies nothing, save for fragments, which wait here for the rest.
public struct PacketDecoder: Sendable {
  /// The limits that hold.
  public let limits: PacketLimits
  /// The bytes that the latest `reassembled` segment points into.
  public internal(set) var datagram: [UInt8] = []
  var fragments: FragmentStore

  /// Makes a decoder.
  public init(limits: PacketLimits = PacketLimits()) {
    self.limits = limits
    fragments = FragmentStore(limits: limits)
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
    .ignored(.notIP)
  }

  /// Takes the bytes of the latest reassembled datagram out of the decoder, so that they can be read beside it.
  public mutating func takeDatagram() -> [UInt8] {
    let bytes = datagram
    datagram = []
    return bytes
  }
}
