import GoldwireBytes

/// A keyed 64-bit hash of bytes that come in pieces of any size.
///
/// It is for comparisons in memory alone and never leaves the process. The key keeps a peer from making
/// collisions.
struct KeyedHash: Sendable {
  private var state: UInt64
  private var tail: UInt64 = 0
  private var count = 0

  /// Starts a hash; equal keys and bytes give equal values, however the bytes are cut.
  init(key: UInt64) { state = key ^ 0x9E37_79B9_7F4A_7C15 }

  /// Takes more bytes.
  mutating func add(_ bytes: Span<UInt8>) {
    var rest = bytes
    while count & 7 != 0, !rest.isEmpty {
      add(rest[0])
      rest = rest.extracting(droppingFirst: 1)
    }
    while rest.count >= 8 {
      stir(rest.word(at: 0))
      count &+= 8
      rest = rest.extracting(droppingFirst: 8)
    }
    guard !rest.isEmpty else { return }
    // Fewer than eight, behind whole words.
    tail = bytes.lastWord(from: bytes.count &- rest.count)
    count &+= rest.count
  }

  /// Takes more bytes, and capital letters as small ones.
  mutating func add(folded bytes: Span<UInt8>) {
    var index = 0
    if count & 7 == 0 {
      while index &+ 8 <= bytes.count {
        stir(bytes.word(at: index).lowercased)
        index &+= 8
        count &+= 8
      }
    }
    while index < bytes.count {
      let byte = bytes[index]
      add(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      index &+= 1
    }
  }

  /// Takes one more byte.
  mutating func add(_ byte: UInt8) {
    tail |= UInt64(byte) << (UInt64(count & 7) &* 8)
    count &+= 1
    guard count & 7 == 0 else { return }
    stir(tail)
    tail = 0
  }

  /// Takes a whole number.
  mutating func add(_ number: UInt64) {
    stir(number)
    stir(UInt64(count & 7) | 0x100)
  }

  /// The hash of what was taken so far.
  var value: UInt64 {
    let (high, low) = (state ^ tail).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB ^ UInt64(count))
    let mixed = (high ^ low) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 29
  }

  /// The hash of some bytes.
  static func of(_ bytes: Span<UInt8>, key: UInt64) -> UInt64 {
    var hash = KeyedHash(key: key)
    hash.add(bytes)
    return hash.value
  }

  private mutating func stir(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    state = (high ^ low) &+ 0x8EBC_6AF0_9C88_C6E3
  }
}
