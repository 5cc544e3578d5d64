/// Base64 as HAR tools write binary data: either alphabet, with or without padding (RFC 4648 sections 4 and 5).
enum Base64 {
  /// The bytes of a text, whose line ends are passed over; nil if it is no base64.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 &* 3 &+ 3)
    var (bits, count, padding) = (UInt32(0), 0, 0)
    for index in text.indices {
      let byte = text[index]
      if byte == 0x0A || byte == 0x0D { continue }
      if byte == 0x3D {
        padding &+= 1
        continue
      }
      guard padding == 0, let digit = digit(byte) else { return nil }
      bits = bits << 6 | digit
      count &+= 1
      if count & 3 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
      }
    }
    switch count & 3 {
    case 0: return padding == 0 ? bytes : nil
    case 2 where padding == 0 || padding == 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3 where padding <= 1:
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte &- 0x41)
    case 0x61...0x7A: UInt32(byte &- 0x61 &+ 26)
    case 0x30...0x39: UInt32(byte &- 0x30 &+ 52)
    case 0x2B, 0x2D: 62
    case 0x2F, 0x5F: 63
    default: nil
    }
  }
}
