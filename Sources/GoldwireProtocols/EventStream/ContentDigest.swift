internal import GoldwireBytes

/// A keyed digest of an event's content, the same however the bytes were cut into pieces.
///
/// It serves to tell equal content from other in memory, and is never written.
struct ContentDigest: Sendable {
  private let key: UInt64
  private var state: UInt64
  /// The first word of a pair, until the second comes.
  private var held: UInt64 = 0
  private var isHolding = false
  /// Bytes that do not fill a word yet, from the lowest.
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0
  private var length: UInt64 = 0

  init(key: UInt64) {
    self.key = key ^ 0x9E37_79B9_7F4A_7C15
    state = self.key
  }

  mutating func restart() {
    state = key
    isHolding = false
    pending = 0
    pendingCount = 0
    length = 0
  }

  mutating func add(_ byte: UInt8) {
    pending |= UInt64(byte) << (8 &* pendingCount)
    pendingCount &+= 1
    length &+= 1
    guard pendingCount == 8 else { return }
    take(pending)
    pending = 0
    pendingCount = 0
  }

  mutating func add(_ bytes: Span<UInt8>) {
    var index = 0
    if pendingCount == 0 {
      if isHolding, bytes.count >= 8 {
        take(bytes.word(at: 0))
        index = 8
      }
      // Two words for each multiplication.
      var mixed = state
      while index &+ 16 <= bytes.count {
        let pair = bytes.extracting(index..<(index &+ 16))
        mixed = mix(mixed, pair.word(at: 0), pair.word(at: 8))
        index &+= 16
      }
      state = mixed
      if index &+ 8 <= bytes.count {
        take(bytes.word(at: index))
        index &+= 8
      }
    } else {
      let shift = 8 &* pendingCount
      while index &+ 8 <= bytes.count {
        let word = bytes.word(at: index)
        take(pending | word << shift)
        pending = word >> (64 &- shift)
        index &+= 8
      }
    }
    length &+= UInt64(truncatingIfNeeded: index)
    let last = UInt64(truncatingIfNeeded: bytes.count &- index)
    guard last > 0 else { return }
    let word = bytes.lastWord(from: index)
    pending |= word << (8 &* pendingCount)
    pendingCount &+= last
    length &+= last
    guard pendingCount >= 8 else { return }
    take(pending)
    pendingCount &-= 8
    pending = pendingCount == 0 ? 0 : word >> (8 &* (last &- pendingCount))
  }

  /// The digest of what was added.
  var finished: UInt64 { mix(mix(state, isHolding ? held : 0, pending), length, 0xD6E8_FEB8_6659_FD93) }

  /// The digest with an event's type joined to it.
  func finished(type: Span<UInt8>) -> UInt64 {
    var whole = ContentDigest(key: key)
    whole.take(finished)
    if type.count == 0 {
      // An empty type is the default one: the bytes of "message".
      whole.pending = 0x65_6761_7373_656D
      whole.length = 7
    } else {
      whole.add(type)
    }
    return whole.finished
  }

  private mutating func take(_ word: UInt64) {
    if isHolding { state = mix(state, held, word) } else { held = word }
    isHolding.toggle()
  }

  private func mix(_ state: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (state ^ first).multipliedFullWidth(by: second ^ ~key)
    return (product.high ^ product.low) &+ key
  }
}
