/// Comparisons of a byte span with ASCII literals.
extension Span where Element == UInt8 {
  /// Tells whether `text` stands at `offset`.
  ///
  /// False, never a trap, where the span ends before the literal does.
  @inlinable @inline(__always)
  public func holds(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count, count &- offset >= length else { return false }
    let here = extracting(offset..<(offset &+ length))
    return text.withUTF8Buffer { literal in
      var difference: UInt8 = 0
      for index in 0..<literal.count {
        let wanted = unsafe literal[index]
        difference |= here[index] ^ wanted
      }
      return difference == 0
    }
  }

  /// Tells whether these bytes are the beginning of `text`, or begin with it.
  @inlinable
  public func begins(_ text: StaticString) -> Bool {
    let length = Swift.min(count, text.utf8CodeUnitCount)
    return text.withUTF8Buffer { literal in
      for index in 0..<length {
        let wanted = unsafe literal[index]
        if self[index] != wanted { return false }
      }
      return true
    }
  }

  /// Tells whether the bytes of `range` are the lower-case literal `text`, whatever their case.
  @inlinable @inline(__always)
  public func equals(folded text: StaticString, in range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    let here = extracting(range)
    return text.withUTF8Buffer { literal in
      var difference: UInt8 = 0
      for index in 0..<literal.count {
        let wanted = unsafe literal[index]
        let isLetter = wanted >= 0x61 && wanted <= 0x7A
        difference |= (here[index] | (isLetter ? 0x20 : 0)) ^ wanted
      }
      return difference == 0
    }
  }
}
