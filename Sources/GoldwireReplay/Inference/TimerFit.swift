/// How punctual a recorded client's timers are taken to be, in the trace's unit.
struct TimerTolerance: Equatable, Sendable {
  /// So much before its time an action may stand in the recording.
  var early: Int
  /// So much after its time it may stand there.
  var slack: Int
}

/// One length of time between two lines, and what it says of a timer.
struct TimerSpan: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// The timer ran off at its end.
    case exact
    /// The timer ran off at its end or before.
    case atMost
    /// The timer had not run off by its end.
    case atLeast
  }

  var kind: Kind
  var length: Int
  /// The index of the line at its end.
  var line: Int
  /// The index of the line that it is counted from, where a length may follow another of the same timer.
  var from: Int?
  /// Whether the timer was set where it begins, so that nothing is late there.
  var isFirst = false
  /// Whether what ended it may have been the user's, where it is exact and no other length bears it out.
  var isDoubtful = false
}

/// The settings of one timer that explain the most of what was seen.
///
/// A timer that is set to `s` runs off `s` to `s + slack` later, and is seen up to `early` before that. So each
/// exact length bounds `s` from both sides, and all of them together by what their bounds share. Where they share
/// nothing, those that the most agree on count, if they are more than half; the rest are strays.
///
/// A periodic timer may be set anew whenever it has run off, or keep to its instants: then the length behind one that
/// was late is shorter by as much, and only many lengths in a row bound the setting closely from above.
struct TimerFit: Equatable, Sendable {
  /// The shortest setting; nil where nothing bounds it.
  private(set) var low: Int?
  /// The longest setting; nil where nothing bounds it.
  private(set) var high: Int?
  /// The longest setting under which no length is shorter than it may be, if each row of them began in time.
  private var punctual: Int?
  /// The exact lengths that agree, in order of their length.
  private(set) var used: [TimerSpan] = []
  /// How many lengths of any kind agree.
  private(set) var agreeing = 0
  /// Those that do not fit.
  private(set) var strays: [TimerSpan] = []
  /// Whether the exact lengths contradict each other so much that none of them count.
  private(set) var isTorn = false
  /// The longest less the shortest exact length, of all of them.
  private(set) var residual: Int?
  /// The lines that decide the bounds.
  private(set) var deciding: [Int] = []
  /// The doubtful lengths that no other bears out: they count only as lengths that the timer had not run off in.
  private(set) var alone: [TimerSpan] = []
  /// All that do not fit, or that nothing bears out.
  var misfits: Int { strays.count + alone.count }

  init(_ spans: [TimerSpan], _ tolerance: TimerTolerance, isPeriodic: Bool = false) {
    let spans = told(spans, tolerance)
    // By how much a length may be shorter than the setting, since the one before was late.
    let carried = isPeriodic ? tolerance.slack : 0
    let exact = spans.filter { $0.kind == .exact }.sorted { $0.length < $1.length }
    if let first = exact.first, let last = exact.last { residual = last.length - first.length }
    let window = Self.widest(exact, within: tolerance.early + tolerance.slack)
    if window.count * 2 > exact.count {
      used = Array(exact[window])
      strays = Array(exact[..<window.lowerBound] + exact[window.upperBound...])
    } else {
      isTorn = !exact.isEmpty
      strays = exact
    }
    if let first = used.first, let last = used.last {
      low = max(1, last.length - tolerance.slack)
      high = first.length + tolerance.early + carried
      deciding = [first.line, last.line]
      if isPeriodic { boundRuns(tolerance) }
    }
    agreeing = used.count
    if !isTorn { bound(spans, tolerance, carried) }
  }

  /// The lengths as they count: a doubtful one that no other exact one lies near says nothing from above.
  private mutating func told(_ spans: [TimerSpan], _ tolerance: TimerTolerance) -> [TimerSpan] {
    let exact = spans.filter { $0.kind == .exact }.map(\.length).sorted()
    let width = tolerance.early + tolerance.slack
    return spans.map { span in
      guard span.kind == .exact, span.isDoubtful,
        exact.count(where: { abs($0 - span.length) <= width }) < 2
      else { return span }
      alone.append(span)
      return TimerSpan(kind: .atLeast, length: span.length, line: span.line)
    }
  }

  /// Lengths in a row: all together they are shorter than so many settings by no more than one lateness.
  private mutating func boundRuns(_ tolerance: TimerTolerance) {
    let byStart = Dictionary(used.map { ($0.from, $0) }) { first, _ in first }
    let ends = Set(used.map { Optional($0.line) })
    for first in used where !ends.contains(first.from) {
      var (sum, count, span) = (0, 0, Optional(first))
      while let one = span {
        (sum, count) = (sum + one.length, count + 1)
        let least = sum / count + tolerance.early
        let most = first.isFirst ? least : (sum + tolerance.slack) / count + tolerance.early
        if let high, most < high { (self.high, deciding) = (most, deciding.prefix(1) + [one.line]) }
        punctual = min(punctual ?? least, least)
        span = byStart[one.line]
      }
    }
    if let low, let high { self.high = max(low, high) }
  }

  /// The lengths that say only that the timer was no longer, or no shorter.
  private mutating func bound(_ spans: [TimerSpan], _ tolerance: TimerTolerance, _ carried: Int) {
    for span in spans where span.kind != .exact {
      switch span.kind {
      case .exact: break
      case .atMost:
        let most = span.length + tolerance.early + carried
        if let low, most < low {
          strays.append(span)
        } else {
          agreeing += 1
          if most < high ?? Int.max { (high, deciding) = (most, deciding + [span.line]) }
        }
      case .atLeast:
        let least = span.length - tolerance.slack
        if let high, least > high {
          strays.append(span)
        } else {
          agreeing += 1
          if least > low ?? 0 { (low, deciding) = (least, deciding + [span.line]) }
        }
      }
    }
  }

  /// The places of the most lengths that lie within a width of each other; of several such, the first.
  private static func widest(_ sorted: [TimerSpan], within width: Int) -> Range<Int> {
    var best = 0..<0
    var start = 0
    for end in sorted.indices {
      while sorted[end].length - sorted[start].length > width { start += 1 }
      if end + 1 - start > best.count { best = start..<end + 1 }
    }
    return best
  }
}

extension TimerFit {
  /// The roundest setting that is allowed, near the shortest length that was seen.
  func roundest(_ unit: Int) -> Int? {
    guard let high else { return nil }
    let shortest = used.first?.length ?? high
    let near = max(low ?? 1, shortest - max(20_000 / unit, shortest / 100))
    return Self.roundest(from: near, through: max(near, min(high, punctual ?? high)), unit)
  }

  /// The roundest setting under which the one length that nothing bears out was the timer's; nil where none is.
  func roundestAlone(_ unit: Int, _ tolerance: TimerTolerance) -> Int? {
    guard alone.count == 1, let length = alone.first?.length else { return nil }
    let near = max(low ?? 1, length - max(20_000 / unit, length / 100))
    return Self.roundest(from: near, through: length + tolerance.early, unit)
  }

  /// The roundest number of a range, in a unit of so many microseconds.
  static func roundest(from low: Int, through high: Int, _ unit: Int) -> Int? {
    guard low <= high, high > 0 else { return nil }
    for step in [
      60_000_000, 10_000_000, 5_000_000, 1_000_000, 500_000, 100_000, 50_000, 10_000, 5_000, 1_000,
    ]
    where step >= unit {
      let round = high / (step / unit) * (step / unit)
      if round >= max(1, low) { return round }
    }
    return max(1, min(high, max(low, high)))
  }
}
