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
    let rest = count &- index
    guard rest > 0 else { return nil }
    let bits = UInt64(truncatingIfNeeded: 8 &* rest)
    let zero = zeroBytes(lastWord(from: index) ^ pattern) & (1 &<< bits &- 1)
    return zero == 0 ? nil : index &+ zero.trailingZeroBitCount / 8
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
    guard start <= count else { return nil }
    var rest = extracting(droppingFirst: start)
    // Both are below 0x0E, as little else in text is: one comparison passes over all other bytes.
    while rest.count >= 32, !hasByteBelow14(rest.fourWords(at: 0)) {
      rest = rest.extracting(droppingFirst: 32)
    }
    while rest.count >= 8 {
      let hit = lineEnds(rest.word(at: 0))
      if hit != 0 { return count &- rest.count &+ hit.trailingZeroBitCount / 8 }
      rest = rest.extracting(droppingFirst: 8)
    }
    let hit = lineEnds(lastWord(from: count &- rest.count))
    return hit == 0 ? nil : count &- rest.count &+ hit.trailingZeroBitCount / 8
  }
}

extension Span where Element == UInt8 {
  /// The index of the first CR or LF at or after `start`, and that of the first `byte` before it; -1 for none.
  @inlinable
  public func firstLineEnd(from start: Int, noting byte: UInt8) -> (end: Int, noted: Int) {
    let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
    guard start <= count else { return (-1, -1) }
    var rest = extracting(droppingFirst: start)
    var noted = -1
    while rest.count >= 8 {
      let word = rest.word(at: 0)
      if noted < 0 {
        let hit = zeroBytes(word ^ pattern)
        if hit != 0 { noted = count &- rest.count &+ hit.trailingZeroBitCount / 8 }
      }
      if bytesBelow14(word) != 0 {
        let ends = lineEnds(word)
        if ends != 0 {
          let end = count &- rest.count &+ ends.trailingZeroBitCount / 8
          return (end, noted < end ? noted : -1)
        }
      }
      rest = rest.extracting(droppingFirst: 8)
    }
    for index in (count &- rest.count)..<count {
      if self[index] == 0x0A || self[index] == 0x0D { return (index, noted) }
      if noted < 0, self[index] == byte { noted = index }
    }
    return (-1, noted)
  }
}

/// Whether one of 32 bytes is below 14.
///
/// Arithmetic on vectors of words becomes vector instructions; comparing vectors of bytes does not.
@inlinable @inline(__always)
func hasByteBelow14(_ words: SIMD4<UInt64>) -> Bool {
  let low = (words &- SIMD4(repeating: 0x0E0E_0E0E_0E0E_0E0E)) & ~words
  let both = low.lowHalf | low.highHalf
  return (both[0] | both[1]) & 0x8080_8080_8080_8080 != 0
}

/// The high bit of the lowest byte below 14, and perhaps of bytes above it.
@inlinable @inline(__always)
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
