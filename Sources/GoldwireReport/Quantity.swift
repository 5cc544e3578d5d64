package import GoldwireTrace

/// Numbers as people read them; whole-number arithmetic throughout, so that equal input gives equal text.
package enum Quantity {
  /// An instant with its unit and three decimals, so that a column of them lines up: `30.071s`, `1m02.345s`.
  package static func instant(_ t: Int, _ unit: Unit) -> String {
    let milliseconds = unit == .us ? max(t, 0) / 1_000 : max(t, 0)
    let (seconds, rest) = (milliseconds / 1_000, padded(milliseconds % 1_000, 3))
    if seconds < 60 { return "\(seconds).\(rest)s" }
    let (minutes, second) = (seconds / 60, padded(seconds % 60, 2))
    if minutes < 60 { return "\(minutes)m\(second).\(rest)s" }
    return "\(minutes / 60)h\(padded(minutes % 60, 2))m\(second).\(rest)s"
  }

  /// A length of time to three digits: `345us`, `40.7ms`, `1.5s`, `2m05s`.
  package static func span(_ length: Int, _ unit: Unit) -> String {
    let (product, overflow) = max(length, 0).multipliedReportingOverflow(by: unit == .us ? 1 : 1_000)
    let microseconds = overflow ? Int.max : product
    if microseconds < 1_000 { return microseconds == 0 ? "0s" : "\(microseconds)us" }
    if microseconds < 999_500 { return threeDigits(microseconds, per: 1_000) + "ms" }
    if microseconds < 59_950_000 { return threeDigits(microseconds, per: 1_000_000) + "s" }
    let seconds = microseconds / 1_000_000 + (microseconds % 1_000_000 >= 500_000 ? 1 : 0)
    if seconds < 3_600 { return "\(seconds / 60)m\(padded(seconds % 60, 2))s" }
    return "\(seconds / 3_600)h\(padded(seconds / 60 % 60, 2))m"
  }

  /// A number of bytes: `120 B`, `1.2 kB`, `3.4 MB`.
  package static func bytes(_ count: Int) -> String {
    let count = max(count, 0)
    if count < 1_000 { return "\(count) B" }
    if count < 999_500 { return threeDigits(count, per: 1_000) + " kB" }
    if count < 999_500_000 { return threeDigits(count, per: 1_000_000) + " MB" }
    return threeDigits(count, per: 1_000_000_000) + " GB"
  }

  /// A number and a noun: `1 ping`, `3 pings`.
  package static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// At least so many digits, with zeros before.
  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The quotient to three digits, without zeros at the end of a fraction.
  private static func threeDigits(_ number: Int, per scale: Int) -> String {
    let whole = number / scale
    let decimals = whole < 10 ? 2 : whole < 100 ? 1 : 0
    let factor = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
    let step = scale / factor
    let rounded = number / step + (number % step * 2 >= step ? 1 : 0)
    let (units, fraction) = (rounded / factor, padded(rounded % factor, decimals))
    guard decimals > 0, rounded % factor != 0 else { return String(units) }
    return "\(units).\(fraction.hasSuffix("0") ? String(fraction.dropLast()) : fraction)"
  }
}
