internal import GoldwireBytes

/// The last bytes of a stream that were delivered, kept so that another copy of them can be compared.
struct DeliveredTail: Sendable {
  /// How many bytes are kept, a power of two: a conflict further back is not seen.
  static let size = 128

  /// A ring, in which each byte stands at its sequence number modulo the size.
  private var ring: [UInt8] = []
  /// How many bytes just before the next one are known.
  var count = 0

  /// Notes bytes that were delivered, of which the last stands just before `next`.
  mutating func record(_ bytes: Span<UInt8>, before next: UInt32) {
    if ring.isEmpty { ring = [UInt8](repeating: 0, count: Self.size) }
    let length = min(bytes.count, Self.size)
    let place = Int((next &- UInt32(truncatingIfNeeded: length)) & UInt32(Self.size &- 1))
    let kept = bytes.extracting((bytes.count &- length)..<bytes.count)
    let straight = min(length, Self.size &- place)
    ring.overwrite(at: place, with: kept.extracting(0..<straight))
    if straight < length { ring.overwrite(at: 0, with: kept.extracting(straight..<length)) }
    count = min(Self.size, count &+ bytes.count)
  }

  /// Whether a copy that begins at `number` has another value for a byte that is known.
  func differs(from copy: Span<UInt8>, at number: UInt32, before next: UInt32) -> Bool {
    let begin = number.distance(toSequence: next)
    for index in max(0, begin &- count)..<max(0, begin &- count, min(copy.count, begin)) {
      let place = Int((number &+ UInt32(truncatingIfNeeded: index)) & UInt32(Self.size &- 1))
      if ring[place] != copy[index] { return true }
    }
    return false
  }
}
