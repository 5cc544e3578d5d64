/// Whole numbers at an offset of a byte span; every read is bounds-checked by the span.
///
/// The loads are checked against the span's bounds; only their free choice of type is unsafe, and that is
/// fixed here.
extension Span where Element == UInt8 {
  /// The big-endian 16-bit number at `offset`.
  @inlinable
  public func be16(at offset: Int) -> UInt16 {
    unsafe UInt16(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The big-endian 32-bit number at `offset`.
  @inlinable
  public func be32(at offset: Int) -> UInt32 {
    unsafe UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The big-endian 64-bit number at `offset`.
  @inlinable
  public func be64(at offset: Int) -> UInt64 { word(at: offset).byteSwapped }

  /// The little-endian 16-bit number at `offset`.
  @inlinable
  public func le16(at offset: Int) -> UInt16 { be16(at: offset).byteSwapped }

  /// The little-endian 32-bit number at `offset`.
  @inlinable
  public func le32(at offset: Int) -> UInt32 { be32(at: offset).byteSwapped }

  /// The eight bytes at `offset` as one little-endian word.
  @inlinable
  public func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The 32 bytes at `offset` as four words, each in the machine's byte order.
  @inlinable @inline(__always)
  public func fourWords(at offset: Int) -> SIMD4<UInt64> {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
  }

  /// The first eight bytes as one little-endian word, with zeros above them where they are fewer.
  @inlinable
  public var firstWord: UInt64 { count >= 8 ? word(at: 0) : lastWord(from: 0) }

  /// The bytes from `offset` to the end, fewer than eight, as one little-endian word with zeros above them.
  @inlinable @inline(__always)
  public func lastWord(from offset: Int) -> UInt64 {
    let rest = count &- offset
    if rest <= 0 { return 0 }
    if count >= 8 { return word(at: count &- 8) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* rest) }
    return shortWord &>> UInt64(truncatingIfNeeded: 8 &* offset)
  }

  /// All of fewer than eight bytes as one little-endian word with zeros above them.
  @inlinable
  var shortWord: UInt64 {
    let bits = UInt64(truncatingIfNeeded: 8 &* count)
    if count >= 4 { return UInt64(le32(at: 0)) | UInt64(le32(at: count &- 4)) &<< (bits &- 32) }
    if count >= 2 { return UInt64(le16(at: 0)) | UInt64(le16(at: count &- 2)) &<< (bits &- 16) }
    return count == 1 ? UInt64(self[0]) : 0
  }

  /// Whether `count` bytes at `offset` equal the bytes of `other` at `otherOffset`; both must be in bounds.
  @inlinable
  public func equals(at offset: Int, _ other: Span<UInt8>, at otherOffset: Int, count: Int) -> Bool {
    var index = 0
    while index &+ 8 <= count {
      if word(at: offset &+ index) != other.word(at: otherOffset &+ index) { return false }
      index &+= 8
    }
    while index < count {
      if self[offset &+ index] != other[otherOffset &+ index] { return false }
      index &+= 1
    }
    return true
  }
}
