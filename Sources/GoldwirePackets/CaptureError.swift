/// What is wrong with a capture file, and at which byte of it; never what stands there.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var reason: Reason
  /// The byte of the file (after decompression) at which the faulty header, record or block begins.
  public var offset: Int

  /// Makes an error.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What can be wrong with a capture file.
  public enum Reason: Equatable, Sendable {
    /// There are no bytes at all.
    case empty
    /// The first bytes are those of no capture format that is known.
    case unknownFormat
    /// The first bytes are those of a format that is known but not read here.
    case foreign(Format)
    /// The file ends inside its first header.
    case headerCut
    /// The format's version is not one that is read here.
    case version(major: Int, minor: Int)
    /// Frames of this link type cannot be decoded.
    case linkType(LinkType)
    /// A record claims more bytes than a packet may have.
    case packetTooLong(bytes: Int, limit: Int)
    /// A block claims more bytes than may be kept.
    case blockTooLong(bytes: Int, limit: Int)
    /// A block is too short for what it must hold.
    case blockTooShort(bytes: Int)
    /// A block's two lengths differ.
    case lengthsDiffer
    /// A section's byte-order mark is neither of the two.
    case byteOrder
    /// A packet names an interface that was not described before it.
    case unknownInterface(Int)
    /// There are more interfaces in a section than may be kept.
    case tooManyInterfaces(limit: Int)
  }

  /// Formats that are recognised in order to be refused by name.
  public enum Format: String, Equatable, Sendable {
    /// A pcap variant with more fields in each record.
    case modifiedPcap = "the modified pcap variant of 1999 patches"
    /// A pcap variant of IXIA hardware.
    case ixiaHardware = "IXIA's pcap variant (lcap, hardware)"
    /// A pcap variant of IXIA software.
    case ixiaSoftware = "IXIA's pcap variant (lcap, software)"
    /// A pcap variant of Navtel.
    case navtel = "Navtel's pcap variant"
    /// Sun's snoop.
    case snoop = "a snoop capture"
    /// Microsoft's Network Monitor.
    case netmon = "a Network Monitor capture"
    /// A gzip container.
    case gzip = "gzip data"
    /// A Zstandard container.
    case zstd = "zstd data"
    /// An LZ4 container.
    case lz4 = "lz4 data"
    /// An xz container.
    case xz = "xz data"
  }

  /// What to do about it, where there is something.
  public var remedy: String? {
    switch reason {
    case .linkType:
      "capture on Ethernet, Wi-Fi, PPP, loopback or a raw IP device, or let tcpdump choose with '-y EN10MB'"
    case .packetTooLong(_, let limit):
      "the file is damaged there, or its packets must be cut first: 'editcap -s \(limit) IN OUT'"
    case .blockTooLong, .blockTooShort, .lengthsDiffer, .byteOrder:
      "the file is damaged there; 'editcap IN OUT' may save what comes before"
    default: nil
    }
  }

  /// One line that names the place and the fault.
  public var description: String {
    switch reason {
    case .empty: "the capture is empty"
    case .unknownFormat: "not a capture file: neither pcap nor pcapng"
    case .foreign(let format): "this is \(format.rawValue); convert it to pcap or pcapng first"
    case .headerCut: "byte \(offset): the file ends inside its first header"
    case .version(let major, let minor): "byte \(offset): version \(major).\(minor) is not supported"
    case .linkType(let link):
      "byte \(offset): link type \(link.rawValue)\(link.name.map { " (\($0))" } ?? "") is not supported"
    case .packetTooLong(let bytes, let limit):
      "byte \(offset): a packet of \(bytes) bytes is longer than the limit of \(limit)"
    case .blockTooLong(let bytes, let limit):
      "byte \(offset): a block of \(bytes) bytes is longer than the limit of \(limit)"
    case .blockTooShort(let bytes): "byte \(offset): a block of \(bytes) bytes is too short for its type"
    case .lengthsDiffer: "byte \(offset): the two lengths of a block differ"
    case .byteOrder: "byte \(offset): a section's byte-order mark is wrong"
    case .unknownInterface(let number): "byte \(offset): interface \(number) is used but not described"
    case .tooManyInterfaces(let limit): "byte \(offset): more than \(limit) interfaces in one section"
    }
  }
}
