/// A JSON value with its place in the text: what goldens, configurations and headers are read into.
///
/// Members keep their order. Accessors throw a ``TraceError`` that names the place and the expectation, and
/// never what stands there.
public struct JSONValue: Equatable, Sendable {
  /// What a value is.
  public enum Content: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent, within ±``TraceLimits/number``.
    case whole(Int)
    /// Any other number.
    case decimal(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])
  }

  /// A key of an object and its value.
  public struct Member: Equatable, Sendable {
    /// The key.
    public var key: String
    /// The line of the key, from 1.
    public var line: Int
    /// The byte of the key in its line, from 1.
    public var column: Int
    /// The value.
    public var value: JSONValue
  }

  /// What the value is.
  public var content: Content
  /// The line where it begins, from 1.
  public var line: Int
  /// The byte in that line where it begins, from 1.
  public var column: Int

  /// Reads one value that is all of `bytes`, but for blanks around it.
  ///
  /// Duplicate keys, damaged UTF-8, conflict markers at the start of a line and what exceeds the limits are
  /// errors. `line` is the number of the first line.
  public static func parse(
    _ bytes: Span<UInt8>, line: Int = 1, limits: TraceLimits = TraceLimits()
  ) throws(TraceError) -> JSONValue {
    var parser = JSONParser(line: line, limits: limits)
    return try parser.parse(bytes)
  }

  /// Reads one value that is all of `bytes`, but for blanks around it.
  public static func parse(_ bytes: [UInt8], line: Int = 1) throws(TraceError) -> JSONValue {
    try parse(bytes.span, line: line)
  }
}

extension JSONValue {
  /// An error at this value's place.
  public func error(_ message: String) -> TraceError {
    TraceError(line: line, column: column, message)
  }

  /// The members in their order; an error if this is no object.
  public func members() throws(TraceError) -> [Member] {
    guard case .object(let members) = content else { throw error("expected an object") }
    return members
  }

  /// The elements; an error if this is no array.
  public func elements() throws(TraceError) -> [JSONValue] {
    guard case .array(let elements) = content else { throw error("expected an array") }
    return elements
  }

  /// The text; an error if this is no string.
  public func string() throws(TraceError) -> String {
    guard case .string(let text) = content else { throw error("expected a string") }
    return text
  }

  /// The truth value; an error if this is neither true nor false.
  public func bool() throws(TraceError) -> Bool {
    guard case .bool(let flag) = content else { throw error("expected true or false") }
    return flag
  }

  /// The whole number; an error if this is none, or outside `range`.
  public func whole(
    in range: ClosedRange<Int> = 0...TraceLimits.number
  ) throws(TraceError) -> Int {
    guard case .whole(let number) = content else { throw error("expected a whole number") }
    guard range.contains(number) else {
      throw error("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The word of a closed set; an error that lists the set if this is none of it.
  public func word<Word: RawRepresentable & CaseIterable>(
    _ type: Word.Type = Word.self
  ) throws(TraceError) -> Word where Word.RawValue == String {
    if case .string(let text) = content, let word = Word(rawValue: text) { return word }
    throw error("expected " + wordList(Word.self))
  }

  /// The length of time; an error if this is no string of a whole number with a suffix.
  public func timeSpan() throws(TraceError) -> TimeSpan {
    if case .string(let text) = content, let span = TimeSpan(text) { return span }
    throw error("expected a duration with a suffix, as \"250ms\", \"30s\" or \"2m\"")
  }

  /// The value of a key, or nil where this is no object or has no such key.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }
}

/// The words of a closed set as an error names them: `"ok", "error" or "cancelled"`.
func wordList<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> String
where Word.RawValue == String {
  let words = Word.allCases.map { "\"" + $0.rawValue + "\"" }
  if words.count < 2 { return words.joined() }
  return words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
}
