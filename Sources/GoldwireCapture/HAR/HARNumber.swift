/// Numbers of a HAR as whole ones of a smaller unit, so that no instant depends on binary fractions.
enum HARNumber {
  /// The largest number that is given, either side of zero; what is beyond is held to it.
  static let limit = 1 << 60

  /// Reads a decimal number in units of ten to the minus `places`, rounded down; nil for anything else.
  static func fixed(_ text: Span<UInt8>, places: Int) -> Int? {
    var index = 0
    let isNegative = text.count > 0 && text[0] == 0x2D
    if isNegative { index = 1 }
    var digits: [UInt8] = []
    var point: Int?
    while index < text.count {
      let byte = text[index]
      if byte >= 0x30, byte <= 0x39 {
        // More digits than a number can hold say nothing more.
        if digits.count < 64 { digits.append(byte &- 0x30) } else if point == nil { return nil }
      } else if byte == 0x2E, point == nil {
        point = digits.count
      } else {
        break
      }
      index &+= 1
    }
    guard !digits.isEmpty, let exponent = exponent(text, from: index) else { return nil }
    let whole = (point ?? digits.count) &+ places &+ exponent
    return value(digits, whole: whole, isNegative: isNegative)
  }

  /// The first `whole` digits as a number, with zeros for those that are not there.
  private static func value(_ digits: [UInt8], whole: Int, isNegative: Bool) -> Int {
    var value = 0
    for place in 0..<max(0, min(whole, 80)) {
      value = min(limit, value &* 10 &+ (place < digits.count ? Int(digits[place]) : 0))
      if value == limit { break }
    }
    guard isNegative else { return value }
    let rest = digits.dropFirst(max(0, whole)).contains { $0 != 0 }
    return -value &- (rest ? 1 : 0)
  }

  /// The exponent that ends the text; 0 where it ends at once, nil where something else stands there.
  private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
    guard start < text.count else { return 0 }
    guard text[start] | 0x20 == 0x65, start &+ 1 < text.count else { return nil }
    var index = start &+ 1
    let isNegative = text[index] == 0x2D
    if isNegative || text[index] == 0x2B { index &+= 1 }
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
      value = min(1_000, value &* 10 &+ Int(text[index] &- 0x30))
      index &+= 1
    }
    return isNegative ? -value : value
  }
}
