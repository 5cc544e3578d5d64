/// Text written by hand into an output span: literals and decimal numbers, without allocation.
extension OutputSpan where Element == UInt8 {
  /// Appends the bytes of an ASCII literal, but for so many at its end.
  @inlinable @inline(__always)
  public mutating func put(_ text: StaticString, droppingLast dropped: Int = 0) {
    text.withUTF8Buffer { bytes in
      unsafe withUnsafeMutableBufferPointer { room, initialized in
        let count = bytes.count &- dropped
        precondition(dropped >= 0 && count >= 0, "the literal must have the bytes that are dropped")
        precondition(count <= room.count &- initialized, "the text must fit")
        guard let from = bytes.baseAddress, let to = room.baseAddress else { return }
        unsafe (to + initialized).initialize(from: from, count: count)
        initialized &+= count
      }
    }
  }

  /// Appends a whole number in decimal.
  @inlinable @inline(__always)
  public mutating func put(_ number: Int) {
    if UInt(bitPattern: number) < 10 {
      append(UInt8(truncatingIfNeeded: number) | 0x30)
    } else {
      put(digitsOf: number)
    }
  }

  /// Appends a number of more than one digit, or with a sign.
  @usableFromInline @inline(never)
  mutating func put(digitsOf number: Int) {
    guard UInt(bitPattern: number) < 10_000 else { return put(long: number) }
    let digits = fourDigits(UInt32(truncatingIfNeeded: number))
    let zeros = UInt32(truncatingIfNeeded: digits.trailingZeroBitCount) & 24
    put(UInt64((digits | 0x3030_3030) >> zeros), count: 4 &- Int(zeros >> 3))
  }

  /// Appends a number of more than four digits, or with a sign.
  @inline(never)
  private mutating func put(long number: Int) {
    if number < 0 {
      append(0x2D)
      // The least number has no opposite, but its magnitude does.
      if number > -10_000 { return put(-number) }
    }
    let magnitude = number.magnitude
    if magnitude < 100_000_000 { return put(first: eightDigits(magnitude)) }
    let (upper, lower) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
    if upper < 10 {
      append(UInt8(truncatingIfNeeded: upper) | 0x30)
    } else if upper < 100_000_000 {
      put(first: eightDigits(upper))
    } else {
      let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
      put(first: eightDigits(top))
      put(0x3030_3030_3030_3030 | eightDigits(middle), count: 8)
    }
    put(0x3030_3030_3030_3030 | eightDigits(lower), count: 8)
  }

  /// Appends eight digits but for the zeros in front of them; not all are zero.
  @inline(__always)
  private mutating func put(first digits: UInt64) {
    let zeros = UInt64(truncatingIfNeeded: digits.trailingZeroBitCount) & 56
    put((digits | 0x3030_3030_3030_3030) >> zeros, count: 8 &- Int(truncatingIfNeeded: zeros >> 3))
  }

  /// Appends the lowest `size` bytes of a word, the lowest first.
  @inlinable @inline(__always)
  mutating func put(_ word: UInt64, count size: Int) {
    let isDone = unsafe withUnsafeMutableBufferPointer { room, initialized in
      guard room.count &- initialized >= 8, let base = room.baseAddress else { return false }
      unsafe UnsafeMutableRawPointer(base + initialized).storeBytes(of: word.littleEndian, as: UInt64.self)
      initialized &+= size
      return true
    }
    if !isDone { putNearEnd(word, count: size) }
  }

  /// Appends them one by one, where fewer than eight bytes are free.
  @usableFromInline @inline(never)
  mutating func putNearEnd(_ word: UInt64, count size: Int) {
    for index in 0..<size { append(UInt8(truncatingIfNeeded: word >> UInt64(8 &* index))) }
  }
}

/// The eight digits of a number below 100,000,000, the first in the lowest byte.
@inline(__always)
private func eightDigits(_ number: UInt) -> UInt64 {
  let (high, low) = number.quotientAndRemainder(dividingBy: 10_000)
  let fours = UInt64(high) | UInt64(low) << 32
  let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007F_0000_007F
  let twos = hundreds | ((fours &- hundreds &* 100) << 16)
  let tens = ((twos &* 103) >> 10) & 0x000F_000F_000F_000F
  return tens | ((twos &- tens &* 10) << 8)
}

/// The four digits of a number below 10,000, the first in the lowest byte.
@inline(__always)
private func fourDigits(_ number: UInt32) -> UInt32 {
  let hundreds = (number &* 5_243) >> 19
  let twos = hundreds | ((number &- hundreds &* 100) << 16)
  let tens = ((twos &* 103) >> 10) & 0x000F_000F
  return tens | ((twos &- tens &* 10) << 8)
}

extension [UInt8] {
  /// Appends a copy of `span`.
  @inlinable
  public mutating func append(_ span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { bytes in unsafe append(contentsOf: bytes) }
  }

  /// Copies `span` over the bytes from `offset` on, which must all be there.
  @inlinable
  public mutating func overwrite(at offset: Int, with span: Span<UInt8>) {
    precondition(offset >= 0 && span.count <= count - offset, "the bytes must lie within the array")
    unsafe withUnsafeMutableBufferPointer { target in
      unsafe span.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe (to + offset).update(from: from, count: source.count)
      }
    }
  }
}

extension MutableSpan where Element == UInt8 {
  /// Copies `span` over the bytes from `offset` on, which must all be there.
  @inlinable @inline(__always)
  public mutating func overwrite(at offset: Int, with span: Span<UInt8>) {
    precondition(offset >= 0 && span.count <= count - offset, "the bytes must lie within the span")
    unsafe withUnsafeMutableBufferPointer { target in
      unsafe span.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe (to + offset).update(from: from, count: source.count)
      }
    }
  }
}
