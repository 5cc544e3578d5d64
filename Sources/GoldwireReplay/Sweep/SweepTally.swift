/// What one point of a sweep came to over all traces.
public struct SweepTally: Equatable, Sendable {
  /// Connections, requests or streams that could be asked, and those of which the verdict is inconclusive.
  public var parts = 0
  public var inconclusive = 0
  /// Those that a change to this point would have made worse, or better.
  public var regressions = 0
  public var improvements = 0
  /// Pings or sends.
  public var sends = 0
  /// Heartbeat: closes. Retry: sends that were refused. Stream: connections.
  public var closes = 0
  /// Heartbeat: closes of a connection whose peer was alive. Retry: requests that were not delivered. Stream: connections given
  /// up for silence.
  public var failures = 0
  /// Heartbeat: how long a death went unnoticed. Retry: the time to success. Stream: how long events waited. In microseconds.
  public var delays: [Int] = []
  /// Retry: the most sends of a herd in one second, and how far its last sends lie apart, in microseconds.
  public var herdPeak = 0
  public var herdSpread = 0

  /// Adds what another trace came to.
  mutating func add(_ other: SweepTally) {
    parts += other.parts
    inconclusive += other.inconclusive
    regressions += other.regressions
    improvements += other.improvements
    sends += other.sends
    closes += other.closes
    failures += other.failures
    delays += other.delays
    herdPeak = max(herdPeak, other.herdPeak)
    herdSpread = max(herdSpread, other.herdSpread)
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

  /// The delay that so many of a thousand do not exceed; nil where there is none.
  public func delay(perMille: Int) -> Int? {
    guard !delays.isEmpty else { return nil }
    let sorted = delays.sorted()
    return sorted[min(sorted.count - 1, sorted.count * perMille / 1_000)]
  }

  /// The longest delay.
  public var worst: Int? { delays.max() }
}
