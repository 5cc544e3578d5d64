/// Searches in a byte span, eight bytes at a time.
extension Span where Element == UInt8 {
  /// The index of the first byte equal to `byte` at or after `start`, or nil.
  @inlinable
  public func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
    while index &+ 8 <= count {
      let zero = zeroBytes(word(at: index) ^ pattern)
      if zero != 0 { return index &+ zero.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count {
      if self[index] == byte { return index }
      index &+= 1
    }
    return nil
  }

  /// The index of the first CR or LF at or after `start`, or nil.
  @inlinable
  public func firstLineEnd(from start: Int = 0) -> Int? {
    var index = start
    while index &+ 8 <= count {
      let word = word(at: index)
      let hit = zeroBytes(word ^ 0x0A0A_0A0A_0A0A_0A0A) | zeroBytes(word ^ 0x0D0D_0D0D_0D0D_0D0D)
      if hit != 0 { return index &+ hit.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count {
      let byte = self[index]
      if byte == 0x0A || byte == 0x0D { return index }
      index &+= 1
    }
    return nil
  }
}

/// The high bit of the lowest zero byte of `word`, and perhaps of bytes above it.
@inlinable
func zeroBytes(_ word: UInt64) -> UInt64 {
  (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
}
