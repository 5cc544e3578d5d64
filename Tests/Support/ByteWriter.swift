/// Whole numbers appended to a byte array in either order, for the builders of test data.
extension [UInt8] {
  /// Appends a number in the byte order that is asked for.
  public mutating func put<Number: FixedWidthInteger>(_ number: Number, bigEndian: Bool = true) {
    for index in 0..<Number.bitWidth / 8 {
      let shift = bigEndian ? Number.bitWidth - 8 - 8 * index : 8 * index
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Overwrites two bytes with a big-endian number.
  public mutating func set16(_ number: UInt16, at offset: Int) {
    self[offset] = UInt8(number >> 8)
    self[offset + 1] = UInt8(truncatingIfNeeded: number)
  }

  /// The ones' complement sum that IP and TCP use, not yet inverted.
  public func internetSum(from start: UInt32 = 0) -> UInt32 {
    var sum = start
    for index in stride(from: 0, to: count, by: 2) {
      sum += UInt32(self[index]) << 8 | UInt32(index + 1 < count ? self[index + 1] : 0)
      sum = (sum & 0xFFFF) + sum >> 16
    }
    return sum
  }
}
