internal import GoldwireBytes

/// The proof in a WebSocket handshake that a server has read the client's key (RFC 6455 section 4.2.2).
public enum WebSocketKey {
  /// The value of `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key`: the SHA-1 of key and GUID, in base64.
  public static func accept(_ key: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.append(key)
    text.append(contentsOf: "258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    return base64(digest(text))
  }

  /// Whether a `Sec-WebSocket-Key` is what base64 makes of 16 bytes.
  public static func isWhole(_ key: Span<UInt8>) -> Bool {
    guard key.count == 24, key[22] == 0x3D, key[23] == 0x3D else { return false }
    for index in 0..<22 {
      switch key[index] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: break
      default: return false
      }
    }
    return true
  }

  /// Bytes in base64 (RFC 4648 section 4).
  public static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let rest = min(3, bytes.count &- start)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < rest ? UInt32(bytes[start &+ offset]) : 0)
      }
      for place in 0..<4 {
        let six = Int(group >> UInt32(18 &- 6 &* place) & 63)
        text.append(place <= rest ? alphabet[six] : 0x3D)
      }
    }
    return text
  }

  /// SHA-1 (RFC 3174), which the handshake asks for and which nothing here relies on as a secret.
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var bytes = message
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: bytes.count, by: 64) { mix(bytes, start, into: &state) }
    var digest: [UInt8] = []
    for word in state {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        digest.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return digest
  }

  private static func mix(_ bytes: [UInt8], _ start: Int, into state: inout [UInt32]) {
    var words: [UInt32] = []
    words.reserveCapacity(80)
    for index in 0..<16 {
      var word: UInt32 = 0
      for offset in 0..<4 { word = word << 8 | UInt32(bytes[start &+ 4 &* index &+ offset]) }
      words.append(word)
    }
    for index in 16..<80 {
      let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.append(mixed << 1 | mixed >> 31)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (function, constant): (UInt32, UInt32)
      switch index / 20 {
      case 0: (function, constant) = (b & c | ~b & d, 0x5A82_7999)
      case 1: (function, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
      case 2: (function, constant) = (b & c | b & d | c & d, 0x8F1B_BCDC)
      default: (function, constant) = (b ^ c ^ d, 0xCA62_C1D6)
      }
      let next = (a << 5 | a >> 27) &+ function &+ e &+ constant &+ words[index]
      (e, d, c, b, a) = (d, c, b << 30 | b >> 2, a, next)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
  }
}
