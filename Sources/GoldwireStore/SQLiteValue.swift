/// A value of SQLite.
public enum SQLiteValue: Equatable, Sendable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension SQLiteValue {
  var number: Int64? { if case .integer(let number) = self { number } else { nil } }
  var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}
