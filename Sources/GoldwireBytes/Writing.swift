/// Text written by hand into an output span: literals and decimal numbers, without allocation.
extension OutputSpan where Element == UInt8 {
  /// Appends the bytes of an ASCII literal.
  @inlinable @inline(__always)
  public mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { bytes in
      unsafe withUnsafeMutableBufferPointer { room, initialized in
        precondition(bytes.count <= room.count &- initialized, "the text must fit")
        guard let from = bytes.baseAddress, let to = room.baseAddress else { return }
        unsafe (to + initialized).update(from: from, count: bytes.count)
        initialized &+= bytes.count
      }
    }
  }

  /// Appends a whole number in decimal.
  @inlinable
  public mutating func put(_ number: Int) {
    if number >= 0, number < 100_000_000 { put(short: number.magnitude) } else { put(long: number) }
  }

  /// Appends a number of at most eight digits.
  @inlinable @inline(__always)
  mutating func put(short number: UInt) {
    if number < 10 { return append(UInt8(truncatingIfNeeded: number) | 0x30) }
    let digits = eightDigits(number)
    let zeros = digits.trailingZeroBitCount / 8
    put((digits | 0x3030_3030_3030_3030) >> UInt64(truncatingIfNeeded: 8 &* zeros), count: 8 &- zeros)
  }

  /// Appends a number that has a sign or more than eight digits.
  @usableFromInline @inline(never)
  mutating func put(long number: Int) {
    if number < 0 { append(0x2D) }
    let (upper, lower) = number.magnitude.quotientAndRemainder(dividingBy: 100_000_000)
    if upper == 0 { return put(short: lower) }
    let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
    if top > 0 {
      put(short: top)
      put(0x3030_3030_3030_3030 | eightDigits(middle), count: 8)
    } else {
      put(short: middle)
    }
    put(0x3030_3030_3030_3030 | eightDigits(lower), count: 8)
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
@inlinable @inline(__always)
func eightDigits(_ number: UInt) -> UInt64 {
  let (high, low) = number.quotientAndRemainder(dividingBy: 10_000)
  let fours = UInt64(high) | UInt64(low) << 32
  let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007F_0000_007F
  let twos = hundreds | ((fours &- hundreds &* 100) << 16)
  let tens = ((twos &* 103) >> 10) & 0x000F_000F_000F_000F
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
