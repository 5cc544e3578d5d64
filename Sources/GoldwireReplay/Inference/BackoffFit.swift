/// The backoffs of one kind of jitter that explain every wait that was seen.
///
/// The wait before retry k is drawn from `a` to `b` times `base · factor^k`, or the cap where that is less. A wait
/// that the server lengthened bounds it from above alone. Factors are tried in steps of a twentieth.
struct BackoffFit {
  /// The kinds of jitter, the narrowest first.
  enum Kind: String, CaseIterable {
    /// None: exactly the delay.
    case none
    /// Half of the delay to all of it: what the machine does.
    case equal
    /// Nothing to all of the delay.
    case full
    /// The base to three times the wait before it.
    case decorrelated

    /// The least and the greatest part of the delay.
    var part: (least: Double, most: Double) {
      switch self {
      case .none: (1, 1)
      case .equal: (0.5, 1)
      case .full: (0, 1)
      case .decorrelated: (1, 3)
      }
    }
  }

  let kind: Kind
  /// Whether the first retry comes at once, and the backoff begins with the second.
  let isFirstAtOnce: Bool
  private(set) var base: (low: Int, high: Int?)?
  private(set) var factor: (low: Double, high: Double)?
  /// The cap; nil where no wait shows one.
  private(set) var cap: (low: Int, high: Int?)?
  /// The first retry whose wait is the cap.
  private var capped = Int.max

  static let step = 0.05

  init?(
    _ kind: Kind, _ waits: [RetryObservations.Wait], _ tolerance: TimerTolerance, isFirstAtOnce: Bool
  ) {
    self.kind = kind
    self.isFirstAtOnce = isFirstAtOnce
    var counted = waits
    if isFirstAtOnce {
      let first = waits.filter { $0.index == 0 && $0.server == nil }
      guard !first.isEmpty, first.allSatisfy({ $0.length <= tolerance.slack }) else { return nil }
      counted.removeAll { $0.index == 0 }
    }
    guard counted.contains(where: { $0.server == nil }) else { return nil }
    if kind == .decorrelated {
      guard !isFirstAtOnce else { return nil }
      fitDecorrelated(counted, tolerance)
    } else {
      fitGrowing(counted, tolerance)
    }
    if base == nil { return nil }
  }

  /// Tries every factor without a cap, then with one from each retry on.
  private mutating func fitGrowing(_ waits: [RetryObservations.Wait], _ tolerance: TimerTolerance) {
    let last = waits.filter { $0.server == nil }.map(\.index).max() ?? 0
    let isOneIndex = Set(waits.filter { $0.server == nil }.map(\.index)).count < 2
    for start in [last + 1] + stride(from: last, to: 0, by: -1) where base == nil {
      for twentieth in 20...200 {
        let factor = Double(twentieth) * Self.step
        // A cap is only seen where the delays before it grow.
        if start <= last, factor == 1 || start < 2 { continue }
        guard let range = range(waits.filter { $0.index < start }, factor, tolerance) else { continue }
        if start <= last {
          guard let top = self.range(waits.filter { $0.index >= start }, 1, tolerance, isCap: true),
            Double(top.low) <= Double(range.high ?? .max) * power(factor, start),
            Double(top.high ?? .max) >= Double(range.low) * power(factor, start - 1)
          else { continue }
          cap = Self.hull(cap, top)
          capped = start
        }
        base = Self.hull(base, range)
        if !isOneIndex {
          self.factor = (min(self.factor?.low ?? factor, factor), max(self.factor?.high ?? factor, factor))
        }
      }
    }
    // The true factor lies between two that were tried.
    if let (low, high) = factor { factor = (max(1, low - Self.step), high + Self.step) }
  }

  /// The bases that explain the waits below the cap with exactly this factor; nil for none.
  func bases(
    at factor: Double, _ waits: [RetryObservations.Wait], _ tolerance: TimerTolerance
  ) -> (low: Int, high: Int?)? {
    let counted = waits.filter { (!isFirstAtOnce || $0.index > 0) && $0.index < capped }
    return kind == .decorrelated ? base : range(counted, factor, tolerance, hasMargin: false)
  }

