/// A TCP segment to be built, with the IP packet around it.
public struct BuiltSegment: Sendable {
  /// The sender.
  public var source: BuiltHost
  /// The receiver.
  public var destination: BuiltHost
  /// The sequence number.
  public var sequence: UInt32
  /// The acknowledgment number.
  public var acknowledgment: UInt32 = 0
  /// The control bits: FIN 1, SYN 2, RST 4, PSH 8, ACK 16.
  public var flags: UInt8 = 16
  /// The window.
  public var window: UInt16 = 65_535
  /// TCP options; padded to four bytes.
  public var options: [UInt8] = []
  /// The payload.
  public var payload: [UInt8] = []

  /// Makes a segment between two hosts of one IP version.
  public init(from source: BuiltHost, to destination: BuiltHost, sequence: UInt32) {
    self.source = source
    self.destination = destination
    self.sequence = sequence
  }

  /// The TCP header and payload.
  public var tcp: [UInt8] {
    let padded = options + [UInt8](repeating: 1, count: (4 - options.count % 4) % 4)
    var bytes: [UInt8] = []
    for number in [source.port, destination.port] { bytes.put(number) }
    for number in [sequence, acknowledgment] { bytes.put(number) }
    bytes += [UInt8((20 + padded.count) / 4) << 4, flags]
    for number in [window, 0, 0] { bytes.put(number) }
    bytes += padded
    bytes += payload
    let pseudo = (source.address + destination.address).internetSum(from: UInt32(6 + bytes.count))
    bytes.set16(~UInt16(truncatingIfNeeded: bytes.internetSum(from: pseudo)), at: 16)
    return bytes
  }

  /// The whole IP packet.
  public var packet: [UInt8] { Self.ip(protocol: 6, from: source, to: destination, tcp) }

  /// The packet cut into IP fragments whose data is at most `size` bytes, a multiple of eight.
  public func fragments(of size: Int, identification: UInt32 = 7) -> [[UInt8]] {
    let whole = tcp
    return stride(from: 0, to: whole.count, by: size).map { offset in
      let end = min(offset + size, whole.count)
      return Self.fragment(
        from: source, to: destination, Array(whole[offset..<end]), offset: offset, isLast: end == whole.count,
        identification: identification)
    }
  }

  /// An IP packet with any data.
  public static func ip(
    protocol number: UInt8, from source: BuiltHost, to destination: BuiltHost, _ data: [UInt8],
    options: [UInt8] = []
  ) -> [UInt8] {
    if source.address.count == 16 { return ip6(number, source, destination, data) }
    return ip4(number, source, destination, data, identification: 1, fragmentWord: 0x4000, options)
  }

  /// One IP fragment of a TCP segment.
  public static func fragment(
    from source: BuiltHost, to destination: BuiltHost, _ data: [UInt8], offset: Int, isLast: Bool,
    identification: UInt32
  ) -> [UInt8] {
    guard source.address.count == 16 else {
      let word = UInt16(offset / 8) | (isLast ? 0 : 0x2000)
      return ip4(
        6, source, destination, data, identification: UInt16(truncatingIfNeeded: identification),
        fragmentWord: word, [])
    }
    var header: [UInt8] = [6, 0]
    header.put(UInt16(offset) | (isLast ? 0 : 1))
    header.put(identification)
    return ip6(44, source, destination, header + data)
  }

  private static func ip4(
    _ number: UInt8, _ source: BuiltHost, _ destination: BuiltHost, _ data: [UInt8], identification: UInt16,
    fragmentWord: UInt16, _ options: [UInt8]
  ) -> [UInt8] {
    var header: [UInt8] = [0x45 + UInt8(options.count / 4), 0]
    header.put(UInt16(20 + options.count + data.count))
    header.put(identification)
    header.put(fragmentWord)
    header += [64, number, 0, 0] + source.address + destination.address + options
    header.set16(~UInt16(truncatingIfNeeded: header.internetSum()), at: 10)
    return header + data
  }

  private static func ip6(
    _ number: UInt8, _ source: BuiltHost, _ destination: BuiltHost, _ data: [UInt8]
  ) -> [UInt8] {
    var header: [UInt8] = [0x60, 0, 0, 0]
    header.put(UInt16(data.count))
    return header + [number, 64] + source.address + destination.address + data
  }
}
