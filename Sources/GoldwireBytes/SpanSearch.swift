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

  /// The index of the first space or tab in a range, or its end.
  @inlinable
  public func firstBlank(in range: Range<Int>) -> Int {
    var index = range.lowerBound
    let end = range.upperBound
    while index &+ 8 <= end {
      let word = word(at: index)
      let hit = zeroBytes(word ^ 0x2020_2020_2020_2020) | zeroBytes(word ^ 0x0909_0909_0909_0909)
      if hit != 0 { return index &+ hit.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end {
      let byte = self[index]
      if byte == 0x20 || byte == 0x09 { return index }
      index &+= 1
    }
    return end
  }

  /// Whether all bytes are ASCII, and none is NUL.
  @inlinable
  public var isTextASCII: Bool {
    var index = 0
    while index &+ 8 <= count {
      let word = word(at: index)
      if (zeroBytes(word) | word) & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    let rest = UInt64(truncatingIfNeeded: 8 &* (count &- index))
    let last = lastWord(from: index)
    return ((zeroBytes(last) & (1 << rest &- 1)) | last) & 0x8080_8080_8080_8080 == 0
  }

  /// The index of the first CR or LF at or after `start`, or nil.
  @inlinable
  public func firstLineEnd(from start: Int = 0) -> Int? {
    var index = start
    // Both are below 0x0E, as little else in text is: one comparison passes over all other bytes.
    while index &+ 16 <= count {
      let here = extracting(index..<(index &+ 16))
      let (lower, upper) = (here.word(at: 0), here.word(at: 8))
      if bytesBelow14(lower) | bytesBelow14(upper) != 0 {
        let early = lineEnds(lower)
        if early != 0 { return index &+ early.trailingZeroBitCount / 8 }
        let late = lineEnds(upper)
        if late != 0 { return index &+ 8 &+ late.trailingZeroBitCount / 8 }
      }
      index &+= 16
    }
    if index &+ 8 <= count {
      let hit = lineEnds(word(at: index))
      if hit != 0 { return index &+ hit.trailingZeroBitCount / 8 }
      index &+= 8
    }
    let hit = lineEnds(lastWord(from: index))
    return hit == 0 ? nil : index &+ hit.trailingZeroBitCount / 8
  }
}

/// The high bit of the lowest byte below 14, and perhaps of bytes above it.
@inlinable
func bytesBelow14(_ word: UInt64) -> UInt64 {
  (word &- 0x0E0E_0E0E_0E0E_0E0E) & ~word & 0x8080_8080_8080_8080
}

/// The high bit of the lowest CR or LF of `word`, and perhaps of bytes above it.
@inlinable
func lineEnds(_ word: UInt64) -> UInt64 {
  zeroBytes(word ^ 0x0A0A_0A0A_0A0A_0A0A) | zeroBytes(word ^ 0x0D0D_0D0D_0D0D_0D0D)
}

/// The high bit of the lowest zero byte of `word`, and perhaps of bytes above it.
@inlinable @inline(__always)
public func zeroBytes(_ word: UInt64) -> UInt64 {
  (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
}

extension UInt64 {
  /// The word with each byte that is a capital ASCII letter made small.
  @inlinable
  public var lowercased: UInt64 {
    let low = self & 0x7F7F_7F7F_7F7F_7F7F
    let isCapital = (low &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(low &+ 0x2525_2525_2525_2525) & ~self
    return self | (isCapital & 0x8080_8080_8080_8080) >> 2
  }
}
