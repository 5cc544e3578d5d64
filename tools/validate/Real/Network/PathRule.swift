internal import GoldwireTestSupport
internal import ValidationSimulator

/// What a path does with each packet, by a script: it loses it, or brings it later, none before one that was sent earlier.
struct PathRule {
  private let faults: FaultScript
  private var random: SeededGenerator
  private var last = (up: 0, down: 0)

  init(_ faults: FaultScript, seed: UInt64) {
    self.faults = faults
    random = SeededGenerator(seed: seed)
  }

  /// When a packet arrives that is sent at `now`, in microseconds since the script's beginning; nil for never.
  mutating func arrival(isUp: Bool, at now: Int) -> Int? {
    let isLost = faults.holes.contains { hole in
      hole.span.contains(now) && (hole.way == .both || (hole.way == .up) == isUp)
    }
    if isLost { return nil }
    if faults.loss > 0, Int.random(in: 0..<1_000, using: &random) < faults.loss { return nil }
    let step = faults.steps.last { $0.from <= now }?.delay ?? 0
    let delay = faults.delay + step + Int.random(in: 0...faults.jitter, using: &random)
    if isUp {
      last.up = max(last.up + 1, now + delay)
      return last.up
    }
    last.down = max(last.down + 1, now + delay)
    return last.down
  }
}
