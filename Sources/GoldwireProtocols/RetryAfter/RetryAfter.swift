/// What a response's `Retry-After` says, as read from its bytes (RFC 9110 §10.2.3).
public enum RetryAfter: Equatable, Sendable {
  /// There is no such field.
  case absent
  /// A delay in whole seconds.
  case seconds(UInt64)
  /// An HTTP-date, in seconds since 1970 where a header was read; a trace counts from its midnight.
  case date(Int, HTTPDate.Form)
  /// A value that says nothing, and why.
  case invalid(Reason)

  /// Why a value is invalid; the raw value is the word that traces use.
  public enum Reason: String, Sendable, CaseIterable {
    /// A number with a sign, such as `-5`.
    case sign
    /// A number with a fraction or an exponent, such as `0.5`.
    case decimal
    /// A number with a unit, such as `5s`.
    case unit
    /// Several numbers, such as `2, 3`.
    case list
    /// Digits that are not ASCII.
    case digits
    /// Nothing but blanks.
    case empty
    /// Two header lines that do not agree.
    case differ
    /// A date whose weekday is another day's.
    case weekday
    /// A date in a zone other than GMT.
    case zone
    /// More seconds than a number can hold: a very long delay.
    case over
    /// Anything else.
    case other
  }

  /// Reads one field value.
  ///
  /// `now` is the time of receipt in seconds since 1970; only two-digit years depend on it.
  public static func read(_ value: Span<UInt8>, now: Int) -> RetryAfter {
    var start = 0
    var end = value.count
    while start < end, isBlank(value[start]) { start += 1 }
    while end > start, isBlank(value[end - 1]) { end -= 1 }
    guard start < end else { return .invalid(.empty) }
    let text = value.extracting(start..<end)
    if isDigit(text[0]) { return number(text) }
    if isLetter(text[0]) { return date(text, now: now) }
    return .invalid(oddStart(text))
  }

  /// Reads the value of a field as text.
  public static func read(_ value: String?, now: Int) -> RetryAfter {
    guard let value else { return .absent }
    return read(Array(value.utf8).span, now: now)
  }

  /// Joins the readings of two header lines of one response: they must agree.
  public func joined(with other: RetryAfter) -> RetryAfter {
    if self == .absent { return other }
    if other == .absent || self == other { return self }
    return .invalid(.differ)
  }
}

// MARK: - Reading

extension RetryAfter {
  private static func date(_ text: Span<UInt8>, now: Int) -> RetryAfter {
    switch HTTPDate.read(text, now: now) {
    case .date(let date): .date(date.seconds, date.form)
    case .weekday: .invalid(.weekday)
    case .zone: .invalid(.zone)
    case .other: .invalid(.other)
    }
  }

  private static func number(_ text: Span<UInt8>) -> RetryAfter {
    var value: UInt64 = 0
    var over = false
    var index = 0
    while index < text.count, isDigit(text[index]) {
      let (tens, first) = value.multipliedReportingOverflow(by: 10)
      let (sum, second) = tens.addingReportingOverflow(UInt64(text[index] & 0x0F))
      over = over || first || second
      value = sum
      index += 1
    }
    if index == text.count { return over ? .invalid(.over) : .seconds(value) }
    return .invalid(oddEnd(text, after: index))
  }

  /// Why a value that starts with digits is no whole number.
  private static func oddEnd(_ text: Span<UInt8>, after digits: Int) -> Reason {
    for index in text.indices where text[index] == 0x2C { return .list }
    if text[digits] == 0x2E { return .decimal }
    let exponent = text[digits] | 0x20 == 0x65 && digits + 1 < text.count
    if exponent, isDigit(text[digits + 1]) || isSign(text[digits + 1]) { return .decimal }
    var index = digits
    while index < text.count, isBlank(text[index]) { index += 1 }
    while index < text.count, isLetter(text[index]) { index += 1 }
    if index == text.count { return .unit }
    return startsWithForeignDigit(text.extracting(digits..<text.count)) ? .digits : .other
  }

  /// Why a value that starts with neither a digit nor a letter says nothing.
  private static func oddStart(_ text: Span<UInt8>) -> Reason {
    let digitFollows = text.count > 1 && isDigit(text[1])
    if isSign(text[0]) { return .sign }
    if text[0] == 0x2E, digitFollows { return .decimal }
    if text[0] == 0x2C { return .list }
    return startsWithForeignDigit(text) ? .digits : .other
  }

  private static func startsWithForeignDigit(_ text: Span<UInt8>) -> Bool {
    guard text[0] >= 0x80 else { return false }
    var head: [UInt8] = []
    for index in 0..<min(4, text.count) { head.append(text[index]) }
    guard let scalar = String(decoding: head, as: UTF8.self).unicodeScalars.first else { return false }
    return scalar.properties.numericType == .decimal
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
  private static func isSign(_ byte: UInt8) -> Bool { byte == 0x2B || byte == 0x2D }
}
