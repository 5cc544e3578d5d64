extension Int {
  /// The sum, or the largest number if it is larger; for counts.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
