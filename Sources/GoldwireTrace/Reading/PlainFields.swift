internal import GoldwireBytes

/// The fields of a plain line: keys in any order and spaces, but no escapes, keys of others, lists and objects.
///
/// It is made once and used for every line. A text is only looked at when it is asked for; it is taken whole
/// then, since no word holds a quote. So a line stands only if each of its keys was asked for.
struct PlainFields: FieldSource {
  /// Whether all went well so far; if not, the full way reads the line, or says what is wrong.
  private var isGood = true
  /// The keys that stand in the line, those of numbers and of texts among them; the rest are true or false.
  private var present: UInt64 = 0
  private var numbers: UInt64 = 0
  private var texts: UInt64 = 0
  private var asked: UInt64 = 0
  /// The number behind a key, or where its text begins; 1 for true and 0 for false.
  private var values = InlineArray<64, Int>(repeating: 0)
  private let keys = KeyIndex.shared

  /// Reads the plain line in front into `line`, and gives its bytes up to and with the closing brace.
  ///
  /// It gives 0 for any other line, good or bad, and then `line` is of no use.
  @inline(never)
  mutating func read(_ bytes: Span<UInt8>, into line: inout TraceLine) -> Int {
    let size = scan(bytes)
    guard size > 0 else { return 0 }
    var bytes = bytes
    isGood = true
    asked = 0
    line.t = whole(&bytes, .t)
    line.channel = nil
    line.channel = text(bytes, .ch) { (text: inout Span<UInt8>) in text.channel() }
    line.generation = optionalWhole(&bytes, .gen, Bounds.ordinal)
    let kind = text(bytes, .ev) { (text: inout Span<UInt8>) in EventKind.read(&text) }
    guard isGood, let kind, kind.scope.accepts(line.channel, line.generation) else { return 0 }
    readEvent(&bytes, kind, into: &line.event)
    return isGood && present & ~asked == 0 ? size : 0
  }

  @inline(__always)
  mutating func optionalWhole(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ range: ClosedRange<Int>
  ) -> Int? {
    guard has(key) else { return nil }
    let number = values[Int(key.number)]
    if numbers & key.bit == 0 || !range.contains(number) { isGood = false }
    return number
  }

