public import GoldwireTrace

/// What a replay must know of a trace before it starts: where it ends, and when the process did not run.
public struct TraceScan: Sendable {
  /// The number of lines up to and including the end of the recording.
  public let count: Int
  /// The last instant at which a machine may be woken.
  public let horizon: Int
  /// Whether the ticks of the recorded client's timers are there.
  @usableFromInline let hasTicks: Bool
  /// The spans in which the process did not run, in order and without overlaps.
  @usableFromInline let pauses: [Range<Int>]

  /// Looks through the lines once.
  public init(_ lines: [TraceLine]) {
    var pauses: [Range<Int>] = []
    var count = lines.count
    var horizon = 0
    var hasTicks = false
    // By index, since a loop over the lines would copy each.
    for index in lines.indices {
      let t = lines[index].t
      horizon = max(horizon, t)
      switch lines[index].event {
      case .recPause(let length, _):
        let (start, overflow) = t.subtractingReportingOverflow(max(0, length))
        Self.add((overflow ? Int.min : start)..<t, to: &pauses)
      case .recTick: hasTicks = true
      case .recEnd: count = index + 1
      default: break
      }
      if count == index + 1 { break }
    }
    self.count = count
    self.horizon = horizon
    self.hasTicks = hasTicks
    self.pauses = pauses
  }

  private static func add(_ pause: Range<Int>, to pauses: inout [Range<Int>]) {
    guard !pause.isEmpty else { return }
    var start = pause.lowerBound
    while let last = pauses.last, last.upperBound > start {
      start = min(start, last.lowerBound)
      pauses.removeLast()
    }
    pauses.append(start..<pause.upperBound)
  }

  /// The instant itself, or the end of the pause that it falls into.
  @inlinable
  func afterPause(_ instant: Int) -> Int {
    guard !pauses.isEmpty else { return instant }
    var low = 0
    var high = pauses.count
    while low < high {
      let middle = (low &+ high) / 2
      if pauses[middle].upperBound > instant { high = middle } else { low = middle &+ 1 }
    }
    guard low < pauses.count, pauses[low].lowerBound < instant else { return instant }
    return pauses[low].upperBound
  }
}
