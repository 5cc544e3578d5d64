internal import GoldwireBytes

/// Reads ICMP and ICMPv6 reports that a TCP segment could not be delivered (RFC 792, RFC 4443 section 3.1).
enum UnreachableReport {
  /// Reads the report at the start of an IP packet's data.
  static func parse(_ ip: IPHeader, in bytes: Span<UInt8>) -> PacketVerdict {
    let end = min(ip.end, bytes.count)
    guard end &- ip.start >= 8 else { return .ignored(.notTCP) }
    let type = bytes[ip.start]
    let code = bytes[ip.start &+ 1]
    // ICMP code 4 only asks for smaller packets.
    let isReport = ip.number == 1 ? type == 3 && code != 4 : type == 1
    guard isReport else { return .ignored(.notTCP) }
    let quoted = bytes.extracting((ip.start &+ 8)..<end)
    guard
      case .whole(let inner) = IPHeader.parse(quoted, at: 0, end: quoted.count, extensions: 2),
      inner.number == 6, quoted.count &- inner.start >= 8
    else { return .ignored(.notTCP) }
    var sender = Side.first
    let key = FlowKey(
      from: Endpoint(address: inner.source, port: quoted.be16(at: inner.start)),
      to: Endpoint(address: inner.destination, port: quoted.be16(at: inner.start &+ 2)), sender: &sender)
    let flags = quoted.count &- inner.start >= 14 ? TCPFlags(rawValue: quoted[inner.start &+ 13]) : .syn
    return .unreachable(
      Segment(key: key, sender: sender, flags: flags, sequence: quoted.be32(at: inner.start &+ 4)))
  }
}
