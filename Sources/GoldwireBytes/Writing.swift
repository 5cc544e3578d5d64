/// Text written by hand into an output span: literals and decimal numbers, without allocation.
extension OutputSpan where Element == UInt8 {
  /// Appends the bytes of an ASCII literal.
  @inlinable
  public mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { bytes in
      for index in 0..<bytes.count { unsafe append(bytes[index]) }
    }
  }

  /// Appends a whole number in decimal.
  @inlinable
  public mutating func put(_ number: Int) {
    if number < 0 { append(0x2D) }
    var rest = number.magnitude
    var digits: UInt64 = 0
    var upper: UInt64 = 0
    var upperest: UInt64 = 0
    var count = 0
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      upperest = upperest << 8 | upper >> 56
      upper = upper << 8 | digits >> 56
      digits = digits << 8 | UInt64(digit) | 0x30
      rest = quotient
      count &+= 1
    } while rest != 0
    while count > 0 {
      append(UInt8(truncatingIfNeeded: digits))
      digits = digits >> 8 | upper << 56
      upper = upper >> 8 | upperest << 56
      upperest >>= 8
      count &-= 1
    }
  }
}

extension [UInt8] {
  /// Appends a copy of `span`.
  @inlinable
  public mutating func append(_ span: Span<UInt8>) {
    append(addingCapacity: span.count) { out in
      for index in span.indices { out.append(span[index]) }
    }
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
