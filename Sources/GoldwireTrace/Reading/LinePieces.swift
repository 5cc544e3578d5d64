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

  init(_ input: consuming ByteInput, limits: TraceLimits) {
    self.input = input
    self.limits = limits
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
      start = 0
      searched = bytes.count
      guard try input.read(into: &bytes) else { break }
    }
    if bytes.isEmpty { return nil }
    isLastTorn = true
    defer { start = bytes.count }
    return 0..<bytes.count
  }

  /// The next line if it is whole in the buffer, as the writer makes it and not before `instant`.
  ///
  /// It is nil for any other, good or bad, and then nothing is taken.
  @inline(__always)
  mutating func nextCanonical(from instant: Int) -> TraceLine? {
    var size = 0
    let line = Self.canonical(bytes.span.extracting(droppingFirst: start), &size, limits.lineBytes)
    guard let line, line.t >= instant else { return nil }
    start &+= size
    number &+= 1
    return line
  }

  /// The canonical line in front; `size` becomes its bytes with the line feed.
  @inline(__always)
  private static func canonical(_ bytes: Span<UInt8>, _ size: inout Int, _ limit: Int) -> TraceLine? {
    guard let line = TraceLine(canonical: bytes, size: &size) else { return nil }
    if size < bytes.count, bytes[size] == 0x0D { size &+= 1 }
    guard size < bytes.count, size <= limit, bytes[size] == 0x0A else { return nil }
    size &+= 1
    return line
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
