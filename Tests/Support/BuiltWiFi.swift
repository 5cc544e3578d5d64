/// A frame of IEEE 802.11 to be built.
public struct BuiltWiFi: Equatable, Sendable {
  /// What stands before the frame.
  public enum Header: Equatable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// radiotap with nothing in it but its length.
    case radiotap
    /// radiotap with a timer, flags and a second word of what is present.
    case fullRadiotap
    /// The header of Prism cards, little-endian.
    case prism
    /// The same, big-endian.
    case bigPrism
    /// An AVS header under Prism's number.
    case prismAVS
    /// An AVS header.
    case avs
    /// Per-packet information.
    case ppi
  }

  /// What stands before the frame.
  public var header: Header
  /// The frame control's first byte: 0x08 for data, 0x88 with quality of service.
  public var kind: UInt8 = 0x08
  /// Its second byte: 1 to, 2 from the distribution system, 4 more fragments, 0x40 protected, 0x80 order.
  public var flags: UInt8 = 1
  /// The sequence control's fragment number.
  public var fragment: UInt8 = 0
  /// Whether the packet is one of an aggregate.
  public var isAggregate = false
  /// radiotap's flags: 0x10 a check sequence, 0x20 padding behind the header, 0x40 a wrong check sequence.
  public var radiotapFlags: UInt8 = 0

  /// Makes a data frame to the distribution system.
  public init(_ header: Header) { self.header = header }

  /// The link type's number.
  public var number: UInt32 {
    switch header {
    case .none: 105
    case .radiotap, .fullRadiotap: 127
    case .prism, .bigPrism, .prismAVS: 119
    case .avs: 163
    case .ppi: 192
    }
  }

  /// The frame that carries an IP packet.
  public func frame(of packet: [UInt8], etherType: UInt16) -> [UInt8] {
    frame(ofAll: [packet], etherType: etherType)
  }

  /// The frame that carries IP packets, one in each subframe; more than one only where it is an aggregate.
  public func frame(ofAll packets: [[UInt8]], etherType: UInt16) -> [UInt8] {
    var body: [UInt8] = [kind, flags, 0, 0] + [UInt8](repeating: 2, count: 18) + [fragment, 0]
    if flags & 3 == 3 { body += [UInt8](repeating: 2, count: 6) }
    if kind & 0x80 != 0 {
      body += [isAggregate ? 0x80 : 0, 0]
      if flags & 0x80 != 0 { body += [0, 0, 0, 0] }
    }
    if radiotapFlags & 0x20 != 0 { while body.count % 4 != 0 { body.append(0) } }
    let start = body.count
    for packet in packets {
      var payload: [UInt8] = [0xAA, 0xAA, 3, 0, 0, 0]
      payload.put(etherType)
      payload += packet
      while (body.count - start) % 4 != 0 { body.append(0) }
      if isAggregate {
        body += [UInt8](repeating: 2, count: 12)
        body.put(UInt16(payload.count))
      }
      body += payload
    }
    if radiotapFlags & 0x10 != 0 { body += [1, 2, 3, 4] }
    return before + body
  }

  private var before: [UInt8] {
    var bytes: [UInt8] = []
    switch header {
    case .none: break
    case .radiotap: bytes = [0, 0, 8, 0, 0, 0, 0, 0]
    case .fullRadiotap:
      bytes = [0, 0, 26, 0, 3, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 9, count: 8)
      bytes += [radiotapFlags, 0]
    case .prism, .bigPrism:
      for number: UInt32 in [0x44, 144] { bytes.put(number, bigEndian: header == .bigPrism) }
      bytes += [UInt8](repeating: 0, count: 136)
    case .prismAVS, .avs:
      for number: UInt32 in [0x8021_1001, 64] { bytes.put(number) }
      bytes += [UInt8](repeating: 0, count: 56)
    case .ppi: bytes = [0, 0, 12, 0, 105, 0, 0, 0, 1, 2, 3, 4]
    }
    return bytes
  }
}