  /// The bases that explain the waits with a factor near this one; nil for none.
  private func range(
    _ waits: [RetryObservations.Wait], _ factor: Double, _ tolerance: TimerTolerance, isCap: Bool = false,
    hasMargin: Bool = true
  ) -> (low: Int, high: Int?)? {
    var (low, high) = (1.0, Double.infinity)
    let (least, most) = kind.part
    for wait in waits {
      let growth = isCap ? 1 : power(factor, wait.index)
      if wait.server == nil { low = max(low, Double(wait.length - tolerance.slack) / (most * growth)) }
      if least > 0 { high = min(high, Double(wait.length + tolerance.early) / (least * growth)) }
    }
    guard low <= high else { return nil }
    // A step of the factor to either side moves the base by as much, to the power of the latest retry.
    let margin = isCap || !hasMargin ? 1 : power((factor + Self.step) / factor, waits.map(\.index).max() ?? 0)
    if !hasMargin {
      let (least, most) = (low.rounded(.up), high.rounded(.down))
      return least <= most ? (Self.whole(least), high.isFinite ? Self.whole(most) : nil) : nil
    }
    return (Self.whole(low / margin), high.isFinite ? Self.whole((high * margin).rounded(.up)) : nil)
  }

  private mutating func fitDecorrelated(_ waits: [RetryObservations.Wait], _ tolerance: TimerTolerance) {
    var (low, high) = (1, Int.max)
    var before: RetryObservations.Wait?
    for wait in waits {
      if wait.server == nil { high = min(high, wait.length + tolerance.early) }
      if wait.server == nil, wait.index == 0 { low = max(low, (wait.length - tolerance.slack) / 3) }
      if let before, wait.index == before.index + 1, before.server == nil, wait.server == nil,
        wait.length - tolerance.slack > 3 * (before.length + tolerance.early)
      {
        return
      }
      before = wait
    }
    if low <= high { base = (max(1, low), high == .max ? nil : high) }
  }

  func power(_ factor: Double, _ exponent: Int) -> Double {
    var product = 1.0
    for _ in 0..<min(max(0, exponent - (isFirstAtOnce ? 1 : 0)), 1_000) { product *= factor }
    return product
  }

  private static func whole(_ value: Double) -> Int { Int(min(max(1, value), 9e15)) }

  private static func hull(
    _ one: (low: Int, high: Int?)?, _ two: (low: Int, high: Int?)
  ) -> (low: Int, high: Int?) {
    guard let one else { return two }
    let high = one.high.flatMap { first in two.high.map { max(first, $0) } }
    return (min(one.low, two.low), high)
  }
}

extension BackoffFit {
  /// One in how many recordings would have waits as alike as these by chance, at most; nil for no kind of jitter.
  ///
  /// Of `n` draws from an interval of width `w`, all lie within `s` of each other in at most `n · (s/w)^(n−1)`.
  func rarity(_ waits: [RetryObservations.Wait], _ tolerance: TimerTolerance) -> Double? {
    let (least, most) = kind.part
    guard most > least, kind != .decorrelated else { return nil }
    var chance = 1.0
    for index in Set(waits.map(\.index)) where !(isFirstAtOnce && index == 0) {
      let lengths = waits.filter { $0.index == index && $0.server == nil }.map(\.length)
      guard lengths.count > 1, let short = lengths.min(), let long = lengths.max() else { continue }
      let width = max(1, Double(long - tolerance.slack) * (most - least) / most)
      let share = min(1, Double(max(1, long - short)) / width)
      var product = Double(lengths.count)
      for _ in 1..<lengths.count { product *= share }
      chance *= min(1, product)
    }
    return chance < 1 ? 1 / max(chance, 1e-12) : 1
  }
}
