/// A packet on the path between a client and the fault server, both in one network namespace.
///
/// The client speaks to an address that is nobody's; what it sends is read from a tunnel, and goes back into it with other
/// addresses, so that it reaches the server on 127.0.0.1, and the other way round.
enum PathPacket {
  /// The client's own address.
  static let client: [UInt8] = [10, 0, 0, 1]
  /// The address that the client speaks to.
  static let far: [UInt8] = [10, 0, 0, 2]
  /// The server's.
  static let server: [UInt8] = [127, 0, 0, 1]

  /// Which way a packet goes, which then has the addresses of the other end; nil, and nothing changed, of any other packet.
  static func turn(_ packet: inout [UInt8]) -> Bool? {
    guard packet.count >= 40, packet[0] >> 4 == 4, packet[9] == 6 else { return nil }
    let head = Int(packet[0] & 15) * 4
    guard head >= 20, packet.count >= head + 20 else { return nil }
    let (from, to) = (Array(packet[12..<16]), Array(packet[16..<20]))
    let isUp: Bool
    switch (from, to) {
    case (client, far): isUp = true
    case (server, far): isUp = false
    default: return nil
    }
    let then = isUp ? far + server : far + client
    // The checksum counts both addresses: what they were goes out of it, what they are comes in (RFC 1624).
    let old = ~sum(from + to) & 0xFFFF
    let checksum = ~word(packet, head + 16) & 0xFFFF
    put(~folded(checksum + old + sum(then)) & 0xFFFF, into: &packet, head + 16)
    packet.replaceSubrange(12..<20, with: then)
    put(0, into: &packet, 10)
    put(~sum(Array(packet[..<head])) & 0xFFFF, into: &packet, 10)
    return isUp
  }

  /// The sum of big-endian words in ones' complement (RFC 1071).
  static func sum(_ bytes: [UInt8]) -> Int {
    var total = 0
    for index in stride(from: 0, to: bytes.count - 1, by: 2) { total += word(bytes, index) }
    if bytes.count % 2 == 1 { total += Int(bytes[bytes.count - 1]) << 8 }
    return folded(total)
  }

  private static func folded(_ total: Int) -> Int {
    var total = total
    while total > 0xFFFF { total = (total & 0xFFFF) + (total >> 16) }
    return total
  }

  private static func word(_ bytes: [UInt8], _ index: Int) -> Int {
    Int(bytes[index]) << 8 | Int(bytes[index + 1])
  }

  private static func put(_ word: Int, into bytes: inout [UInt8], _ index: Int) {
    bytes[index] = UInt8(word >> 8)
    bytes[index + 1] = UInt8(word & 0xFF)
  }
}
