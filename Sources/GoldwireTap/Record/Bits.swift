/// Numbers put side by side into one word.
enum Bits {
  /// A number that may be absent: 0 is none, and numbers below zero count as zero.
  @inline(__always)
  static func optional(_ number: Int?) -> UInt64 {
    guard let number else { return 0 }
    return UInt64(clamping: number) &+ 1
  }

  /// The number that ``optional(_:)`` stored.
  static func optional(_ word: UInt64) -> Int? { word == 0 ? nil : Int(clamping: word &- 1) }

  /// A yes or no that may be absent.
  @inline(__always)
  static func flag(_ flag: Bool?) -> UInt64 {
    guard let flag else { return 0 }
    return flag ? 2 : 1
  }

  /// The yes or no that ``flag(_:)`` stored, in the lowest two bits.
  static func flag(_ word: UInt64) -> Bool? { word & 3 == 0 ? nil : word & 3 == 2 }

  /// A request's number, its try and its hop.
  @inline(__always)
  static func attempt(_ req: Int, _ attempt: Int, _ hop: Int = 0) -> UInt64 {
    UInt64(UInt32(clamping: req)) | UInt64(UInt16(clamping: attempt)) << 32 | UInt64(UInt16(clamping: hop))
      << 48
  }

  /// The request's number, its try, and its hop where there is one.
  static func attempt(_ word: UInt64) -> (req: Int, attempt: Int, hop: Int?) {
    let hop = Int(word >> 48)
    return (Int(word & 0xFFFF_FFFF), Int(word >> 32 & 0xFFFF), hop == 0 ? nil : hop)
  }

  /// A number with a sign.
  @inline(__always)
  static func signed(_ number: Int) -> UInt64 { UInt64(bitPattern: Int64(number)) }

  /// The number that ``signed(_:)`` stored.
  static func signed(_ word: UInt64) -> Int { Int(Int64(bitPattern: word)) }
}
