import GoldwireBytes
import GoldwireTrace

/// A place in a HAR's text, from which objects, arrays and values are taken one by one.
///
/// Nothing is built: strings are given as places in the text. A value of another kind than asked for is passed
/// over, since tools differ; text that is no JSON is an error.
struct HARCursor {
  /// A string of the text: where it stands between its quotes, and whether it has escapes.
  struct Text {
    /// Where its bytes stand.
    let range: Range<Int>
    /// Whether it has escapes.
    let hasEscapes: Bool
    /// Whether it holds nothing.
    var isEmpty: Bool { range.isEmpty }

    /// Whether it is this lower-case word, whatever its case.
    func isWord(_ word: StaticString, in bytes: Span<UInt8>) -> Bool { bytes.equals(folded: word, in: range) }
  }

  private(set) var scanner: JSONScanner
  private let limits: HARLimits
  private var isFirst = false

  /// Stands at the text's first byte, behind a byte order mark.
  init(_ bytes: Span<UInt8>, limits: HARLimits) {
    self.limits = limits
    scanner = JSONScanner(line: 1)
    scanner.acceptsLoneSurrogates = true
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { scanner.offset = 3 }
    scanner.skipBlanks(bytes)
  }

  /// An error at this place.
  func error(_ message: String) -> TraceError { scanner.error(message) }

  /// Goes into the object that stands here; false if another value does, which is passed over.
  mutating func enterObject(_ bytes: Span<UInt8>) throws(TraceError) -> Bool {
    try enter(bytes, UInt8(ascii: "{"))
  }

  /// Goes into the array that stands here; false if another value does, which is passed over.
  mutating func enterArray(_ bytes: Span<UInt8>) throws(TraceError) -> Bool {
    try enter(bytes, UInt8(ascii: "["))
  }

  private mutating func enter(_ bytes: Span<UInt8>, _ bracket: UInt8) throws(TraceError) -> Bool {
    guard scanner.take(bytes, bracket) else {
      try skip(bytes)
      return false
    }
    isFirst = true
    return true
  }

  /// The next key of the object, with its value here; nil behind the object's end.
  mutating func key(_ bytes: Span<UInt8>) throws(TraceError) -> String? {
    guard try next(bytes, until: UInt8(ascii: "}"), "expected a comma or the end of the object") else {
      return nil
    }
    guard scanner.peek(bytes) == UInt8(ascii: "\"") else { throw error("expected a key") }
    let key = try scanner.string(bytes)
    scanner.skipBlanks(bytes)
    guard scanner.take(bytes, UInt8(ascii: ":")) else { throw error("expected a colon") }
    scanner.skipBlanks(bytes)
    return key
  }

  /// Whether the array has one more element, which then stands here.
  mutating func element(_ bytes: Span<UInt8>) throws(TraceError) -> Bool {
    try next(bytes, until: UInt8(ascii: "]"), "expected a comma or the end of the array")
  }

  private mutating func next(
    _ bytes: Span<UInt8>, until bracket: UInt8, _ expected: String
  ) throws(TraceError) -> Bool {
    scanner.skipBlanks(bytes)
    defer { isFirst = false }
    if scanner.take(bytes, bracket) { return false }
    guard isFirst || scanner.take(bytes, UInt8(ascii: ",")) else { throw error(expected) }
    scanner.skipBlanks(bytes)
    return true
  }

  /// Takes the string that stands here; nil for another value.
  mutating func text(_ bytes: Span<UInt8>) throws(TraceError) -> Text? {
    guard scanner.peek(bytes) == UInt8(ascii: "\"") else {
      try skip(bytes)
      return nil
    }
    let place = scanner
    let (range, hasEscapes) = try scanner.stringBytes(bytes)
    guard range.count <= limits.stringBytes else {
      throw place.error("expected a string of at most \(limits.stringBytes) bytes")
    }
    return Text(range: range, hasEscapes: hasEscapes)
  }

  /// Takes the number that stands here, in units of ten to the minus `places`, rounded down; nil for another value.
  ///
  /// A string that holds a number counts as one.
  mutating func number(_ bytes: Span<UInt8>, places: Int = 0) throws(TraceError) -> Int? {
    if scanner.peek(bytes) == UInt8(ascii: "\"") {
      return try text(bytes).flatMap { HARNumber.fixed(bytes.extracting($0.range), places: places) }
    }
    let start = scanner.offset
    try skip(bytes)
    return HARNumber.fixed(bytes.extracting(start..<scanner.offset), places: places)
  }

  /// Passes over the value that stands here, however deep it is.
  mutating func skip(_ bytes: Span<UInt8>) throws(TraceError) {
    var open: [UInt8] = []
    repeat {
      switch scanner.peek(bytes) {
      case .some(let bracket) where bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "["):
        try scanner.enter(open.count + 1, limit: limits.depth)
        scanner.offset += 1
        open.append(bracket)
        isFirst = true
      case UInt8(ascii: "\""): _ = try text(bytes)
      case UInt8(ascii: "t"): try scanner.literal(bytes, "true")
      case UInt8(ascii: "f"): try scanner.literal(bytes, "false")
      case UInt8(ascii: "n"): try scanner.literal(bytes, "null")
      default: _ = try scanner.number(bytes)
      }
      while let bracket = open.last {
        let isObject = bracket == UInt8(ascii: "{")
        if try isObject ? key(bytes) != nil : element(bytes) { break }
        open.removeLast()
      }
    } while !open.isEmpty
    isFirst = false
  }

  /// Throws where more than blanks follows.
  mutating func end(_ bytes: Span<UInt8>) throws(TraceError) {
    scanner.skipBlanks(bytes)
    guard scanner.offset == bytes.count else { throw error("expected the end of the file") }
  }

  /// The bytes of a string with its escapes undone, and U+FFFD for what they cannot mean.
  static func decoded(_ text: Text, in bytes: Span<UInt8>) -> [UInt8] {
    guard text.hasEscapes else {
      var copy: [UInt8] = []
      copy.append(bytes.extracting(text.range))
      return copy
    }
    var scanner = JSONScanner(line: 1)
    scanner.acceptsLoneSurrogates = true
    scanner.offset = text.range.lowerBound - 1
    _ = try? scanner.stringBytes(bytes)
    return scanner.scratch
  }
}
