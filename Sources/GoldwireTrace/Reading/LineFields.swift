internal import GoldwireBytes

/// A line that was taken apart: the value of each key of the format, in whatever order the keys stood.
///
/// It is made once and used for every line; nothing is allocated for a line without escapes.
struct LineFields {
  /// What stands behind a key.
  enum Shape: UInt8 {
    /// ``decoded`` is a text that had escapes and stands in ``LineFields/texts``.
    case whole, otherNumber, text, decoded, longText, yes, no, list, object, nothing
  }

  /// One value: a number, or where a text stands that has a quote behind it.
  struct Value {
    var shape = Shape.nothing
    /// Where the value begins in the line.
    var offset = 0
    /// The number, the bits of a set, or the bytes of a text.
    var number = 0
    /// Where the text begins, in the line or in ``LineFields/texts``.
    var text = 0

    /// The value's place in the line, from 1.
    var column: Int { offset + 1 }
  }

  var present: UInt64 = 0
  var asked: UInt64 = 0
  /// The same for the keys of `counts`.
  var presentCounts: UInt64 = 0
  var askedCounts: UInt64 = 0
  var unknown = 0
  var line = 0
  /// What did not fit first, of what was asked for.
  var failure: TraceError?
  /// The texts that had escapes, each with a quote behind it.
  private(set) var texts: [UInt8] = []
  var values: [Value]
  let keys = KeyIndex.shared
  private var scanner = JSONScanner(line: 0)
  private let limits: TraceLimits

  init(limits: TraceLimits) {
    self.limits = limits
    values = Array(repeating: Value(), count: EventKey.all.count)
  }

  subscript(key: EventKey) -> Value? {
    (key.isOfCounts ? presentCounts : present) & key.bit == 0 ? nil : values[Int(key.number)]
  }

  /// The keys that no one asked for, and those that the format does not have.
  var ignoredKeys: Int {
    (present & ~asked).nonzeroBitCount + (presentCounts & ~askedCounts).nonzeroBitCount + unknown
  }

  /// Takes a line apart; throws where it is no JSON object with each key once.
  mutating func read(_ bytes: Span<UInt8>, line: Int) throws(TraceError) {
    self.line = line
    scanner = JSONScanner(line: line)
    reset()
    scanner.skipBlanks(bytes)
    guard scanner.take(bytes, UInt8(ascii: "{")) else { throw scanner.error("expected an object") }
    try members(bytes, depth: 1, ofCounts: false)
    scanner.skipBlanks(bytes)
    guard scanner.offset == bytes.count else { throw scanner.error("expected the end of the line") }
  }

  mutating func reset() {
    present = 0
    asked = 0
    presentCounts = 0
    askedCounts = 0
    unknown = 0
    failure = nil
    texts.removeAll(keepingCapacity: true)
  }

  private mutating func members(
    _ bytes: Span<UInt8>, depth: Int, ofCounts: Bool
  ) throws(TraceError) {
    var others: Set<String> = []
    scanner.skipBlanks(bytes)
    if scanner.take(bytes, UInt8(ascii: "}")) { return }
    while true {
      let (start, column) = (scanner.offset, scanner.column)
      guard scanner.peek(bytes) == UInt8(ascii: "\"") else { throw scanner.error("expected a key") }
      let (range, hasEscapes) = try scanner.stringBytes(bytes)
      let key =
        hasEscapes
        ? EventKey.named(scanner.scratch.span, ofCounts: ofCounts)
        : EventKey.named(bytes.extracting(range), ofCounts: ofCounts)
      if let key {
        guard self[key] == nil else { throw repeated(column) }
        if key.isOfCounts { presentCounts |= key.bit } else { present |= key.bit }
      } else {
        scanner.offset = start
        guard others.insert(try scanner.string(bytes)).inserted else { throw repeated(column) }
        unknown += 1
      }
      scanner.skipBlanks(bytes)
      guard scanner.take(bytes, UInt8(ascii: ":")) else { throw scanner.error("expected a colon") }
      scanner.skipBlanks(bytes)
      if let key { try value(bytes, key) } else { try skip(bytes, depth: depth) }
      scanner.skipBlanks(bytes)
      if scanner.take(bytes, UInt8(ascii: "}")) { return }
      guard scanner.take(bytes, UInt8(ascii: ",")) else {
        throw scanner.error("expected a comma or the end of the object")
      }
      scanner.skipBlanks(bytes)
    }
  }

