internal import GoldwireBytes

/// A span as a cursor over a canonical line: each step takes what it expects from the front, or nothing.
extension Span where Element == UInt8 {
  /// Takes `text`, but for so many bytes at its end, if it stands in front.
  @inline(__always)
  mutating func eat(_ text: StaticString, droppingLast dropped: Int = 0) -> Bool {
    let size = text.utf8CodeUnitCount &- dropped
    guard begins(with: text, size) else { return false }
    self = extracting(size..<count)
    return true
  }

  /// Takes the key of a value that is no text.
  @inline(__always)
  mutating func eat(unquoted key: EventKey) -> Bool { eat(key.text, droppingLast: 1) }

  /// Takes a whole number of at most 16 digits, without a leading zero, that is in the range.
  @inline(__always)
  mutating func number(in range: ClosedRange<Int>) -> Int? {
    let (value, digits) = leadingNumber()
    guard digits > 0, range.contains(value) else { return nil }
    self = extracting(digits..<count)
    return value
  }

  /// The whole number in front and its digits, at most 16 and without a leading zero; else no digits.
  @inline(never)
  func leadingNumber() -> (value: Int, digits: Int) {
    guard count >= 8 else { return leadingNumber(from: 0, 0) }
    let first = word(at: 0) ^ 0x3030_3030_3030_3030
    // The high bit of each byte that is no digit.
    let others = ((first &+ 0x7676_7676_7676_7676) | first) & 0x8080_8080_8080_8080
    guard others != 0 else {
      return first & 0xFF == 0 ? (0, 0) : leadingNumber(from: 8, decimal(first))
    }
    let bits = others.trailingZeroBitCount & 0x78
    // Nought or one digit: the number is that digit.
    if bits <= 8 { return (Int(truncatingIfNeeded: first & 0xFF), bits &>> 3) }
    if first & 0xFF == 0 { return (0, 0) }
    return (decimal(first &<< UInt64(truncatingIfNeeded: 64 &- bits)), bits &>> 3)
  }

  /// The number in front, of which the first digits were read.
  private func leadingNumber(from start: Int, _ begin: Int) -> (value: Int, digits: Int) {
    var (value, digits) = (begin, start)
    while digits < count, digits < 17 {
      let digit = self[digits] ^ 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      digits &+= 1
    }
    return digits > 16 || digits > 1 && self[0] == 0x30 ? (0, 0) : (value, digits)
  }

  /// Takes a number that may have a minus sign.
  @inline(__always)
  mutating func signedNumber() -> Int? {
    guard eat("-") else { return number(in: Bounds.whole) }
    guard let value = number(in: Bounds.ordinal) else { return nil }
    return -value
  }

  /// Takes a channel's name and the quote behind it.
  @inline(__always)
  mutating func channel() -> Channel? {
    let family: Channel.Family
    if eat("ws") {
      family = .ws
    } else if eat("http") {
      family = .http
    } else if eat("sse") {
      family = .sse
    } else if eat("tls") {
      family = .tls
    } else if eat("tcp") {
      family = .tcp
    } else {
      return nil
    }
    guard let number = number(in: Bounds.ordinal), eat("\"") else { return nil }
    return Channel(family, number)
  }

  /// Takes a pseudonym and the quote behind it; the empty event id is 0.
  @inline(__always)
  mutating func pseudonym(_ letter: StaticString, emptyAllowed: Bool) -> Int? {
    if emptyAllowed, eat("\"") { return 0 }
    guard eat(letter), let number = number(in: Bounds.ordinal), eat("\"") else { return nil }
    return number
  }

  /// Takes a rule's name and the quote behind it.
  @inline(never)
  mutating func rule() -> RuleName? {
    guard eat("rfc"), let rfc = number(in: 1...65_535), eat("-"), let first = number(in: 1...255) else {
      return nil
    }
    var name = RuleName(rfc: UInt16(rfc), UInt8(first))
    if eat(".") {
      guard let part = number(in: 1...255) else { return nil }
      name.section.1 = UInt8(part)
      if eat(".") {
        guard let part = number(in: 1...255) else { return nil }
        name.section.2 = UInt8(part)
        if eat(".") {
          guard let part = number(in: 1...255) else { return nil }
          name.section.3 = UInt8(part)
        }
      }
    }
    return eat("\"") ? name : nil
  }
}

/// The number of eight digits, the first in the lowest byte.
@inline(__always)
private func decimal(_ digits: UInt64) -> Int {
  let pairs = (digits &* 10) &+ (digits >> 8)
  let mask: UInt64 = 0x0000_00FF_0000_00FF
  let low = (pairs & mask) &* 0x000F_4240_0000_0064
  let high = ((pairs >> 16) & mask) &* 0x0000_2710_0000_0001
  return Int(truncatingIfNeeded: (low &+ high) >> 32)
}
