internal import Synchronization

/// A ring of records that any number of threads write and one at a time reads, without a lock.
///
/// A writer claims the next place, fills it, and publishes it by the place's own number. The order of the claims is
/// the order of the records. A writer that is held up between the two holds up the reader, and never another writer.
/// Every word is atomic, so that there is no race to speak of: the release of the number carries the rest.
final class TapRing: Sendable {
  /// The records that the ring holds.
  static let capacity = 4_096
  /// The words of a record in the ring: its number, and what it holds.
  private static let stride = 8
  /// How often the reader hands back the places that it has read.
  private static let batch: UInt64 = 64

  // Room around the number that all writers claim, so that it has a cache line of its own; and before the records, so
  // that each has one where the allocator begins a large object as it does: writers do not wait for each other's lines.
  private let before = SIMD8<UInt64>(repeating: 0)
  /// The number of records that were claimed.
  private let claimed = Atomic<UInt64>(0)
  private let after = SIMD8<UInt64>(repeating: 0)
  #if canImport(Darwin)
    private let rest = SIMD4<UInt64>(repeating: 0)
  #else
    private let rest = SIMD2<UInt64>(repeating: 0)
  #endif
  private let words: InlineArray<32_768, Atomic<UInt64>>
  /// The number of records that were read: their places are free again.
  private let read = Atomic<UInt64>(0)

  /// Makes an empty ring.
  init() { words = InlineArray { _ in Atomic(0) } }

  /// How it came out to record something.
  enum Outcome {
    case recorded
    /// The record filled half of the ring: the reader should be woken.
    case half
    /// There is no free place.
    case full
  }

  /// Records something, or says that there is no room.
  @inline(__always)
  func put(_ record: borrowing TapRecord) -> Outcome {
    var place = claimed.load(ordering: .relaxed)
    var behind: UInt64
    while true {
      behind = place &- read.load(ordering: .acquiring)
      if behind >= UInt64(Self.capacity) {
        // What was loaded may be old: full is said only of what is claimed now.
        let again = claimed.load(ordering: .relaxed)
        if again == place { return .full }
        place = again
        continue
      }
      let (isMine, current) = claimed.weakCompareExchange(
        expected: place, desired: place &+ 1, ordering: .relaxed)
      if isMine { break }
      place = current
    }
    let base = Int(truncatingIfNeeded: place) & (Self.capacity - 1) &* Self.stride
    words[base &+ 1].store(record.instant, ordering: .relaxed)
    words[base &+ 2].store(record.head, ordering: .relaxed)
    words[base &+ 3].store(record.a, ordering: .relaxed)
    words[base &+ 4].store(record.b, ordering: .relaxed)
    words[base &+ 5].store(record.c, ordering: .relaxed)
    words[base &+ 6].store(record.d, ordering: .relaxed)
    words[base &+ 7].store(record.e, ordering: .relaxed)
    words[base].store(place &+ 1, ordering: .releasing)
    return behind == UInt64(Self.capacity / 2) ? .half : .recorded
  }

  /// Takes the records that are published, in their order, up to those that were claimed when it began.
  ///
  /// For one caller at a time.
  func drain(_ take: (TapRecord) -> Void) {
    let end = claimed.load(ordering: .acquiring)
    var place = read.load(ordering: .relaxed)
    while place != end {
      let base = Int(truncatingIfNeeded: place) & (Self.capacity - 1) &* Self.stride
      guard words[base].load(ordering: .acquiring) == place &+ 1 else { break }
      let record = TapRecord(
        instant: words[base &+ 1].load(ordering: .relaxed), head: words[base &+ 2].load(ordering: .relaxed),
        a: words[base &+ 3].load(ordering: .relaxed), b: words[base &+ 4].load(ordering: .relaxed),
        c: words[base &+ 5].load(ordering: .relaxed), d: words[base &+ 6].load(ordering: .relaxed),
        e: words[base &+ 7].load(ordering: .relaxed))
      place &+= 1
      if place & (Self.batch - 1) == 0 { read.store(place, ordering: .releasing) }
      take(record)
    }
    read.store(place, ordering: .releasing)
  }
}
