/// Whole numbers as Python's `int()` reads them from a header's text, which is what the reference fixture does.
enum WholeNumberText {
  /// The most digits that are read, as there.
  private static let digits = 4_300

  /// The number, held at the type's limits, and whether it is one.
  ///
  /// Blanks around it are passed over, a sign may stand before it, and single underscores between its digits. Bytes
  /// are taken for Latin-1, as there.
  static func read(_ text: [UInt8]) -> (value: Int, isNumber: Bool) {
    var rest = text[...]
    let isASCII = text.allSatisfy { $0 < 0x80 }
    while let first = rest.first, isBlank(first, isASCII) { rest = rest.dropFirst() }
    while let last = rest.last, isBlank(last, isASCII) { rest = rest.dropLast() }
    let isNegative = rest.first == 0x2D
    if isNegative || rest.first == 0x2B { rest = rest.dropFirst() }
    var value = 0
    var isOver = false
    var count = 0
    var wasDigit = false
    for byte in rest {
      if byte == 0x5F, wasDigit {
        wasDigit = false
        continue
      }
      guard byte >= 0x30, byte <= 0x39 else { return (0, false) }
      let (product, one) = value.multipliedReportingOverflow(by: 10)
      let (sum, two) = product.addingReportingOverflow(Int(byte & 0x0F))
      isOver = isOver || one || two
      value = isOver ? .max : sum
      count += 1
      wasDigit = true
    }
    guard wasDigit, count <= digits else { return (0, false) }
    return (isNegative ? -value : value, true)
  }

  private static func isBlank(_ byte: UInt8, _ isASCII: Bool) -> Bool {
    switch byte {
    case 0x09...0x0D, 0x20: true
    // Blanks of Unicode count only in a text that is more than ASCII.
    case 0x1C...0x1F, 0x85, 0xA0: !isASCII
    default: false
    }
  }
}
