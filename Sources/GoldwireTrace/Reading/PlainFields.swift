internal import GoldwireBytes

/// A line with its keys in any order, but without escapes, keys of others, lists and objects.
extension LineFields {
  /// Takes such a line apart in one pass; false for any other, good or bad, which ``read(_:line:)`` takes apart.
  ///
  /// A text that could be no word is found out when it is asked for, so a line stands only if each was.
  mutating func readPlain(_ bytes: Span<UInt8>) -> Bool {
    reset()
    guard bytes.count > 1, bytes[0] == UInt8(ascii: "{") else { return false }
    var offset = 1
    while true {
      offset = bytes.behindSpaces(offset)
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\""),
        let end = bytes.firstIndex(of: UInt8(ascii: "\""), from: offset &+ 1),
        let key = keys.number(bytes, from: offset &+ 1, to: end), present & EventKey.bit(key) == 0
      else { return false }
      present |= EventKey.bit(key)
      offset = bytes.behindSpaces(end &+ 1)
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { return false }
      offset = bytes.behindSpaces(offset &+ 1)
      guard let value = plainValue(bytes, &offset) else { return false }
      values[Int(key)] = value
      offset = bytes.behindSpaces(offset)
      guard offset < bytes.count else { return false }
      if bytes[offset] == UInt8(ascii: "}") { return bytes.behindSpaces(offset &+ 1) == bytes.count }
      guard bytes[offset] == UInt8(ascii: ",") else { return false }
      offset &+= 1
    }
  }

  @inline(__always)
  private func plainValue(_ bytes: Span<UInt8>, _ offset: inout Int) -> Value? {
    guard offset < bytes.count else { return nil }
    var value = Value()
    value.offset = offset
    switch bytes[offset] {
    case UInt8(ascii: "\""):
      value.text = offset &+ 1
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\""), from: offset &+ 1) else { return nil }
      value.shape = .text
      value.number = end &- value.text
      offset = end &+ 1
    case UInt8(ascii: "t"):
      guard bytes.holds("true", at: offset) else { return nil }
      value.shape = .yes
      offset &+= 4
    case UInt8(ascii: "f"):
      guard bytes.holds("false", at: offset) else { return nil }
      value.shape = .no
      offset &+= 5
    default:
      let isNegative = bytes[offset] == UInt8(ascii: "-")
      if isNegative { offset &+= 1 }
      let (number, digits) = bytes.extracting(droppingFirst: offset).leadingNumber()
      guard digits > 0, number <= TraceLimits.number else { return nil }
      value.shape = .whole
      value.number = isNegative ? -number : number
      offset &+= digits
    }
    return value
  }
}

extension Span where Element == UInt8 {
  /// The first place from `offset` on that holds no space.
  @inline(__always)
  fileprivate func behindSpaces(_ offset: Int) -> Int {
    var offset = offset
    while offset < count, self[offset] == 0x20 { offset &+= 1 }
    return offset
  }
}
