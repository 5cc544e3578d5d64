/// Searches in instants that are in order.
extension [Double] {
  /// The place of the first one after an instant.
  func place(after instant: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place of the first one at an instant or after it.
  func place(from instant: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first one after an instant.
  func first(after instant: Double) -> Double? {
    let place = place(after: instant)
    return place < count ? self[place] : nil
  }

  /// The first one at an instant or after it.
  func first(from instant: Double) -> Double? {
    let place = place(from: instant)
    return place < count ? self[place] : nil
  }

  /// Those between two instants, without either.
  func between(_ start: Double, _ end: Double) -> ArraySlice<Double> {
    let low = place(after: start)
    return self[low..<Swift.max(low, place(from: end))]
  }
}

extension Double {
  /// The instant as a machine sees it: a whole unit, rounded down, held within the clock's range.
  var whole: Int {
    let limit = 4.6e18
    return Int(Swift.min(Swift.max(isNaN ? 0 : self, -limit), limit).rounded(.down))
  }
}
