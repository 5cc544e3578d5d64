/// Why bytes are no trace, golden or configuration: a place, and what was expected there.
///
/// It never quotes what it read: the text is put together from the format's own words alone.
public struct TraceError: Error, Equatable, Sendable {
  /// The line, from 1, or 0 where none can be named.
  public var line: Int
  /// The byte in the line, from 1, or 0 where none can be named.
  public var column: Int
  /// What was expected or is wrong, in words, without a full stop.
  public var message: String

  /// Makes an error at a place.
  ///
  /// `message` must hold nothing of the input.
  public init(line: Int = 0, column: Int = 0, _ message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

extension TraceError: CustomStringConvertible {
  /// The place and the message: `line 3, column 14: expected …`.
  public var description: String {
    if line == 0 { return message }
    return column == 0 ? "line \(line): \(message)" : "line \(line), column \(column): \(message)"
  }
}
