internal import GoldwireBytes

/// Reads TCP headers (RFC 9293 section 3.1).
enum TCPHeader {
  /// Reads the header at the start of an IP packet's data.
  @inline(__always)
  static func parse(_ ip: IPHeader, in bytes: Span<UInt8>) -> PacketVerdict {
    let available = min(ip.end, bytes.count) &- ip.start
    guard ip.end &- ip.start >= 20 else { return .ignored(.malformed) }
    // The window, the checksum and the urgent pointer may be cut; what the stream needs may not.
    guard available >= 14 else { return .ignored(.cut) }
    let head = bytes.extracting(ip.start..<(ip.start &+ 14))
    let length = Int(head[12] >> 4) &* 4
    let payload = ip.start &+ length
    guard length >= 20, payload <= ip.end else { return .ignored(.malformed) }
    var sender = Side.first
    let key = FlowKey(
      from: Endpoint(address: ip.source, port: head.be16(at: 0)),
      to: Endpoint(address: ip.destination, port: head.be16(at: 2)), sender: &sender)
    let flags = TCPFlags(rawValue: head[13])
    let window = available >= 16 ? bytes.be16(at: ip.start &+ 14) : 65_535
    let scale = flags.contains(.syn) ? windowScale(bytes, from: ip.start &+ 20, to: payload) : 0
    return .segment(
      Segment(
        key: key, sender: sender, flags: flags, window: window, windowScale: scale,
        sequence: head.be32(at: 4), acknowledgment: head.be32(at: 8), start: min(payload, bytes.count),
        count: max(0, min(ip.end, bytes.count) &- payload), length: ip.end &- payload))
  }

  /// The window scale option (RFC 7323 section 2.2), at most 14.
  private static func windowScale(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt8 {
    var index = start
    let end = min(end, bytes.count)
    while index < end {
      switch bytes[index] {
      case 0: return 0
      case 1: index &+= 1
      default:
        guard index &+ 2 < end else { return 0 }
        let length = Int(bytes[index &+ 1])
        guard length >= 2 else { return 0 }
        if bytes[index] == 3, length == 3 { return min(bytes[index &+ 2], 14) }
        index &+= length
      }
    }
    return 0
  }
}
