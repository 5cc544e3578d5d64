import GoldwireBytes

extension [UInt8] {
  /// Appends `bytes` without their mask, whose first byte is the lowest; 0 for none.
  mutating func append(_ bytes: Span<UInt8>, mask: UInt32) {
    append(addingCapacity: bytes.count) { out in
      var rest = mask
      for index in bytes.indices {
        out.append(bytes[index] ^ UInt8(truncatingIfNeeded: rest))
        rest = rest >> 8 | rest << 24
      }
    }
  }
}
