internal import GoldwireBytes

/// A keyed digest of an event's content, the same however the bytes were cut into pieces.
///
/// It serves to tell equal content from other in memory, and is never written.
struct ContentDigest: Sendable {
  private let key: UInt64
  private var state: UInt64
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
    pending = 0
    pendingCount = 0
    length = 0
  }

  mutating func add(_ byte: UInt8) {
    pending |= UInt64(byte) << (8 &* pendingCount)
    pendingCount &+= 1
    length &+= 1
    guard pendingCount == 8 else { return }
    mix(pending)
    pending = 0
    pendingCount = 0
  }

  mutating func add(_ bytes: Span<UInt8>) {
    var index = 0
    let shift = 8 &* pendingCount
    var rest = pending
    var mixed = state
    if shift == 0 {
      while index &+ 8 <= bytes.count {
        mixed = mix(mixed, bytes.word(at: index))
        index &+= 8
      }
    } else {
      while index &+ 8 <= bytes.count {
        let word = bytes.word(at: index)
        mixed = mix(mixed, rest | word << shift)
        rest = word >> (64 &- shift)
        index &+= 8
      }
    }
    pending = rest
    state = mixed
    length &+= UInt64(truncatingIfNeeded: index)
    let last = UInt64(truncatingIfNeeded: bytes.count &- index)
    guard last > 0 else { return }
    let word = bytes.lastWord(from: index)
    pending |= word << (8 &* pendingCount)
    pendingCount &+= last
    length &+= last
    guard pendingCount >= 8 else { return }
    mix(pending)
    pendingCount &-= 8
    pending = pendingCount == 0 ? 0 : word >> (8 &* (last &- pendingCount))
  }

  /// The digest of what was added.
  var finished: UInt64 { mix(mix(state, pending), length) }

  /// The digest with an event's type joined to it.
  func finished(type: Span<UInt8>) -> UInt64 {
    var whole = self
    whole.mix(pending)
    whole.mix(length)
    whole.pending = 0
    whole.pendingCount = 0
    whole.length = 0
    if type.count == 0 {
      // An empty type is the default one: the bytes of "message".
      whole.pending = 0x65_6761_7373_656D
      whole.length = 7
    } else {
      whole.add(type)
    }
    whole.mix(whole.pending)
    whole.mix(whole.length)
    return whole.state
  }

  private mutating func mix(_ word: UInt64) { state = mix(state, word) }

  private func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return (product.high ^ product.low) &+ key
  }
}