  private func repeated(_ column: Int) -> TraceError {
    TraceError(line: line, column: column, "expected each key once")
  }

  /// Reads the value of a key of the format.
  private mutating func value(_ bytes: Span<UInt8>, _ key: EventKey) throws(TraceError) {
    let index = Int(key.number)
    values[index].offset = scanner.offset
    switch scanner.peek(bytes) {
    case UInt8(ascii: "\""):
      let start = scanner.offset
      let (range, hasEscapes) = try scanner.stringBytes(bytes)
      if hasEscapes {
        let decoded = scanner.scratch
        values[index].text = texts.count
        values[index].keep(decoded.span, as: .decoded)
        texts.append(contentsOf: decoded)
        texts.append(UInt8(ascii: "\""))
      } else {
        values[index].text = range.lowerBound
        values[index].keep(bytes.extracting(range), as: .text)
      }
      if values[index].shape == .longText {
        scanner.offset = start
        _ = try scanner.string(bytes)
      }
    case UInt8(ascii: "t"):
      try scanner.literal(bytes, "true")
      values[index].shape = .yes
    case UInt8(ascii: "f"):
      try scanner.literal(bytes, "false")
      values[index].shape = .no
    case UInt8(ascii: "n"):
      try scanner.literal(bytes, "null")
      values[index].shape = .nothing
    case UInt8(ascii: "{") where key == .counts:
      values[index].shape = .object
      scanner.offset += 1
      try members(bytes, depth: 2, ofCounts: true)
    case UInt8(ascii: "[") where key == .differs:
      values[index].shape = .list
      values[index].number = try differences(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      values[index].shape = .nothing
      try skip(bytes, depth: 1)
    default:
      let number = try scanner.number(bytes)
      values[index].shape = number == nil ? .otherNumber : .whole
      values[index].number = number ?? 0
    }
  }

  /// Reads the list of `differs` as the bits of a set.
  private mutating func differences(_ bytes: Span<UInt8>) throws(TraceError) -> Int {
    var bits = 0
    scanner.offset += 1
    scanner.skipBlanks(bytes)
    while true {
      let place = scanner.error("expected \"key\" or \"body\", each at most once")
      guard scanner.peek(bytes) == UInt8(ascii: "\"") else { throw place }
      let word = try scanner.string(bytes)
      let bit = word == "key" ? 1 : word == "body" ? 2 : 0
      guard bit != 0, bits & bit == 0 else { throw place }
      bits |= bit
      scanner.skipBlanks(bytes)
      if scanner.take(bytes, UInt8(ascii: "]")) { return bits }
      guard scanner.take(bytes, UInt8(ascii: ",")) else {
        throw scanner.error("expected a comma or the end of the array")
      }
      scanner.skipBlanks(bytes)
    }
  }

  /// Checks a value that no one wants, and goes behind it.
  private mutating func skip(_ bytes: Span<UInt8>, depth: Int) throws(TraceError) {
    var parser = JSONParser(scanner, limits: limits)
    try parser.skip(bytes, depth: depth)
    scanner = parser.scanner
  }
}

extension LineFields.Value {
  /// Keeps a text, if it could be a word of the format.
  fileprivate mutating func keep(_ bytes: Span<UInt8>, as shape: LineFields.Shape) {
    number = bytes.count
    let isShort = bytes.count <= 24
    let isWord = isShort && bytes.indices.allSatisfy { bytes[$0] < 0x80 && bytes[$0] != 0x22 }
    self.shape = isWord ? shape : .longText
  }
}

extension EventKey {
  /// The key of this name, among those of `counts` or among the others.
  static func named(_ name: Span<UInt8>, ofCounts: Bool) -> EventKey? {
    KeyIndex.shared.number(name, ofCounts: ofCounts).map { all[Int($0)] }
  }
}
