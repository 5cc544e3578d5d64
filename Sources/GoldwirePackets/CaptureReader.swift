internal import GoldwireBytes

/// Reads a capture file, pcap or pcapng, from bytes that come in pieces of any size.
///
/// It holds no bytes: the caller keeps what lies beyond the position and adds to it when `more` is asked.
///
///     var reader = CaptureReader(), position = 0
///     let step = try reader.next(in: buffer.span, from: &position)
public struct CaptureReader: Sendable {
  /// The limits that hold.
  public let limits: PacketLimits
  /// How many bytes of the file were used so far.
  public internal(set) var offset: Int = 0
  /// The container's format, once its first bytes were read.
  public internal(set) var container: Container?

  var bigEndian = false
  /// In a pcap file: what a fraction of a second is divided by.
  var fractionDivisor: UInt32 = 1
  /// In a pcap file: the link type of all packets.
  public internal(set) var link = LinkType.ethernet
  var swapsLengths = false
  /// Whether its records are of the usual form.
  var isPlain = false
  /// In a pcapng file: the interfaces of the section, and what is left of a block that is not read.
  var interfaces: [CaptureInterface] = []
  var skipping = 0
  var trailer: UInt32?
  var latest = 0

  /// Makes a reader at the beginning of a file.
  public init(limits: PacketLimits = PacketLimits()) { self.limits = limits }

  /// A capture format.
  public enum Container: Equatable, Sendable {
    /// The classic format.
    case pcap
    /// The format with sections and blocks.
    case pcapng
  }

  /// The next thing in `bytes` at `position`, which moves past all that was used.
  ///
  /// Ranges in the step are those of `bytes`. After `more(n)` call again with at least `n` bytes at the
  /// position (never more than `limits.blockBytes`), or `finish` if there are none.
  public mutating func next(
    in bytes: Span<UInt8>, from position: inout Int
  ) throws(CaptureError) -> CaptureStep {
    if container == nil {
      guard let begun = try begin(bytes, &position) else {
        return .more(bytes.count &- position < 4 ? 4 : 24)
      }
      container = begun
    }
    return container == .pcap ? try nextRecord(bytes, &position) : try nextBlock(bytes, &position)
  }

  /// Says how the file ended; `remaining` is how many bytes lay beyond the position.
  public mutating func finish(remaining: Int) throws(CaptureError) -> CaptureEnd {
    guard container != nil, offset > 0 else {
      throw CaptureError(remaining == 0 ? .empty : .headerCut, at: 0)
    }
    return remaining == 0 && skipping == 0 && trailer == nil ? .whole : .torn(at: offset)
  }

  /// Moves past bytes that were used.
  mutating func use(_ count: Int, _ position: inout Int) {
    position &+= count
    offset &+= count
  }

  /// A 32-bit number in the file's byte order.
  @inline(__always)
  func number(_ bytes: Span<UInt8>, _ index: Int) -> UInt32 {
    let value = bytes.le32(at: index)
    return bigEndian ? value.byteSwapped : value
  }

  /// A 16-bit number in the file's byte order.
  @inline(__always)
  func shortNumber(_ bytes: Span<UInt8>, _ index: Int) -> UInt16 {
    let value = bytes.le16(at: index)
    return bigEndian ? value.byteSwapped : value
  }

  /// The link type of a packet under the number for private use that Apple's systems wrote for PKTAP.
  ///
  /// Only a header that can be nothing else is taken for it: its length, the kinds of record and of frame
  /// that it announces, and an interface's name that is text.
  func privateLink(_ bytes: Span<UInt8>, _ start: Int, count: Int) throws(CaptureError) -> LinkType {
    let refused = CaptureError(.linkType(.user2), at: offset)
    guard count >= 36 else { throw refused }
    let header = bytes.extracting(start..<(start &+ 36))
    let inner = LinkType(rawValue: header.le32(at: 8))
    guard (36...1_024).contains(header.le32(at: 0)), header.le32(at: 4) <= 1,
      inner.isSupported, inner != .pktap, header[12] != 0
    else { throw refused }
    for index in 12..<36 {
      if header[index] == 0 { return .pktap }
      guard (0x21...0x7E).contains(header[index]) else { throw refused }
    }
    throw refused
  }

  /// Reads the file's first bytes; nil if there are not enough of them.
  private mutating func begin(
    _ bytes: Span<UInt8>, _ position: inout Int
  ) throws(CaptureError) -> Container? {
    let available = bytes.count &- position
    guard available >= 4 else { return nil }
    let magic = bytes.be32(at: position)
    switch magic {
    case 0x0A0D_0D0A: return .pcapng
    case 0xA1B2_C3D4, 0xA1B2_3C4D: bigEndian = true
    case 0xD4C3_B2A1, 0x4D3C_B2A1: bigEndian = false
    default:
      throw CaptureError(Self.foreign(magic).map { .foreign($0) } ?? .unknownFormat, at: offset)
    }
    fractionDivisor = magic == 0xA1B2_3C4D || magic == 0x4D3C_B2A1 ? 1_000 : 1
    guard available >= 24 else { return nil }
    try beginClassic(bytes, position)
    use(24, &position)
    return .pcap
  }

  private static func foreign(_ magic: UInt32) -> CaptureError.Format? {
    switch magic {
    case 0xA1B2_CD34, 0x34CD_B2A1: return .modifiedPcap
    case 0xA12B_3C4D, 0x4D3C_2BA1: return .navtel
    case 0x1C00_01AC, 0xAC01_001C: return .ixiaHardware
    case 0x1C00_01AB, 0xAB01_001C: return .ixiaSoftware
    case 0x736E_6F6F: return .snoop
    case 0x474D_4255, 0x5254_5353: return .netmon
    case 0x28B5_2FFD: return .zstd
    case 0x0422_4D18: return .lz4
    case 0xFD37_7A58: return .xz
    default: return magic >> 16 == 0x1F8B ? .gzip : nil
    }
  }
}

/// One interface of a pcapng section.
struct CaptureInterface: Sendable {
  var link: LinkType
  var snaplen: Int
  var resolution: TimestampResolution
  /// How many dropped packets were already told of.
  var drops: UInt64 = 0
}
