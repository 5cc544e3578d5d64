/// The longest waits, where so many are alike that the cap must hold them down after they were made random.
struct CapHeap {
  /// The caps that explain all waits so.
  let cap: (low: Int, high: Int)
  /// One in how many recordings would have as many waits so near the longest one by chance, at most, had the cap come
  /// first.
  let rarity: Double
  /// The lines of the waits that are alike.
  let lines: [Int]

  /// How rare chance must be so that it is left out of account.
  static let least = 1e6
}

extension BackoffFit {
  /// The waits that heap at the longest one, where a cap that comes behind the jitter explains all waits; nil elsewhere.
  ///
  /// Held down first and made random then, a wait lies as often in any part of its range as in another of that width.
  func heap(_ waits: [RetryObservations.Wait], _ tolerance: TimerTolerance) -> CapHeap? {
    let own = waits.filter { $0.server == nil }
    guard kind == .equal, !isFirstAtOnce, cap != nil, let longest = own.map(\.length).max(),
      let range = capsBehindJitter(waits, longest, tolerance)
    else { return nil }
    let width = tolerance.early + tolerance.slack
    let heap = own.filter { $0.length >= longest - width }
    guard heap.count > 2, let first = heap.map(\.index).min() else { return nil }
    let (least, most) = kind.part
    // What was late moves a wait by the slack at most, so that as much more of its range leads there.
    let room = max(1, Double(longest - width - tolerance.slack) * (most - least) / most)
    let part = min(1, Double(width + tolerance.slack) / room)
    let count = own.count { $0.index >= first }
    let ways = Double(count) * Double((own.map(\.index).max() ?? 0) + 1)
    let chance = min(1, ways * Self.share(of: heap.count - 1, among: count - 1, each: part))
    return CapHeap(cap: range, rarity: 1 / max(chance, 1e-12), lines: heap.map(\.line))
  }

  /// At most so likely are `some` of `all` events, each of that chance by itself.
  private static func share(of some: Int, among all: Int, each chance: Double) -> Double {
    var (product, scale) = (1.0, 0)
    for step in stride(from: 1, through: some, by: 1) {
      product *= Double(all + 1 - step) / Double(step) * chance
      if product > 1e100 { (product, scale) = (product * 1e-100, scale + 1) }
      if product < 1e-100 { (product, scale) = (product * 1e100, scale - 1) }
    }
    return scale == 0 ? product : scale < 0 ? 0 : .infinity
  }

  /// The caps under which each wait is made random and held down then, at least one of them held; nil for none.
  private func capsBehindJitter(
    _ waits: [RetryObservations.Wait], _ longest: Int, _ tolerance: TimerTolerance
  ) -> (low: Int, high: Int)? {
    let low = max(1, longest - tolerance.slack)
    let (least, most) = kind.part
    var high: Int?
    for twentieth in 20...200 {
      let factor = Double(twentieth) * Self.step
      let margin = (factor + Self.step) / factor
      // The bases that explain all waits under the lowest cap, which asks the least of them.
      var (from, through) = (0.0, Double.infinity)
      for wait in waits {
        let (growth, loose) = (power(factor, wait.index), power(margin, wait.index))
        if wait.server == nil {
          from = max(from, Double(wait.length - tolerance.slack) / (most * growth * loose))
        }
        if wait.length + tolerance.early < low {
          through = min(through, Double(wait.length + tolerance.early) / (least * growth) * loose)
        }
      }
      guard from <= through else { continue }
      // Waits that the least of those bases makes longer than they are were held down.
      let held = waits.filter { wait in
        let loose = power(margin, wait.index)
        return from * least * power(factor, wait.index) / loose > Double(wait.length + tolerance.early)
      }
      high = max(high ?? 0, (held.map(\.length).min() ?? longest) + tolerance.early)
    }
    return high.map { (low, max(low, min($0, longest + tolerance.early))) }
  }
}
