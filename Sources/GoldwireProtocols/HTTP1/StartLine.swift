import GoldwireBytes

/// The first line of a message: whether it is one, and where its parts lie.
enum StartLine {
  /// The longest method that is taken for one.
  static let methodLimit: Int = 40

  enum Verdict: Equatable {
    case yes
    case no
    case more
  }

  /// Judges the beginning of a line, as far as it is there.
  ///
  /// `isStrict` is for places where a message need not start: the method must then be in capitals.
  static func prefix(_ bytes: Span<UInt8>, from start: Int, role: HTTP1Role, isStrict: Bool) -> Verdict {
    switch role {
    case .responses: literal("HTTP/1.", bytes, from: start)
    case .requests: method(bytes, from: start, isStrict: isStrict)
    }
  }

  /// Judges a whole line, whose line end is not in `range`, and finds a request's version.
  static func isWhole(_ bytes: Span<UInt8>, _ range: Range<Int>, role: HTTP1Role) -> Bool {
    switch role {
    case .responses:
      return bytes.extracting(range).holds("HTTP/1.", at: 0)
    case .requests:
      let version = lastWord(bytes, range)
      return version.lowerBound > range.lowerBound && version.count >= 7
        && bytes.holds("HTTP/1.", at: version.lowerBound)
    }
  }

  /// Whether what is there of `text` at `start` fits.
  static func literal(_ text: StaticString, _ bytes: Span<UInt8>, from start: Int) -> Verdict {
    if bytes.holds(text, at: start) { return .yes }
    let there = bytes.count &- start
    guard there < text.utf8CodeUnitCount else { return .no }
    return bytes.extracting(start..<bytes.count).begins(text) ? .more : .no
  }

  private static func method(_ bytes: Span<UInt8>, from start: Int, isStrict: Bool) -> Verdict {
    var index = start
    let end = min(bytes.count, start &+ methodLimit)
    while index < end {
      let byte = bytes[index]
      if byte == 0x20 || byte == 0x09 { return index > start ? .yes : .no }
      guard isStrict ? isCapital(byte) : isToken(byte) else { return .no }
      index &+= 1
    }
    return index &- start < methodLimit ? .more : .no
  }

  /// The range of the last word of a line.
  static func lastWord(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    let end = range.upperBound
    if range.count >= 9, isBlank(bytes[end &- 9]) {
      // A version, as nearly always: eight bytes.
      let word = bytes.word(at: end &- 8)
      let blanks = zeroBytes(word ^ 0x2020_2020_2020_2020) | zeroBytes(word ^ 0x0909_0909_0909_0909)
      if blanks == 0 { return (end &- 8)..<end }
    }
    var start = end
    while start > range.lowerBound, !isBlank(bytes[start &- 1]) { start &-= 1 }
    return start..<end
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isCapital(_ byte: UInt8) -> Bool {
    (byte >= 0x41 && byte <= 0x5A) || byte == 0x2D || byte == 0x5F
  }

  /// Whether a byte may stand in a token (RFC 9110 section 5.6.2).
  static func isToken(_ byte: UInt8) -> Bool {
    guard byte < 0x80 else { return false }
    let word: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return word >> UInt64(byte & 63) & 1 == 1
  }
}
