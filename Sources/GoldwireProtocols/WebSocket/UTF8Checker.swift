import GoldwireBytes

/// Checks that bytes in pieces of any size are UTF-8 (RFC 3629): no overlong forms, surrogates or more than U+10FFFF.
struct UTF8Checker: Equatable, Sendable {
  /// The bits that no byte of ASCII has.
  private static let signs: UInt64 = 0x8080_8080_8080_8080

  /// The continuation bytes that are still to come.
  private var missing: Int = 0
  /// The bounds of the next continuation byte.
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xBF
  /// Whether a byte was wrong.
  private(set) var isBroken: Bool = false

  /// Whether the bytes so far are whole characters.
  var isWhole: Bool { missing == 0 && !isBroken }

  /// Takes a piece, unmasked as it goes; after a wrong byte nothing is looked at any more.
  ///
  /// `mask` is the mask's bytes in the order of the piece's, the first lowest; 0 for none.
  mutating func add(_ bytes: Span<UInt8>, mask: UInt32 = 0) {
    var rest = bytes
    var mask = UInt64(mask) << 32 | UInt64(mask)
    while !rest.isEmpty, !isBroken {
      if missing == 0 {
        while rest.count >= 32, UTF8Checker.isASCII(rest.fourWords(at: 0) ^ mask) {
          rest = rest.extracting(droppingFirst: 32)
        }
        while rest.count >= 8, (rest.word(at: 0) ^ mask) & UTF8Checker.signs == 0 {
          rest = rest.extracting(droppingFirst: 8)
        }
        if rest.isEmpty { return }
        if rest.count < 8 {
          let signs = UTF8Checker.signs &>> UInt64(truncatingIfNeeded: 64 &- 8 &* rest.count)
          if (bytes.lastWord(from: bytes.count &- rest.count) ^ mask) & signs == 0 { return }
        }
      }
      step(rest[0] ^ UInt8(truncatingIfNeeded: mask))
      mask = mask >> 8 | mask << 56
      rest = rest.extracting(droppingFirst: 1)
    }
  }

  @inline(__always)
  private static func isASCII(_ words: SIMD4<UInt64>) -> Bool {
    let both = words.lowHalf | words.highHalf
    return (both[0] | both[1]) & signs == 0
  }

  private mutating func step(_ byte: UInt8) {
    if missing > 0 {
      guard byte >= low, byte <= high else {
        isBroken = true
        return
      }
      missing &-= 1
      (low, high) = (0x80, 0xBF)
      return
    }
    switch byte {
    case 0...0x7F: break
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, low) = (2, 0xA0)
    case 0xED: (missing, high) = (2, 0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, low) = (3, 0x90)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, high) = (3, 0x8F)
    default: isBroken = true
    }
  }
}