  @inline(__always)
  mutating func optionalSigned(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int? {
    optionalWhole(&bytes, key, Bounds.signed)
  }

  @inline(__always)
  mutating func optionalFlag(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Bool? {
    guard has(key) else { return nil }
    if (numbers | texts) & key.bit != 0 { isGood = false }
    return values[Int(key.number)] == 1
  }

  @inline(__always)
  mutating func optionalWord<W: Word>(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ type: W.Type
  ) -> W? {
    text(bytes, key) { (text: inout Span<UInt8>) in W.read(&text) }
  }

  @inline(__always)
  mutating func optionalPseudonym(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int? {
    let isID = key != .key
    return text(bytes, key) { (text: inout Span<UInt8>) in
      text.pseudonym(isID ? "e" : "k", emptyAllowed: isID)
    }
  }

  mutating func optionalStream(_ bytes: inout Span<UInt8>) -> Int? {
    let channel = text(bytes, .sse) { (text: inout Span<UInt8>) in text.channel() }
    if let channel, channel.family != .sse { isGood = false }
    return channel?.number
  }

  mutating func optionalRule(_ bytes: inout Span<UInt8>) -> RuleName? {
    text(bytes, .rule) { (text: inout Span<UInt8>) in text.rule() }
  }

  /// A list is not plain, nor is an object.
  mutating func differences(_ bytes: inout Span<UInt8>) -> Differences { [] }
  mutating func optionalCounts(_ bytes: inout Span<UInt8>) -> Counts? { nil }

  @inline(__always)
  mutating func miss(_ key: EventKey) { isGood = false }

  @inline(__always)
  private mutating func has(_ key: EventKey) -> Bool {
    asked |= key.bit
    return present & key.bit != 0
  }

  /// What `read` makes of the text behind a key and the quote behind that; nil, and not good, for another value.
  @inline(__always)
  private mutating func text<Result>(
    _ bytes: Span<UInt8>, _ key: EventKey, _ read: (inout Span<UInt8>) -> Result?
  ) -> Result? {
    guard has(key) else { return nil }
    var result: Result?
    if texts & key.bit != 0 {
      var text = bytes.extracting(droppingFirst: values[Int(key.number)])
      result = read(&text)
    }
    if result == nil { isGood = false }
    return result
  }
}

extension PlainFields {
  /// Takes the line in front apart, and gives its bytes up to and with the closing brace; 0 if it is not plain.
  @inline(__always)
  private mutating func scan(_ line: Span<UInt8>) -> Int {
    (present, numbers, texts) = (0, 0, 0)
    var rest = line
    guard rest.eat(UInt8(ascii: "{")) else { return 0 }
    while true {
      rest.skipSpaces()
      let (low, high) = rest.shortText()
      guard let key = keys.number(low, high, false) else { return 0 }
      let bit = EventKey.bit(key)
      guard present & bit == 0 else { return 0 }
      present |= bit
      rest.skipSpaces()
      guard rest.eat(UInt8(ascii: ":")) else { return 0 }
      rest.skipSpaces()
      guard scanValue(&rest, of: key, bit, in: line.count) else { return 0 }
      rest.skipSpaces()
      if rest.eat(UInt8(ascii: ",")) { continue }
      return rest.eat(UInt8(ascii: "}")) ? line.count &- rest.count : 0
    }
  }

  /// Keeps the value in front, and goes behind it; false if it is not plain.
  @inline(__always)
  private mutating func scanValue(
    _ rest: inout Span<UInt8>, of key: UInt8, _ bit: UInt64, in size: Int
  ) -> Bool {
    let place = Int(key & 63)
    if rest.begins(UInt8(ascii: "\"")) {
      texts |= bit
      values[place] = size &- rest.count &+ 1
      return rest.skipText()
    }
    let isNegative = rest.eat(UInt8(ascii: "-"))
    let (number, digits) = rest.leadingNumber()
    if digits > 0 {
      numbers |= bit
      values[place] = isNegative ? -number : number
      rest = rest.extracting(droppingFirst: digits)
      return true
    }
    if isNegative { return false }
    values[place] = rest.eat("true") ? 1 : 0
    return values[place] == 1 || rest.eat("false")
  }
}

/// A span as a cursor over a plain line.
extension Span where Element == UInt8 {
  @inline(__always)
  fileprivate func begins(_ byte: UInt8) -> Bool { !isEmpty && self[0] == byte }

  @inline(__always)
  fileprivate mutating func eat(_ byte: UInt8) -> Bool {
    guard begins(byte) else { return false }
    self = extracting(droppingFirst: 1)
    return true
  }

  @inline(__always)
  fileprivate mutating func skipSpaces() {
    if begins(0x20) { self = extracting(droppingFirst: spaces()) }
  }

  @inline(never)
  private func spaces() -> Int {
    var spaces = 0
    while spaces < count, self[spaces] == 0x20 { spaces &+= 1 }
    return spaces
  }

  /// Takes a text of 1 to 15 bytes in quotes, and gives its bytes in two words; nought where there is none.
  @inline(__always)
  fileprivate mutating func shortText() -> (low: UInt64, high: UInt64) {
    guard count >= 24, self[0] == UInt8(ascii: "\"") else { return (0, 0) }
    let low = word(at: 1)
    let end = low.quotes
    if end != 0 {
      self = extracting(droppingFirst: end.trailingZeroBitCount / 8 &+ 2)
      return (low & end.bytesBelow, 0)
    }
    let high = word(at: 9)
    let highEnd = high.quotes
    guard highEnd != 0 else { return (0, 0) }
    self = extracting(droppingFirst: highEnd.trailingZeroBitCount / 8 &+ 10)
    return (low, high & highEnd.bytesBelow)
  }

  /// Goes behind a text in quotes of at most 31 bytes; false where there is none.
  @inline(__always)
  fileprivate mutating func skipText() -> Bool {
    guard count >= 34 else { return false }
    var size = 1
    var end = word(at: 1).quotes
    if end == 0 {
      size = 9
      end = word(at: 9).quotes
    }
    if end == 0 {
      size = 17
      end = word(at: 17).quotes
    }
    if end == 0 {
      size = 25
      end = word(at: 25).quotes
    }
    guard end != 0 else { return false }
    self = extracting(droppingFirst: size &+ end.trailingZeroBitCount / 8 &+ 1)
    return true
  }
}

extension UInt64 {
  /// The high bit of the first byte that is a quote, and perhaps of bytes behind it.
  fileprivate var quotes: UInt64 {
    @inline(__always) get { zeroBytes(self ^ 0x2222_2222_2222_2222) }
  }

  /// The bits of the bytes before the one whose high bit is the lowest that is set.
  fileprivate var bytesBelow: UInt64 {
    @inline(__always) get { ((self & (0 &- self)) >> 7) &- 1 }
  }
}
