internal import GoldwireBytes

/// The tokens of JSON text: a place in it, and what can stand there.
///
/// The text is handed to each call, so that the scanner holds no span.
package struct JSONScanner {
  /// The next byte.
  package var offset = 0
  /// Whether half a surrogate pair is U+FFFD, as JavaScript writes it, and no error.
  package var acceptsLoneSurrogates = false
  /// Its line, from the number of the first.
  package private(set) var line: Int
  private var lineStart = 0
  /// The bytes of the string that was read last, where it had escapes.
  package private(set) var scratch: [UInt8] = []

  package init(line: Int) { self.line = line }

  /// The next byte's place in its line, from 1.
  package var column: Int { offset - lineStart + 1 }

  /// An error at the next byte.
  package func error(_ message: String) -> TraceError { TraceError(line: line, column: column, message) }

  /// The next byte, or nil at the end.
  package func peek(_ bytes: Span<UInt8>) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Takes one byte if it is next.
  package mutating func take(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  /// Skips space, tab, CR and LF, counting lines.
  package mutating func skipBlanks(_ bytes: Span<UInt8>) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0D: offset += 1
      case 0x0A:
        offset += 1
        line += 1
        lineStart = offset
      default: return
      }
    }
  }

  /// Throws where values are nested too deep.
  package func enter(_ depth: Int, limit: Int) throws(TraceError) {
    if depth > limit { throw error("expected values nested at most \(limit) deep") }
  }

  /// Takes one of the three names.
  package mutating func literal(_ bytes: Span<UInt8>, _ name: StaticString) throws(TraceError) {
    let size = name.utf8CodeUnitCount
    guard offset + size <= bytes.count, bytes.extracting(offset..<offset + size).isEqual(to: name) else {
      throw error("expected a value")
    }
    offset += size
  }

  /// Takes a number: a whole one in range, or nil for one with a fraction, an exponent or too many digits.
  package mutating func number(_ bytes: Span<UInt8>) throws(TraceError) -> Int? {
    let start = offset
    let isNegative = take(bytes, UInt8(ascii: "-"))
    let first = offset
    var value = 0
    while let byte = peek(bytes), isDigit(byte) {
      if offset - first < 17 { value = value * 10 + Int(byte - 0x30) }
      offset += 1
    }
    let digits = offset - first
    guard digits > 0, digits == 1 || bytes[first] != 0x30 else {
      offset = start
      throw error("expected a value")
    }
    var isWhole = digits <= 16 && value <= TraceLimits.number
    if take(bytes, UInt8(ascii: ".")) {
      isWhole = false
      try digitsOrThrow(bytes)
    }
    if take(bytes, UInt8(ascii: "e")) || take(bytes, UInt8(ascii: "E")) {
      isWhole = false
      if !take(bytes, UInt8(ascii: "+")) { _ = take(bytes, UInt8(ascii: "-")) }
      try digitsOrThrow(bytes)
    }
    return isWhole ? (isNegative ? -value : value) : nil
  }

  private mutating func digitsOrThrow(_ bytes: Span<UInt8>) throws(TraceError) {
    let first = offset
    while let byte = peek(bytes), isDigit(byte) { offset += 1 }
    if offset == first { throw error("expected a digit") }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Takes a string and gives its text.
  package mutating func string(_ bytes: Span<UInt8>) throws(TraceError) -> String {
    let start = offset
    let (range, hasEscapes) = try stringBytes(bytes)
    do {
      if hasEscapes { return String(copying: try UTF8Span(validating: scratch.span)) }
      return String(copying: try UTF8Span(validating: bytes.extracting(range)))
    } catch {
      offset = start
      throw self.error("expected valid UTF-8")
    }
  }

  /// Takes a string; gives where its bytes stand, and whether they have escapes and are in ``scratch`` instead.
  package mutating func stringBytes(_ bytes: Span<UInt8>) throws(TraceError) -> (Range<Int>, Bool) {
    guard take(bytes, UInt8(ascii: "\"")) else { throw error("expected a string") }
    let start = offset
    var hasEscapes = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return (start..<offset - 1, hasEscapes)
      }
      if byte < 0x20 { throw error("expected no control character in a string") }
      if byte == UInt8(ascii: "\\") {
        if !hasEscapes {
          hasEscapes = true
          scratch.removeAll(keepingCapacity: true)
          scratch.append(bytes.extracting(start..<offset))
        }
        try escape(bytes)
      } else {
        if hasEscapes { scratch.append(byte) }
        offset += 1
      }
    }
    throw error("expected the end of the string")
  }

  private mutating func escape(_ bytes: Span<UInt8>) throws(TraceError) {
    let start = offset
    offset += 1
    guard let byte = peek(bytes) else { throw error("expected the end of the string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
    case UInt8(ascii: "b"): scratch.append(8)
    case UInt8(ascii: "f"): scratch.append(12)
    case UInt8(ascii: "n"): scratch.append(10)
    case UInt8(ascii: "r"): scratch.append(13)
    case UInt8(ascii: "t"): scratch.append(9)
    case UInt8(ascii: "u"):
      let digits = offset
      var scalar = unicodeEscape(bytes)
      if scalar == nil, acceptsLoneSurrogates {
        offset = digits
        scalar = hex4(bytes) == nil ? nil : "\u{FFFD}"
      }
      guard let scalar else {
        offset = start
        throw error("expected a valid escape")
      }
      scratch.append(contentsOf: Unicode.UTF8.encode(scalar).map(Array.init) ?? [])
    default:
      offset = start
      throw error("expected a valid escape")
    }
  }

  private mutating func unicodeEscape(_ bytes: Span<UInt8>) -> Unicode.Scalar? {
    guard let first = hex4(bytes) else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take(bytes, UInt8(ascii: "\\")), take(bytes, UInt8(ascii: "u")),
      let second = hex4(bytes), second >= 0xDC00, second <= 0xDFFF
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func hex4(_ bytes: Span<UInt8>) -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for index in offset..<offset + 4 {
      guard let digit = hexDigit(bytes[index]) else { return nil }
      value = value << 4 | digit
    }
    offset += 4
    return value
  }

  private func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}

extension JSONScanner {
  /// Throws where a line begins with one of the markers of an unresolved merge.
  func refuseConflictMarkers(_ bytes: Span<UInt8>) throws(TraceError) {
    var (start, number) = (0, line)
    while start < bytes.count {
      if bytes.extracting(droppingFirst: start).isConflictMarker {
        throw TraceError(line: number, column: 1, "an unresolved merge conflict: resolve it, then try again")
      }
      guard let end = bytes.firstIndex(of: 0x0A, from: start) else { return }
      start = end + 1
      number += 1
    }
  }
}

extension Span where Element == UInt8 {
  /// Whether the bytes are exactly those of `text`.
  func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { buffer in
      for index in 0..<count where unsafe buffer[index] != self[index] { return false }
      return true
    }
  }

  /// Whether the line that begins here is a marker of an unresolved merge.
  var isConflictMarker: Bool {
    guard count >= 7 else { return false }
    let head = extracting(0..<7)
    let isMarker =
      head.isEqual(to: "<<<<<<<") || head.isEqual(to: ">>>>>>>") || head.isEqual(to: "|||||||")
      || head.isEqual(to: "=======")
    return isMarker && (count == 7 || self[7] == 0x20 || self[7] == 0x0A || self[7] == 0x0D)
  }
}
