/// A whole number in ASCII digits.
enum WholeNumber: Equatable {
  /// Its value.
  case number(Int)
  /// Only digits, but more than the type can hold.
  case tooLarge
  /// Anything else, also nothing.
  case invalid

  static func read(_ bytes: Span<UInt8>, _ range: Range<Int>) -> WholeNumber {
    guard !range.isEmpty else { return .invalid }
    var value = 0
    var isTooLarge = false
    for index in range {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return .invalid }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(digit))
      isTooLarge = isTooLarge || overflow || carry
      value = isTooLarge ? 0 : sum
    }
    return isTooLarge ? .tooLarge : .number(value)
  }
}
