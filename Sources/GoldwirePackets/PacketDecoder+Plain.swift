public import GoldwireBytes

/// The short way for a frame that carries a whole TCP segment on IP directly, as nearly all do.
extension PacketDecoder {
  /// Decodes an Ethernet frame without tags, with an IP header without options or extensions and, behind it, a
  /// whole TCP header without SYN; nil for any other.
  ///
  /// It is what ``decode(_:originalCount:link:at:)`` comes to for such a frame.
  @inlinable @inline(__always)
  public func plain(_ frame: Span<UInt8>, link: LinkType) -> Segment? {
    guard link.rawValue == 1, next < 0, frame.count >= 54 else { return nil }
    let head = frame.extracting(first: 54)
    var sender = Side.first
    switch head.be16(at: 12) {
    case 0x0800:
      let total = Int(head.be16(at: 16))
      guard head[14] == 0x45, head[23] == 6, head.be16(at: 20) & 0x3FFF == 0, total >= 40 else { return nil }
      let key = FlowKey(
        from: Endpoint(address: IPAddress(ipv4: head.be32(at: 26)), port: head.be16(at: 34)),
        to: Endpoint(address: IPAddress(ipv4: head.be32(at: 30)), port: head.be16(at: 36)), sender: &sender)
      return segment(head.extracting(34..<54), key, sender, at: 34, end: 14 &+ total, of: frame.count)
    case 0x86DD:
      let length = Int(head.be16(at: 18))
      guard head[14] >> 4 == 6, head[20] == 6, length >= 20, frame.count >= 74 else { return nil }
      let head = frame.extracting(first: 74)
      let key = FlowKey(
        from: Endpoint(
          address: IPAddress(high: head.be64(at: 22), low: head.be64(at: 30)), port: head.be16(at: 54)),
        to: Endpoint(
          address: IPAddress(high: head.be64(at: 38), low: head.be64(at: 46)), port: head.be16(at: 56)),
        sender: &sender)
      return segment(head.extracting(54..<74), key, sender, at: 54, end: 54 &+ length, of: frame.count)
    default: return nil
    }
  }

  /// The segment whose TCP header begins at `start`; `end` is where its IP packet ends, in a frame of `count` bytes.
  @inlinable @inline(__always)
  func segment(
    _ head: Span<UInt8>, _ key: FlowKey, _ sender: Side, at start: Int, end: Int, of count: Int
  ) -> Segment? {
    let length = Int(head[12] >> 4) &* 4
    let payload = start &+ length
    let flags = TCPFlags(rawValue: head[13])
    guard length >= 20, payload <= end, flags.rawValue & 2 == 0 else { return nil }
    return Segment(
      key: key, sender: sender, flags: flags, window: head.be16(at: 14), sequence: head.be32(at: 4),
      acknowledgment: head.be32(at: 8), start: min(payload, count), count: max(0, min(end, count) &- payload),
      length: end &- payload)
  }
}
