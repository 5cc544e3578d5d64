internal import GoldwireBytes

/// Segments that wait beyond a hole: ascending, none overlapping another.
struct HeldSegments: Sendable {
  struct Held: Sendable {
    var start: UInt32
    /// How many bytes of the stream it stands for; more than `bytes` has where the capture cut it.
    var length: Int
    /// When it came.
    var time: Int
    var bytes: [UInt8]
  }

  private var segments: [Held] = []
  private var head = 0
  /// The bytes held, with ``overhead`` for each segment, so that many small ones weigh what they take.
  private(set) var byteCount = 0

  /// What a segment takes beside its bytes.
  static let overhead = 64

  var count: Int { segments.count &- head }
  /// The number of the first byte held; 0 if nothing is.
  var start: UInt32 { head < segments.count ? segments[head].start : 0 }

  /// Adds what is not covered yet; true if covered bytes have another value than before.
  ///
  /// `data` holds the captured part of the `length` bytes from `start`.
  mutating func add(_ data: Span<UInt8>, from start: UInt32, length: Int, at time: Int) -> Bool {
    var isConflict = false
    var done = 0
    var index = firstIndex(endingBeyond: start)
    while done < length {
      guard index < segments.count else {
        insert(data, start, done..<length, time, at: index)
        break
      }
      let other = start.distance(toSequence: segments[index].start)
      if other > done {
        let end = min(other, length)
        insert(data, start, done..<end, time, at: index)
        index &+= 1
        done = end
        continue
      }
      let end = min(other &+ segments[index].length, length)
      if conflicts(data, with: segments[index], at: other, done..<max(done, end)) { isConflict = true }
      done = max(done, end)
      index &+= 1
    }
    return isConflict
  }

  /// Takes the first segment out: its bytes into `buffer`; gives its number, its whole length, and when it came.
  mutating func pop(into buffer: inout [UInt8]) -> (start: UInt32, length: Int, time: Int) {
    guard head < segments.count else { return (0, 0, 0) }
    let (start, length, time) = (segments[head].start, segments[head].length, segments[head].time)
    byteCount &-= segments[head].bytes.count &+ Self.overhead
    buffer.removeAll(keepingCapacity: true)
    swap(&buffer, &segments[head].bytes)
    segments[head].bytes = []
    head &+= 1
    if head == segments.count {
      segments.removeAll()
      head = 0
    } else if head >= 64, head &* 2 >= segments.count {
      segments.removeFirst(head)
      head = 0
    }
    return (start, length, time)
  }

  mutating func removeAll() { self = HeldSegments() }

  /// The place of the first segment that ends beyond a number.
  private func firstIndex(endingBeyond number: UInt32) -> Int {
    var low = head
    var high = segments.count
    // Most segments come in order behind a hole.
    if let last = segments.last, last.start.distance(toSequence: number) >= last.length { return high }
    while low < high {
      let middle = low &+ (high &- low) / 2
      let isBefore = segments[middle].start.distance(toSequence: number) >= segments[middle].length
      if isBefore { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  private mutating func insert(
    _ data: Span<UInt8>, _ start: UInt32, _ range: Range<Int>, _ time: Int, at index: Int
  ) {
    var bytes: [UInt8] = []
    let captured = min(range.upperBound, data.count)
    if range.lowerBound < captured { bytes.append(data.extracting(range.lowerBound..<captured)) }
    byteCount &+= bytes.count &+ Self.overhead
    let held = Held(
      start: start.advanced(bySequence: range.lowerBound), length: range.count, time: time, bytes: bytes)
    segments.insert(held, at: index)
  }

  /// Whether bytes of `data` in `range` differ from those of a segment that begins at `offset` in it.
  private func conflicts(
    _ data: Span<UInt8>, with held: Held, at offset: Int, _ range: Range<Int>
  ) -> Bool {
    let end = min(range.upperBound, data.count, offset &+ held.bytes.count)
    guard range.lowerBound < end else { return false }
    return !data.equals(
      at: range.lowerBound, held.bytes.span, at: range.lowerBound &- offset, count: end &- range.lowerBound)
  }
}
