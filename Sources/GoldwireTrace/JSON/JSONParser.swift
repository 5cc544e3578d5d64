internal import GoldwireBytes

/// A parser of one JSON value (RFC 8259) that fills a ``JSONValue``.
struct JSONParser {
  private(set) var scanner: JSONScanner
  private let limits: TraceLimits

  init(_ scanner: JSONScanner, limits: TraceLimits) {
    self.scanner = scanner
    self.limits = limits
  }

  init(line: Int, limits: TraceLimits) {
    scanner = JSONScanner(line: line)
    self.limits = limits
  }

  mutating func parse(_ bytes: Span<UInt8>) throws(TraceError) -> JSONValue {
    try scanner.refuseConflictMarkers(bytes)
    scanner.skipBlanks(bytes)
    let value = try value(bytes, depth: 0)
    scanner.skipBlanks(bytes)
    guard scanner.offset == bytes.count else { throw scanner.error("expected the end of the text") }
    return value
  }

  /// Checks a value at `depth`, and goes behind it.
  mutating func skip(_ bytes: Span<UInt8>, depth: Int) throws(TraceError) {
    _ = try value(bytes, depth: depth)
  }

  private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(TraceError) -> JSONValue {
    let (line, column) = (scanner.line, scanner.column)
    let content: JSONValue.Content
    switch scanner.peek(bytes) {
    case UInt8(ascii: "{"): content = try object(bytes, depth: depth + 1)
    case UInt8(ascii: "["): content = try array(bytes, depth: depth + 1)
    case UInt8(ascii: "\""): content = .string(try scanner.string(bytes))
    case UInt8(ascii: "t"):
      try scanner.literal(bytes, "true")
      content = .bool(true)
    case UInt8(ascii: "f"):
      try scanner.literal(bytes, "false")
      content = .bool(false)
    case UInt8(ascii: "n"):
      try scanner.literal(bytes, "null")
      content = .null
    default: content = try number(bytes)
    }
    return JSONValue(content: content, line: line, column: column)
  }

  private mutating func number(_ bytes: Span<UInt8>) throws(TraceError) -> JSONValue.Content {
    let start = scanner.offset
    switch try scanner.number(bytes) {
    case .some(let whole): return .whole(whole)
    case .none:
      var text = ""
      for index in start..<scanner.offset { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
      return .decimal(Double(text) ?? 0)
    }
  }

  private mutating func object(
    _ bytes: Span<UInt8>, depth: Int
  ) throws(TraceError) -> JSONValue.Content {
    try scanner.enter(depth, limit: limits.depth)
    scanner.offset += 1
    var members: [JSONValue.Member] = []
    var seen: Set<String> = []
    scanner.skipBlanks(bytes)
    if scanner.take(bytes, UInt8(ascii: "}")) { return .object([]) }
    while true {
      let (line, column) = (scanner.line, scanner.column)
      guard scanner.peek(bytes) == UInt8(ascii: "\"") else { throw scanner.error("expected a key") }
      let key = try scanner.string(bytes)
      guard isNew(key, members, &seen) else {
        throw TraceError(line: line, column: column, "expected each key once")
      }
      scanner.skipBlanks(bytes)
      guard scanner.take(bytes, UInt8(ascii: ":")) else { throw scanner.error("expected a colon") }
      scanner.skipBlanks(bytes)
      let value = try value(bytes, depth: depth)
      members.append(JSONValue.Member(key: key, line: line, column: column, value: value))
      scanner.skipBlanks(bytes)
      if scanner.take(bytes, UInt8(ascii: "}")) { return .object(members) }
      guard scanner.take(bytes, UInt8(ascii: ",")) else {
        throw scanner.error("expected a comma or the end of the object")
      }
      scanner.skipBlanks(bytes)
    }
  }

  /// Whether an object has no such key yet; small objects are searched, large ones remembered in a set.
  private func isNew(_ key: String, _ members: [JSONValue.Member], _ seen: inout Set<String>) -> Bool {
    if members.count < 16 { return !members.contains { $0.key == key } }
    if seen.isEmpty { seen = Set(members.map(\.key)) }
    return seen.insert(key).inserted
  }

  private mutating func array(
    _ bytes: Span<UInt8>, depth: Int
  ) throws(TraceError) -> JSONValue.Content {
    try scanner.enter(depth, limit: limits.depth)
    scanner.offset += 1
    var elements: [JSONValue] = []
    scanner.skipBlanks(bytes)
    if scanner.take(bytes, UInt8(ascii: "]")) { return .array([]) }
    while true {
      elements.append(try value(bytes, depth: depth))
      scanner.skipBlanks(bytes)
      if scanner.take(bytes, UInt8(ascii: "]")) { return .array(elements) }
      guard scanner.take(bytes, UInt8(ascii: ",")) else {
        throw scanner.error("expected a comma or the end of the array")
      }
      scanner.skipBlanks(bytes)
    }
  }
}
