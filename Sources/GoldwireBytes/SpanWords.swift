/// Whole numbers at an offset of a byte span; every read is bounds-checked by the span.
extension Span where Element == UInt8 {
  /// The big-endian 16-bit number at `offset`.
  @inlinable
  public func be16(at offset: Int) -> UInt16 {
    let word = extracting(offset..<(offset &+ 2))
    return UInt16(word[0]) << 8 | UInt16(word[1])
  }

  /// The big-endian 32-bit number at `offset`.
  @inlinable
  public func be32(at offset: Int) -> UInt32 {
    let word = extracting(offset..<(offset &+ 4))
    return UInt32(word[0]) << 24 | UInt32(word[1]) << 16 | UInt32(word[2]) << 8 | UInt32(word[3])
  }

  /// The little-endian 16-bit number at `offset`.
  @inlinable
  public func le16(at offset: Int) -> UInt16 { be16(at: offset).byteSwapped }

  /// The little-endian 32-bit number at `offset`.
  @inlinable
  public func le32(at offset: Int) -> UInt32 { be32(at: offset).byteSwapped }

  /// The eight bytes at `offset` as one little-endian word.
  ///
  /// The load is bounds-checked; only its free choice of type is unsafe, and that is fixed here.
  @inlinable
  public func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
