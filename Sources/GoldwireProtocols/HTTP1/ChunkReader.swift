import GoldwireBytes

/// Reads the chunked coding (RFC 9112 section 7.1) without holding anything back.
struct ChunkReader: Sendable {
  enum Step: Equatable {
    /// Body bytes.
    case data(Range<Int>)
    /// The last chunk and the trailers are over.
    case end
    /// The coding is broken.
    case broken
    /// A limit was hit.
    case limit(HTTP1Limits.Name)
    /// More bytes are needed.
    case more
  }

  private enum State: Sendable {
    /// In the digits of a size, blanks before them included.
    case size
    /// After the digits, up to the end of the line.
    case rest
    /// In a chunk's data.
    case data
    /// At the line end after a chunk's data.
    case dataEnd
    /// After its CR.
    case dataLineFeed
    /// In the trailer section.
    case trailers
  }

  private var state: State = .size
  private var size: Int = 0
  private var digits: Int = 0
  private var lineBytes: Int = 0
  private var hasExtension: Bool = false
  private var scanner: HeadScanner = HeadScanner()

  /// Counts over a gap that lies in the data of the present chunk; false if it does not.
  mutating func skip(_ count: Int) -> Bool {
    guard state == .data, count <= size else { return false }
    size &-= count
    if size == 0 { state = .dataEnd }
    return true
  }

  /// Takes bytes from `offset` on up to the next thing to tell.
  mutating func next(_ bytes: Span<UInt8>, _ offset: inout Int, limits: HTTP1Limits) -> Step {
    while offset < bytes.count {
      switch state {
      case .size, .rest:
        if plainSize(bytes, &offset, limit: limits.chunkLineBytes) { continue }
        let line = sizeLine(bytes, &offset, limit: limits.chunkLineBytes)
        if line != .more { return line }
      case .data:
        let count = min(size, bytes.count &- offset)
        let piece = offset..<(offset &+ count)
        offset &+= count
        size &-= count
        if size == 0 { state = .dataEnd }
        return .data(piece)
      case .dataEnd:
        if bytes.count &- offset >= 2, bytes.be16(at: offset) == 0x0D0A {
          offset &+= 2
          startLine()
          continue
        }
        guard bytes[offset] == 0x0D || bytes[offset] == 0x0A else { return .broken }
        if bytes[offset] == 0x0A { startLine() } else { state = .dataLineFeed }
        offset &+= 1
      case .dataLineFeed:
        guard bytes[offset] == 0x0A else { return .broken }
        offset &+= 1
        startLine()
      case .trailers:
        return trailers(bytes, &offset, limit: limits.trailerBytes)
      }
    }
    return .more
  }

  /// Takes a line that lies whole in the bytes and is a size alone, of at most seven digits; false for any other.
  @inline(__always)
  private mutating func plainSize(_ bytes: Span<UInt8>, _ offset: inout Int, limit: Int) -> Bool {
    guard lineBytes == 0, limit > 8, bytes.count &- offset >= 3 else { return false }
    let last = min(bytes.count &- 1, offset &+ 8)
    var (index, value) = (offset, 0)
    while index < last, let digit = ChunkReader.hex(bytes[index]) {
      value = value << 4 | digit
      index &+= 1
    }
    guard index > offset, index < last, bytes.be16(at: index) == 0x0D0A else { return false }
    offset = index &+ 2
    (size, digits) = (value, 1)
    state = value == 0 ? .trailers : .data
    return true
  }

  private mutating func startLine() {
    state = .size
    (size, digits, lineBytes, hasExtension) = (0, 0, 0, false)
  }

  private mutating func sizeLine(_ bytes: Span<UInt8>, _ offset: inout Int, limit: Int) -> Step {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == 0x0A { return endSizeLine(&offset) }
      lineBytes &+= 1
      guard lineBytes <= limit else { return .limit(.chunkLine) }
      if state == .size, let digit = ChunkReader.hex(byte) {
        let (product, overflow) = size.multipliedReportingOverflow(by: 16)
        guard !overflow else { return .broken }
        size = product | digit
        digits &+= 1
      } else if byte == 0x20 || byte == 0x09 || byte == 0x0D {
        if digits > 0 { state = .rest }
      } else {
        hasExtension = hasExtension || byte == 0x3B
        guard digits > 0, hasExtension else { return .broken }
        state = .rest
      }
      offset &+= 1
    }
    return .more
  }

  private mutating func endSizeLine(_ offset: inout Int) -> Step {
    guard digits > 0 else { return .broken }
    offset &+= 1
    state = size == 0 ? .trailers : .data
    lineBytes = 0
    return .more
  }

  private mutating func trailers(_ bytes: Span<UInt8>, _ offset: inout Int, limit: Int) -> Step {
    let end = scanner.end(bytes, from: offset)
    lineBytes &+= (end ?? bytes.count) &- offset
    guard lineBytes <= limit else { return .limit(.trailers) }
    offset = end ?? bytes.count
    return end == nil ? .more : .end
  }

  @inline(__always)
  private static func hex(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte &- 0x30)
    case 0x41...0x46: Int(byte &- 0x37)
    case 0x61...0x66: Int(byte &- 0x57)
    default: nil
    }
  }
}
