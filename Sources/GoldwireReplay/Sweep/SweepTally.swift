/// What one point of a sweep came to over all traces.
public struct SweepTally: Equatable, Sendable {
  /// Channels, requests or streams that could be asked.
  public var parts = 0
  /// Those of which the verdict is inconclusive.
  public var inconclusive = 0
  /// Those that a change to this point would have made worse.
  public var regressions = 0
  /// Those that it would have made better.
  public var improvements = 0
  /// Pings, sends, or connections of a stream.
  public var sends = 0
  /// Closes of a heartbeat, sends that were refused, or further connections of a stream.
  public var closes = 0
  /// Closes of a connection whose peer was alive, requests that were not delivered, or streams given up for silence.
  public var failures = 0
  /// Deaths of a peer that ended a recorded connection, and that were not noticed before the recording ended.
  public var missed = 0
  /// In microseconds: how long a death went unnoticed, the time to success, or how long events waited.
  public var delays: [Int] = []
  /// The most sends of a herd within a second.
  public var herdPeak = 0
  /// The most within a second that reach the server when it is back.
  public var herdReturn = 0
  /// How far those lie apart but for a twentieth at each end, in microseconds.
  public var herdSpread = 0
  /// How many of a herd have given up by then.
  public var herdLost = 0

  /// Makes one of nothing.
  public init() {}

  /// Adds what another trace came to.
  mutating func add(_ other: SweepTally) {
    parts += other.parts
    inconclusive += other.inconclusive
    regressions += other.regressions
    improvements += other.improvements
    sends += other.sends
    closes += other.closes
    failures += other.failures
    missed += other.missed
    delays += other.delays
    herdPeak = max(herdPeak, other.herdPeak)
    herdReturn = max(herdReturn, other.herdReturn)
    herdSpread = max(herdSpread, other.herdSpread)
    herdLost = max(herdLost, other.herdLost)
  }

  mutating func count(_ verdict: CausalVerdict) {
    parts += 1
    switch verdict {
    case .same: break
    case .regression: regressions += 1
    case .improvement: improvements += 1
    case .inconclusive: inconclusive += 1
    }
  }

  /// The shortest delay that so many of a thousand do not exceed; nil where there is none.
  public func delay(perMille: Int) -> Int? {
    guard !delays.isEmpty else { return nil }
    let sorted = delays.sorted()
    let rank = (sorted.count * perMille + 999) / 1_000
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// The longest delay.
  public var worst: Int? { delays.max() }
}
