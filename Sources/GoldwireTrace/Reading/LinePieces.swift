internal import GoldwireBytes

/// The lines of an input, as ranges of a buffer that holds one block and what is left of the one before.
///
/// Lines end at 0x0A alone; a CR before it is left out.
struct LinePieces: ~Copyable {
  /// The buffer that the ranges are in.
  var bytes: [UInt8] = []
  /// Where the bytes come from.
  private(set) var input: ByteInput
  /// Whether the line that was given last had no line feed.
  private(set) var isLastTorn = false
  private let limits: TraceLimits
  private var start = 0
  private var number = 0
  /// The bytes that were dropped from the buffer.
  private var dropped = 0

  init(_ input: consuming ByteInput, limits: TraceLimits) {
    self.input = input
    self.limits = limits
  }

  /// How many lines there may be in all, if the others are as long as those so far; nil where nothing can tell.
  var expectedLines: Int? {
    let passed = dropped + start
    guard passed > 0, let size = input.size else { return nil }
    return Int(Double(number) * (Double(size) / Double(passed)))
  }

  /// The next line, or nil at the end.
  mutating func next() throws -> Range<Int>? {
    var searched = start
    number += 1
    while true {
      if let end = bytes.span.firstIndex(of: 0x0A, from: searched) {
        try check(end - start)
        defer { start = end + 1 }
        return trimmed(end)
      }
      try check(bytes.count - start)
      bytes.removeSubrange(0..<start)
      dropped += start
      start = 0
      searched = bytes.count
      guard try input.read(into: &bytes) else { break }
    }
    if bytes.isEmpty { return nil }
    isLastTorn = true
    defer { start = bytes.count }
    return 0..<bytes.count
  }

  /// Reads the next line if it is whole in the buffer, as the writer makes it and not before `instant`.
  ///
  /// It is false for any other, good or bad, and then nothing is taken, but `line` is of no use.
  @inline(__always)
  mutating func readCanonical(from instant: Int, into line: inout TraceLine) -> Bool {
    let size = Self.readCanonical(bytes.span.extracting(droppingFirst: start), limits.lineBytes, &line)
    return take(size, if: line.t >= instant)
  }

  /// The same for a line with its keys in any order.
  mutating func readPlain(
    from instant: Int, with fields: inout PlainFields, into line: inout TraceLine
  ) -> Bool {
    let size = Self.readPlain(bytes.span.extracting(droppingFirst: start), limits.lineBytes, &fields, &line)
    return take(size, if: line.t >= instant)
  }

  @inline(__always)
  private mutating func take(_ size: Int, if isInTime: Bool) -> Bool {
    guard size > 0, isInTime else { return false }
    start &+= size
    number &+= 1
    return true
  }

  /// Reads the canonical line in front, and gives its bytes with the line feed; 0 for any other.
  @inline(__always)
  private static func readCanonical(_ bytes: Span<UInt8>, _ limit: Int, _ line: inout TraceLine) -> Int {
    whole(line.read(canonical: bytes), bytes, limit)
  }

  private static func readPlain(
    _ bytes: Span<UInt8>, _ limit: Int, _ fields: inout PlainFields, _ line: inout TraceLine
  ) -> Int {
    whole(fields.read(bytes, into: &line), bytes, limit)
  }

  /// The bytes of a line with its line feed, of which an object takes so many; 0 if more stands on the line.
  @inline(__always)
  private static func whole(_ size: Int, _ bytes: Span<UInt8>, _ limit: Int) -> Int {
    guard size > 0, size < bytes.count else { return 0 }
    let end = bytes[size] == 0x0D ? size &+ 1 : size
    guard end < bytes.count, end <= limit, bytes[end] == 0x0A else { return 0 }
    return end &+ 1
  }

  private func trimmed(_ end: Int) -> Range<Int> {
    end > start && bytes[end - 1] == 0x0D ? start..<end - 1 : start..<end
  }

  private func check(_ length: Int) throws(TraceError) {
    guard length <= limits.lineBytes else {
      throw TraceError(
        line: number, column: limits.lineBytes + 1, "expected a line of at most \(limits.lineBytes) bytes")
    }
  }
}
