/// Sequence numbers modulo 2^32 (RFC 9293 section 3.4).
extension UInt32 {
  /// How far `other` lies beyond this number; negative if it lies before.
  @inlinable
  func distance(toSequence other: UInt32) -> Int { Int(Int32(bitPattern: other &- self)) }

  /// The number so many bytes on.
  @inlinable
  func advanced(bySequence count: Int) -> UInt32 { self &+ UInt32(truncatingIfNeeded: count) }
}
