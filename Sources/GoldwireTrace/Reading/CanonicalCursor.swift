internal import GoldwireBytes

/// A span as a cursor over a canonical line: each step takes what it expects from the front, or nothing.
extension Span where Element == UInt8 {
  /// Takes `text`, but for so many bytes at its end, if it stands in front.
  @inline(__always)
  mutating func eat(_ text: StaticString, droppingLast dropped: Int = 0) -> Bool {
    let size = text.utf8CodeUnitCount &- dropped
    guard count >= size else { return false }
    let head = extracting(0..<size)
    let differs = text.withUTF8Buffer { bytes in
      var differs: UInt8 = 0
      for index in 0..<size { unsafe differs |= head[index] ^ bytes[index] }
      return differs
    }
    guard differs == 0 else { return false }
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
    var value = 0
    var digits = 0
    if count >= 8 {
      let first = word(at: 0) ^ 0x3030_3030_3030_3030
      digits = digitCount(first)
      if digits == 0 || digits > 1 && first & 0xFF == 0 { return (0, 0) }
      value = decimal(first, digits)
      if digits < 8 { return (value, digits) }
    }
    while digits < count, digits < 17 {
      let digit = self[digits] ^ 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      digits &+= 1
    }
    if digits > 16 || digits > 1 && self[0] == 0x30 { return (0, 0) }
    return (value, digits)
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

/// How many digits stand in front of eight bytes that were combined with eight zeros.
@inline(__always)
private func digitCount(_ word: UInt64) -> Int {
  let others = ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
  return others == 0 ? 8 : others.trailingZeroBitCount / 8
}

/// The number of the first `size` digits of eight, 1 to 8.
@inline(__always)
private func decimal(_ word: UInt64, _ size: Int) -> Int {
  let digits = word << UInt64(truncatingIfNeeded: 64 &- 8 &* size)
  let pairs = (digits &* 10) &+ (digits >> 8)
  let mask: UInt64 = 0x0000_00FF_0000_00FF
  let low = (pairs & mask) &* 0x000F_4240_0000_0064
  let high = ((pairs >> 16) & mask) &* 0x0000_2710_0000_0001
  return Int(truncatingIfNeeded: (low &+ high) >> 32)
}
