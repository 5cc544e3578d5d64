internal import GoldwireBytes

/// A keyed digest of an event's content, the same however the bytes were cut into pieces.
///
/// It serves to tell equal content from other in memory, and is never written.
struct ContentDigest: Sendable {
  private let key: UInt64
  private var state: UInt64
  /// What the next pair of words is joined with, another for each.
  private var step: UInt64
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
    step = self.key
  }

  /// The digest of bytes that lie together.
  static func of(_ bytes: Span<UInt8>, key: UInt64) -> UInt64 {
    var digest = ContentDigest(key: key)
    if bytes.count < 16 {
      // A word and what is left, or that alone.
      digest.isHolding = bytes.count >= 8
      digest.held = digest.isHolding ? bytes.word(at: 0) : 0
      digest.pending = bytes.lastWord(from: digest.isHolding ? 8 : 0)
      digest.length = UInt64(truncatingIfNeeded: bytes.count)
    } else {
      digest.add(bytes)
    }
    return digest.finished
  }

  @inline(__always)
  mutating func restart() {
    state = key
    step = key
    isHolding = false
    pending = 0
    pendingCount = 0
    length = 0
  }

  @inline(__always)
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
    length &+= UInt64(truncatingIfNeeded: bytes.count)
    let rest = pendingCount == 0 ? addWords(bytes) : addShifted(bytes)
    guard rest > 0 else { return }
    let word = bytes.lastWord(from: bytes.count &- rest)
    pending |= word &<< (8 &* pendingCount)
    let whole = pendingCount &+ UInt64(truncatingIfNeeded: rest)
    guard whole >= 8 else {
      pendingCount = whole
      return
    }
    take(pending)
    pending = whole == 8 ? 0 : word &>> (64 &- 8 &* pendingCount)
    pendingCount = whole &- 8
  }

  /// Takes all whole words where none has begun; gives how many bytes are left.
  @inline(__always)
  private mutating func addWords(_ bytes: Span<UInt8>) -> Int {
    var rest = bytes
    if isHolding, rest.count >= 8 {
      take(rest.word(at: 0))
      rest = rest.extracting(droppingFirst: 8)
    }
    // Two words for each multiplication, none of which waits for another.
    var (sum, step) = (state, step)
    while rest.count >= 32 {
      sum &+= product(rest.word(at: 0), rest.word(at: 8), step)
      sum &+= product(rest.word(at: 16), rest.word(at: 24), step &+ Self.stride)
      step &+= Self.stride &* 2
      rest = rest.extracting(droppingFirst: 32)
    }
    if rest.count >= 16 {
      sum &+= product(rest.word(at: 0), rest.word(at: 8), step)
      step &+= Self.stride
      rest = rest.extracting(droppingFirst: 16)
    }
    (state, self.step) = (sum, step)
    guard rest.count >= 8 else { return rest.count }
    take(rest.word(at: 0))
    return rest.count &- 8
  }

  /// Takes as many words as the bytes fill up behind those of one that has begun; gives how many bytes are left.
  @inline(__always)
  private mutating func addShifted(_ bytes: Span<UInt8>) -> Int {
    var rest = bytes
    let shift = 8 &* pendingCount
    var pending = pending
    if isHolding, rest.count >= 8 {
      let word = rest.word(at: 0)
      take(pending | word &<< shift)
      pending = word &>> (64 &- shift)
      rest = rest.extracting(droppingFirst: 8)
    }
    var (sum, step) = (state, step)
    while rest.count >= 16 {
      let (first, second) = (rest.word(at: 0), rest.word(at: 8))
      let middle = first &>> (64 &- shift) | second &<< shift
      sum &+= product(pending | first &<< shift, middle, step)
      pending = second &>> (64 &- shift)
      step &+= Self.stride
      rest = rest.extracting(droppingFirst: 16)
    }
    (state, self.step) = (sum, step)
    if rest.count >= 8 {
      let word = rest.word(at: 0)
      take(pending | word &<< shift)
      pending = word &>> (64 &- shift)
      rest = rest.extracting(droppingFirst: 8)
    }
    self.pending = pending
    return rest.count
  }

  /// The digest of what was added.
  var finished: UInt64 {
    let whole = state &+ product(isHolding ? held : 0, pending, step)
    return key &+ product(whole, length, 0xD6E8_FEB8_6659_FD93)
  }

  /// The digest with that of an event's type joined to it.
  @inline(__always)
  func finished(type: UInt64) -> UInt64 { key &+ product(finished, type, Self.stride) }

  private mutating func take(_ word: UInt64) {
    if isHolding {
      state &+= product(held, word, step)
      step &+= Self.stride
    } else {
      held = word
    }
    isHolding.toggle()
  }

  /// Any odd number, so that a pair counts otherwise at every place.
  private static var stride: UInt64 { 0x9FB2_1C65_1E98_DF25 }

  @inline(__always)
  private func product(_ first: UInt64, _ second: UInt64, _ step: UInt64) -> UInt64 {
    let product = (first ^ step).multipliedFullWidth(by: second ^ ~key)
    return product.high ^ product.low
  }
}
