internal import GoldwireBytes

/// A place in the text of an HTTP-date; what it reads is exact, letter case included.
struct DateCursor {
  private(set) var index = 0
  /// The weekday was written out in full.
  private(set) var hasLongName = false

  /// Steps over one byte, if it stands here.
  mutating func take(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  /// A number of exactly so many ASCII digits.
  mutating func number(_ digits: Int, in text: Span<UInt8>) -> Int? {
    guard text.count - index >= digits else { return nil }
    var value = 0
    for offset in index..<(index + digits) {
      guard text[offset] >= 0x30, text[offset] <= 0x39 else { return nil }
      value = value * 10 + Int(text[offset] & 0x0F)
    }
    index += digits
    return value
  }

  /// Seconds since midnight; a leap second counts as the first of the next day.
  mutating func time(in text: Span<UInt8>) -> Int? {
    guard let hour = number(2, in: text), take(0x3A, in: text),
      let minute = number(2, in: text), take(0x3A, in: text),
      let second = number(2, in: text)
    else { return nil }
    let isLeap = hour == 23 && minute == 59 && second == 60
    guard hour < 24, minute < 60, second < 60 || isLeap else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  /// The weekday, from Sunday = 0, by its short or its long name.
  mutating func weekday(in text: Span<UInt8>) -> Int? {
    let found: (day: Int, rest: StaticString)
    switch letters(in: text) {
    case 0x53756E: found = (0, "day")
    case 0x4D6F6E: found = (1, "day")
    case 0x547565: found = (2, "sday")
    case 0x576564: found = (3, "nesday")
    case 0x546875: found = (4, "rsday")
    case 0x467269: found = (5, "day")
    case 0x536174: found = (6, "urday")
    default: return nil
    }
    index += 3
    guard index < text.count, text[index] | 0x20 >= 0x61 else { return found.day }
    guard text.holds(found.rest, at: index) else { return nil }
    index += found.rest.utf8CodeUnitCount
    hasLongName = true
    return found.day
  }

  /// The month, from January = 1.
  mutating func month(in text: Span<UInt8>) -> Int? {
    let month: Int
    switch letters(in: text) {
    case 0x4A616E: month = 1
    case 0x466562: month = 2
    case 0x4D6172: month = 3
    case 0x417072: month = 4
    case 0x4D6179: month = 5
    case 0x4A756E: month = 6
    case 0x4A756C: month = 7
    case 0x417567: month = 8
    case 0x536570: month = 9
    case 0x4F6374: month = 10
    case 0x4E6F76: month = 11
    case 0x446563: month = 12
    default: return nil
    }
    index += 3
    return month
  }

  /// Whether the rest is ` GMT`.
  mutating func zone(in text: Span<UInt8>) -> Bool {
    guard text.holds(" GMT", at: index) else { return false }
    index += 4
    return index == text.count
  }

  /// The next three bytes as one number, the first highest; 0 where there are none.
  private func letters(in text: Span<UInt8>) -> Int {
    guard text.count - index >= 3 else { return 0 }
    return Int(text[index]) << 16 | Int(text[index + 1]) << 8 | Int(text[index + 2])
  }
}
