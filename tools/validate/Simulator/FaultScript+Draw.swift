internal import Foundation

extension FaultScript {
  /// Draws a script for a client that beats every `interval`: thirty intervals long.
  public init(_ family: FaultFamily, seed: Int, _ traffic: Traffic, interval: Int, timeout: Int) {
    var draw = ScriptDraw(family, seed, interval, timeout)
    self.init(horizon: 30 * interval)
    delay = draw.pick([10_000, 30_000, 80_000])
    jitter = draw.pick([2_000, 10_000, 30_000])
    leastWait = draw.pick([200_000, 230_000, 1_000_000])
    mostWait = draw.pick([60_000_000, 120_000_000])
    probes = draw.pick([true, false])
    exchange(traffic, &draw)
    switch family {
    case .calm: break
    case .jitter: jitter = draw.pick([100_000, 200_000, 300_000])
    case .steps: steps = draw.steps()
    case .spikes: steps = draw.spikes()
    case .holes: holes = draw.holes(.both)
    case .holesUp: holes = draw.holes(.up)
    case .holesDown: holes = draw.holes(.down)
    case .loss: loss = draw.pick([5, 10, 30])
    case .resets: resets = draw.instants(1...3)
    case .restarts:
      restarts = draw.spans(2).map { span in
        let end = min(span.upperBound, span.lowerBound + 25_000_000)
        return Restart(span: span.lowerBound..<end, kind: draw.pick([.reset, .fin, .close]))
      }
    case .deadHost: restarts = draw.spans(2).map { Restart(span: $0, kind: .death) }
    case .idleSilent: idle = draw.idle(.silent)
    case .idleReset: idle = draw.idle(.reset)
    case .idleActive: idle = draw.idle(.active)
    case .busy: busy = draw.spans(3)
    case .pingRate: leastGap = draw.within(45 * interval / 100, 95 * interval / 100)
    case .mixed:
      steps = draw.steps()
      holes = draw.holes(draw.pick([.both, .up, .down]))
      resets = draw.instants(0...1)
    }
  }

  private mutating func exchange(_ traffic: Traffic, _ draw: inout ScriptDraw) {
    switch traffic {
    case .none: break
    case .inbound: pushes = draw.arrivals(every: 4_000_000, until: horizon)
    case .sparse:
      sends = draw.arrivals(every: 20_000_000, until: horizon)
      pushes = draw.arrivals(every: 15_000_000, until: horizon)
    case .dense:
      sends = draw.arrivals(every: 1_500_000, until: horizon)
      pushes = draw.arrivals(every: 1_500_000, until: horizon)
    case .exchanges: exchanges = Array(stride(from: 1_000_000, to: horizon, by: 2_000_000))
    }
  }
}

/// The dice of a script.
struct ScriptDraw {
  private var random: Dice
  private let interval: Int
  private let timeout: Int
  private let horizon: Int

  init(_ family: FaultFamily, _ seed: Int, _ interval: Int, _ timeout: Int) {
    let index = FaultFamily.allCases.firstIndex(of: family) ?? 0
    random = Dice(UInt64(seed) &* 1_000_003 &+ UInt64(index) &* 7_919 &+ 17)
    (self.interval, self.timeout, horizon) = (interval, timeout, 30 * interval)
  }

  mutating func within(_ low: Int, _ high: Int) -> Int { random.within(low, high) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random.within(0, elements.count - 1)]
  }

  /// Arrivals that know nothing of each other.
  mutating func arrivals(every mean: Int, until end: Int) -> [Int] {
    var instants: [Int] = []
    var t = 0
    while true {
      t += max(1, Int(-log(max(1e-12, random.unit())) * Double(mean)))
      guard t < end else { return instants }
      instants.append(t)
    }
  }

  mutating func instants(_ count: ClosedRange<Int>) -> [Int] {
    (0..<random.within(count.lowerBound, count.upperBound)).map { _ in
      random.within(8 * horizon / 100, 90 * horizon / 100)
    }.sorted()
  }

  /// How long a fault lasts: less than the timeout, up to an interval more, or some intervals.
  private mutating func length() -> Int {
    switch random.within(0, 2) {
    case 0: random.within(300_000, timeout)
    case 1: random.within(timeout, interval + timeout)
    default: random.within(interval, 3 * interval)
    }
  }

  /// Spans that do not meet.
  mutating func spans(_ count: Int) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    var t = 5 * horizon / 100
    for _ in 0..<count {
      let start = t + random.within(5 * horizon / 100, 35 * horizon / 100)
      let end = start + length()
      guard end <= 92 * horizon / 100 else { break }
      spans.append(start..<end)
      t = end
    }
    return spans
  }

  mutating func holes(_ way: FaultScript.Way) -> [FaultScript.Hole] {
    spans(random.within(1, 3)).map { FaultScript.Hole(span: $0, way: way) }
  }

  mutating func steps() -> [FaultScript.Step] {
    instants(2...6).map { FaultScript.Step(from: $0, delay: pick([0, 20_000, 100_000, 250_000])) }
  }

  mutating func spikes() -> [FaultScript.Step] {
    var steps: [FaultScript.Step] = []
    for span in spans(3) {
      let isHigh = random.within(1, 10) <= 7
      let height =
        isHigh ? random.within(3 * timeout / 10, 8 * timeout / 10) : random.within(timeout / 50, timeout / 5)
      steps.append(FaultScript.Step(from: span.lowerBound, delay: height))
      steps.append(FaultScript.Step(from: span.lowerBound + random.within(500_000, interval), delay: 0))
    }
    return steps.sorted { $0.from < $1.from }
  }

  mutating func idle(_ kind: FaultScript.IdleLimit.Kind) -> FaultScript.IdleLimit {
    FaultScript.IdleLimit(after: random.within(55 * interval / 100, 240 * interval / 100), kind: kind)
  }
}
