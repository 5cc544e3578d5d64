/// A length of time as files and options write it: a whole number with a suffix, `250ms`, `30s`, `2m`.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// The length in microseconds.
  public var microseconds: Int

  /// Makes a length of so many microseconds.
  public init(microseconds: Int) { self.microseconds = microseconds }

  /// Reads a number with one of the suffixes `us`, `ms`, `s`, `m`, `h`; nil for anything else, and for what overflows.
  public init?(_ text: some StringProtocol) {
    let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard !digits.isEmpty, digits.count <= 18, let number = Int(text.prefix(digits.count)) else { return nil }
    let factor: Int
    switch text.dropFirst(digits.count) {
    case "us": factor = 1
    case "ms": factor = 1_000
    case "s": factor = 1_000_000
    case "m": factor = 60_000_000
    case "h": factor = 3_600_000_000
    default: return nil
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow else { return nil }
    microseconds = product
  }

  /// The length in the unit, or nil if it is no whole number of it.
  public func count(in unit: Unit) -> Int? {
    switch unit {
    case .us: microseconds
    case .ms: microseconds % 1_000 == 0 ? microseconds / 1_000 : nil
    }
  }

  /// Whether the left is the shorter.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.microseconds < right.microseconds }
}

extension TimeSpan: CustomStringConvertible {
  /// The length with the largest of `s`, `ms`, `us` that keeps it whole.
  public var description: String {
    if microseconds % 1_000_000 == 0 { return "\(microseconds / 1_000_000)s" }
    if microseconds % 1_000 == 0 { return "\(microseconds / 1_000)ms" }
    return "\(microseconds)us"
  }
}
