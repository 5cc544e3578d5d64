import GoldwireProtocols

/// An instant as a HAR writes it: `2026-01-31T12:00:00.250Z`, or with a zone's offset (ISO 8601).
struct HARDate: Equatable {
  /// µs since 1970, rounded down.
  let microseconds: Int
  /// The digits of its fraction of a second, at most 6.
  let digits: Int

  /// Reads a text, which is UTC if it has no zone; nil for anything else.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 19, let year = HARDate.number(text, 0..<4), text[4] == 0x2D,
      let month = HARDate.number(text, 5..<7), text[7] == 0x2D, let day = HARDate.number(text, 8..<10),
      text[10] | 0x20 == 0x74 || text[10] == 0x20, let hour = HARDate.number(text, 11..<13), text[13] == 0x3A,
      let minute = HARDate.number(text, 14..<16), text[16] == 0x3A,
      let second = HARDate.number(text, 17..<19)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.exists, hour < 24, minute < 60, second <= 60 else { return nil }
    var index = 19
    var (fraction, count, weight) = (0, 0, 100_000)
    if index < text.count, text[index] == 0x2E || text[index] == 0x2C {
      index &+= 1
      let first = index
      while index < text.count, text[index] >= 0x30, text[index] <= 0x39 {
        fraction &+= Int(text[index] &- 0x30) &* weight
        weight /= 10
        index &+= 1
      }
      guard index > first else { return nil }
      count = index &- first
    }
    guard let offset = HARDate.offset(text, from: index) else { return nil }
    let seconds = date.days &* 86_400 &+ hour &* 3_600 &+ minute &* 60 &+ second &- offset
    microseconds = seconds &* 1_000_000 &+ fraction
    digits = min(count, 6)
  }

  /// The zone's offset in seconds that ends the text; nil if it is none.
  private static func offset(_ text: Span<UInt8>, from start: Int) -> Int? {
    guard start < text.count else { return 0 }
    let rest = text.count &- start
    if text[start] | 0x20 == 0x7A { return rest == 1 ? 0 : nil }
    guard text[start] == 0x2B || text[start] == 0x2D, rest == 6 && text[start &+ 3] == 0x3A || rest == 5,
      let hours = number(text, (start &+ 1)..<(start &+ 3)),
      let minutes = number(text, (text.count &- 2)..<text.count), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours &* 3_600 &+ minutes &* 60
    return text[start] == 0x2D ? -seconds : seconds
  }

  private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
      value = value &* 10 &+ Int(text[index] &- 0x30)
    }
    return value
  }
}
