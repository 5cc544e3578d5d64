/// How the ticks of an interface become microseconds.
struct TimestampResolution: Sendable {
  /// The latest instant that is given out, in microseconds; far beyond any clock, far below overflow.
  static let latest = 1 << 62

  private let power: UInt8
  private let multiplier: UInt64
  private let divisor: UInt64
  private let offset: Int

  /// Takes the value of `if_tsresol` and `if_tsoffset`.
  init(option: UInt8 = 6, offsetSeconds: Int64 = 0) {
    power = option
    let exponent = Int(option & 0x7F)
    multiplier = exponent < 6 ? Self.ten(to: 6 - exponent) : 1
    divisor = exponent > 6 ? Self.ten(to: exponent - 6) : 1
    let (product, overflow) = Int(clamping: offsetSeconds).multipliedReportingOverflow(by: 1_000_000)
    offset = overflow ? (offsetSeconds < 0 ? Int.min : Int.max) : product
  }

  /// The length of a tick in microseconds, rounded down; at least 1.
  var grain: Int {
    if power < 0x80 { return Int(clamping: multiplier) }
    let shift = UInt64(power & 0x7F)
    return shift < 20 ? max(1, 1_000_000 >> Int(shift)) : 1
  }

  /// The instant in microseconds since 1970, rounded down, held between 0 and `latest`.
  func microseconds(_ ticks: UInt64) -> Int {
    let scaled = power < 0x80 ? decimal(ticks) : binary(ticks)
    let (sum, overflow) = Int(clamping: scaled).addingReportingOverflow(offset)
    let instant = overflow ? (offset < 0 ? Int.min : Int.max) : sum
    return min(max(instant, 0), Self.latest)
  }

  private func decimal(_ ticks: UInt64) -> UInt64 {
    if divisor == UInt64.max { return 0 }
    if multiplier == 1 { return divisor == 1 ? ticks : ticks / divisor }
    let (product, overflow) = ticks.multipliedReportingOverflow(by: multiplier)
    return overflow ? UInt64.max : product
  }

  private func binary(_ ticks: UInt64) -> UInt64 {
    let shift = UInt64(power & 0x7F)
    let (high, low) = ticks.multipliedFullWidth(by: 1_000_000)
    if shift >= 64 { return high >> (shift - 64) }
    if shift == 0 { return high == 0 ? low : UInt64.max }
    return high >> shift == 0 ? high << (64 - shift) | low >> shift : UInt64.max
  }

  /// A power of ten, or the largest number where it does not fit.
  private static func ten(to exponent: Int) -> UInt64 {
    guard exponent < 20 else { return UInt64.max }
    var value: UInt64 = 1
    for _ in 0..<exponent { value &*= 10 }
    return value
  }
}
