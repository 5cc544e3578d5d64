/// An HTTP-date, read on bytes by the rules of RFC 9110 §5.6.7, whatever the locale and zone.
public struct HTTPDate: Equatable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int
  /// The form in which it was written.
  public let form: Form

  /// The three forms; the raw value of the obsolete two is the word that traces use.
  public enum Form: String, Sendable, CaseIterable {
    /// `Fri, 26 Jun 2020 04:28:20 GMT`
    case imf
    /// `Friday, 26-Jun-20 04:28:20 GMT`, obsolete.
    case rfc850
    /// `Fri Jun 26 04:28:20 2020`, obsolete.
    case asctime
  }

  /// What reading gives: a date, or why there is none.
  public enum Reading: Equatable, Sendable {
    /// A date that exists.
    case date(HTTPDate)
    /// The date is another weekday's.
    case weekday
    /// The zone is not GMT.
    case zone
    /// No date of any of the three forms.
    case other
  }

  /// Makes a date from seconds since 1970.
  public init(seconds: Int, form: Form = .imf) {
    self.seconds = seconds
    self.form = form
  }

  /// Reads a whole field value, without blanks around it.
  ///
  /// `now`, in seconds since 1970, settles the century of a two-digit year: the latest that is not
  /// more than 50 years ahead.
  public static func read(_ text: Span<UInt8>, now: Int) -> Reading {
    // The longest weekday name and the longest form fit; more is no date.
    guard text.count >= 24, text.count <= 40 else { return .other }
    var cursor = DateCursor()
    guard let weekday = cursor.weekday(in: text) else { return .other }
    if cursor.take(0x20, in: text) { return asctime(text, &cursor, weekday) }
    guard cursor.take(0x2C, in: text), cursor.take(0x20, in: text) else { return .other }
    return cursor.hasLongName
      ? rfc850(text, &cursor, weekday, now: now) : imf(text, &cursor, weekday)
  }

  /// Reads the value of a field as text, with blanks around it trimmed.
  public static func read(_ text: String, now: Int) -> Reading {
    var bytes = Array(text.utf8)
    while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
    let blanks = bytes.prefix { $0 == 0x20 || $0 == 0x09 }.count
    return read(bytes.span.extracting(blanks..<bytes.count), now: now)
  }
}

// MARK: - The three forms

extension HTTPDate {
  private static func imf(_ text: Span<UInt8>, _ cursor: inout DateCursor, _ weekday: Int) -> Reading {
    guard let day = cursor.number(2, in: text), cursor.take(0x20, in: text),
      let month = cursor.month(in: text), cursor.take(0x20, in: text),
      let year = cursor.number(4, in: text), cursor.take(0x20, in: text),
      let time = cursor.time(in: text)
    else { return .other }
    let date = CivilDate(year: year, month: month, day: day)
    return checked(date, time, weekday, .imf, hasZone: cursor.zone(in: text))
  }

  private static func rfc850(
    _ text: Span<UInt8>, _ cursor: inout DateCursor, _ weekday: Int, now: Int
  ) -> Reading {
    guard let day = cursor.number(2, in: text), cursor.take(0x2D, in: text),
      let month = cursor.month(in: text), cursor.take(0x2D, in: text),
      let short = cursor.number(2, in: text), cursor.take(0x20, in: text),
      let time = cursor.time(in: text)
    else { return .other }
    let today = CivilDate(days: now.flooredDivision(by: 86_400))
    // The latest year that ends so and might do: at most 50 years and a part of one ahead.
    var year = today.year + 51
    year -= (year - short).flooredRemainder(by: 100)
    let isThatYear = year == today.year + 50
    let isLaterInIt =
      (month, day, time) > (today.month, today.day, now.flooredRemainder(by: 86_400))
    if year > today.year + 50 || (isThatYear && isLaterInIt) { year -= 100 }
    guard year >= 0 else { return .other }
    let date = CivilDate(year: year, month: month, day: day)
    return checked(date, time, weekday, .rfc850, hasZone: cursor.zone(in: text))
  }

  private static func asctime(
    _ text: Span<UInt8>, _ cursor: inout DateCursor, _ weekday: Int
  ) -> Reading {
    guard !cursor.hasLongName, let month = cursor.month(in: text), cursor.take(0x20, in: text),
      let day = cursor.take(0x20, in: text) ? cursor.number(1, in: text) : cursor.number(2, in: text),
      cursor.take(0x20, in: text), let time = cursor.time(in: text), cursor.take(0x20, in: text),
      let year = cursor.number(4, in: text), cursor.index == text.count
    else { return .other }
    let date = CivilDate(year: year, month: month, day: day)
    return checked(date, time, weekday, .asctime, hasZone: true)
  }

  private static func checked(
    _ date: CivilDate, _ time: Int, _ weekday: Int, _ form: Form, hasZone: Bool
  ) -> Reading {
    guard date.exists else { return .other }
    guard hasZone else { return .zone }
    // 1970-01-01 was a Thursday, the fourth day after the Sunday that counts as 0.
    guard (date.days + 4).flooredRemainder(by: 7) == weekday else { return .weekday }
    return .date(HTTPDate(seconds: date.days * 86_400 + time, form: form))
  }
}
