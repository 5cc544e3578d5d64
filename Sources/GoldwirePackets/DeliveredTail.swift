internal import GoldwireBytes

/// The last bytes of a stream that were delivered, kept so that another copy of them can be compared.
struct DeliveredTail: Sendable {
  /// How many bytes are kept, a power of two: a conflict further back is not seen.
  static let size = 128

  /// A ring, in which each byte stands at its sequence number beyond ``base``, modulo the size; it stands in the
  /// stream itself, so that nothing is allocated and one look less is needed.
  private var ring = InlineArray<128, UInt8>(repeating: 0)
  private var base: UInt32 = 0
  /// How many bytes just before the next one are known.
  var count = 0

  /// Notes bytes that were delivered, of which the last stands just before `next`.
  @inline(__always)
  mutating func record(_ bytes: Span<UInt8>, before next: UInt32) {
    guard bytes.count >= Self.size else { return add(bytes, before: next) }
    // As many as are kept, in one piece.
    base = next &- UInt32(Self.size)
    count = Self.size
    var ring = ring.mutableSpan
    ring.overwrite(at: 0, with: bytes.extracting(last: Self.size))
  }

  /// Notes fewer bytes than are kept.
  private mutating func add(_ bytes: Span<UInt8>, before next: UInt32) {
    let place = place(next &- UInt32(truncatingIfNeeded: bytes.count))
    let straight = min(bytes.count, Self.size &- place)
    count = min(Self.size, count &+ bytes.count)
    var ring = ring.mutableSpan
    ring.overwrite(at: place, with: bytes.extracting(first: straight))
    if straight < bytes.count { ring.overwrite(at: 0, with: bytes.extracting(droppingFirst: straight)) }
  }

  /// Whether a copy that begins at `number` has another value for a byte that is known.
  func differs(from copy: Span<UInt8>, at number: UInt32, before next: UInt32) -> Bool {
    let begin = number.distance(toSequence: next)
    for index in max(0, begin &- count)..<max(0, begin &- count, min(copy.count, begin)) {
      if ring[place(number &+ UInt32(truncatingIfNeeded: index))] != copy[index] { return true }
    }
    return false
  }

  @inline(__always)
  private func place(_ number: UInt32) -> Int { Int((number &- base) & UInt32(Self.size &- 1)) }
}
