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
    let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    guard let day = threeLetters(names, in: text) else { return nil }
    let name = names[day].utf8
    guard index < text.count, text[index] | 0x20 >= 0x61 else { return day }
    for byte in name.dropFirst(3) where !take(byte, in: text) { return nil }
    hasLongName = true
    return day
  }

  /// The month, from January = 1.
  mutating func month(in text: Span<UInt8>) -> Int? {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return threeLetters(names, in: text).map { $0 + 1 }
  }

  /// Whether the rest is ` GMT`.
  mutating func zone(in text: Span<UInt8>) -> Bool {
    for byte in " GMT".utf8 where !take(byte, in: text) { return false }
    return index == text.count
  }

  /// Which of the names has the next three letters.
  private mutating func threeLetters(_ names: [String], in text: Span<UInt8>) -> Int? {
    guard text.count - index >= 3 else { return nil }
    for (number, name) in names.enumerated() {
      var offset = index
      var differs: UInt8 = 0
      for byte in name.utf8.prefix(3) {
        differs |= byte ^ text[offset]
        offset += 1
      }
      guard differs == 0 else { continue }
      index = offset
      return number
    }
    return nil
  }
}
