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

  /// Tells whether the first `size` bytes of `text`, at most 24, stand in front.
  ///
  /// They are compared by words that overlap where the size is no power of two; of a literal the compiler
  /// folds its side of each.
  @inlinable @inline(__always)
  public func begins(with text: StaticString, _ size: Int) -> Bool {
    precondition(size <= text.utf8CodeUnitCount && size <= 24, "the literal must have the bytes compared")
    guard count >= size else { return false }
    if size >= 8 {
      let middle = Swift.min(8, size &- 8)
      return (word(at: 0) ^ text.word(at: 0)) | (word(at: middle) ^ text.word(at: middle))
        | (word(at: size &- 8) ^ text.word(at: size &- 8)) == 0
    }
    if size >= 4 {
      return (be32(at: 0) ^ text.be32(at: 0)) | (be32(at: size &- 4) ^ text.be32(at: size &- 4)) == 0
    }
    if size >= 2 {
      return (be16(at: 0) ^ text.be16(at: 0)) | (be16(at: size &- 2) ^ text.be16(at: size &- 2)) == 0
    }
    let first = unsafe text.utf8Start.pointee
    return size == 0 || self[0] == first
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
  ///
  /// They are compared by words that overlap; of the literal the compiler folds its side of each.
  @inlinable @inline(__always)
  public func equals(folded text: StaticString, in range: Range<Int>) -> Bool {
    let size = text.utf8CodeUnitCount
    guard range.count == size else { return false }
    let here = extracting(range)
    if size < 8 { return here.equals(shortFolded: text) }
    var bits = difference(here.word(at: size &- 8), folded: text.word(at: size &- 8))
    for offset in stride(from: 0, to: size &- 8, by: 8) {
      bits |= difference(here.word(at: offset), folded: text.word(at: offset))
    }
    return bits == 0
  }

  /// The same for a literal of fewer than eight bytes, as many as these are.
  @inlinable @inline(__always)
  func equals(shortFolded text: StaticString) -> Bool {
    let size = text.utf8CodeUnitCount
    if size >= 4 {
      let ends = UInt64(be32(at: 0)) << 32 | UInt64(be32(at: size &- 4))
      return difference(ends, folded: UInt64(text.be32(at: 0)) << 32 | UInt64(text.be32(at: size &- 4))) == 0
    }
    if size >= 2 {
      let ends = UInt64(be16(at: 0)) << 16 | UInt64(be16(at: size &- 2))
      return difference(ends, folded: UInt64(text.be16(at: 0)) << 16 | UInt64(text.be16(at: size &- 2))) == 0
    }
    if size == 0 { return true }
    let first = unsafe text.utf8Start.pointee
    return difference(UInt64(self[0]), folded: UInt64(first)) == 0
  }

  /// The bits in which bytes differ from lower-case ones, but for the case of letters.
  @inlinable @inline(__always)
  func difference(_ word: UInt64, folded wanted: UInt64) -> UInt64 {
    // The high bit of each wanted byte that is a small letter; no byte of a literal is above 0x7F.
    let letters =
      (wanted &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(wanted &+ 0x0505_0505_0505_0505)
      & 0x8080_8080_8080_8080
    return (word | letters >> 2) ^ wanted
  }
}

/// Whole numbers at an offset of a literal, which must have their bytes.
extension StaticString {
  @inlinable @inline(__always)
  func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: UnsafeRawPointer(utf8Start + offset).loadUnaligned(as: UInt64.self))
  }

  @inlinable @inline(__always)
  func be32(at offset: Int) -> UInt32 {
    unsafe UInt32(bigEndian: UnsafeRawPointer(utf8Start + offset).loadUnaligned(as: UInt32.self))
  }

  @inlinable @inline(__always)
  func be16(at offset: Int) -> UInt16 {
    unsafe UInt16(bigEndian: UnsafeRawPointer(utf8Start + offset).loadUnaligned(as: UInt16.self))
  }
}
