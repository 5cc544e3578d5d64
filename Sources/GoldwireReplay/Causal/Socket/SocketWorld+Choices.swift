/// The worlds in which a question is asked: the corners of what the evidence leaves open, and a few seeded points.
extension SocketEvidence {
  /// The first retransmission beyond a round trip, in seconds, at least and at most.
  private static let retransmissions = (least: 0.2, most: 1.0)
  /// How many points between the corners are taken.
  private static let inner = 6

  /// The choices, the likeliest first.
  var choices: [SocketWorld.Choice] {
    var nominal = SocketWorld.Choice()
    if let idle, idle.isCertain { nominal.idle = (idleLimit(0.9), idle.kind) }
    var choices = [nominal]
    if let rate, rate.isLikely {
      // As with a limit on silence: close to what was punished, and not in each world.
      choices[0].rate = rate.punished + 0.1 * (rate.tolerated - rate.punished)
      choices.append(nominal)
    }
    func add(_ change: (inout SocketWorld.Choice) -> Void) {
      var choice = nominal
      change(&choice)
      choices.append(choice)
    }
    let (least, most) = Self.retransmissions
    add { ($0.start, $0.end, $0.trip, $0.retransmission, $0.isLikely) = (0, 0, .low, least, false) }
    add { ($0.start, $0.end, $0.trip, $0.retransmission, $0.late) = (1, 1, .high, most, .wide) }
    add { ($0.start, $0.end, $0.trip, $0.retransmission, $0.late) = (0, 1, .high, most, .stall) }
    add { ($0.start, $0.end, $0.trip, $0.retransmission, $0.late) = (1, 0, .low, least, .outage) }
    add { ($0.after, $0.late, $0.start) = (.never, .stall, 0.25) }
    add { ($0.silence, $0.late, $0.start) = (.stall, .stall, 0.6) }
    add { ($0.silence, $0.late) = (.slowPath, .wide) }
    add { ($0.after, $0.late, $0.start) = (.reset, .wide, 0.75) }
    if kills.contains(where: { $0.unanswered != nil }) {
      add { $0.kills = .exogenous }
      add { ($0.kills, $0.start, $0.end, $0.retransmission) = (.reactive, 0, 0, least) }
      add { ($0.kills, $0.start, $0.end, $0.retransmission) = (.reactive, 1, 1, most) }
      add { $0.kills = .reactive }
    }
    if let idle {
      if idle.isCertain {
        for part in [0.01, 0.5, 1] { add { $0.idle = (idleLimit(part), idle.kind) } }
      } else {
        add { ($0.idle, $0.end) = ((idleLimit(1), idle.kind), 0.9) }
        add { $0.idle = (idleLimit(0.01), idle.kind) }
      }
    }
    if let rate {
      add { $0.rate = rate.punished + 0.001 * second }
      add { $0.rate = rate.tolerated - 0.001 * second }
    }
    var random = Seeded(state: 7)
    for _ in 0..<Self.inner {
      add { choice in
        choice.start = random.unit()
        choice.end = random.unit()
        choice.retransmission = least + (most - least) * random.unit()
        choice.late = SocketWorld.Choice.Late.allCases[min(3, Int(random.unit() * 4))]
        choice.isLikely = random.unit() < 0.7
      }
    }
    return choices
  }

  /// The choices that differ in anything that the evidence leaves open, each with how many come to the same.
  var distinctChoices: [(choice: SocketWorld.Choice, count: Int)] {
    var distinct: [(choice: SocketWorld.Choice, count: Int)] = []
    for choice in choices.map(settled) {
      if let place = distinct.firstIndex(where: { $0.choice == choice }) {
        distinct[place].count += 1
      } else {
        distinct.append((choice, 1))
      }
    }
    return distinct
  }

  /// The choice without what makes no difference: there is nothing that it is about.
  private func settled(_ choice: SocketWorld.Choice) -> SocketWorld.Choice {
    let usual = SocketWorld.Choice()
    var settled = choice
    let hasReactive = kills.contains { $0.unanswered != nil }
    if outages.isEmpty { (settled.silence, settled.after) = (usual.silence, usual.after) }
    if late.isEmpty, lulls.isEmpty { settled.late = usual.late }
    if !hasReactive { settled.kills = usual.kills }
    guard outages.isEmpty, late.isEmpty, lulls.isEmpty, !hasReactive else { return settled }
    (settled.start, settled.retransmission) = (usual.start, usual.retransmission)
    settled.isLikely = usual.isLikely
    if refusals.isEmpty { settled.end = usual.end }
    return settled
  }

  private func idleLimit(_ part: Double) -> Double {
    guard let idle else { return .infinity }
    return idle.limit.lo + part * (idle.limit.hi - idle.limit.lo)
  }

  /// SplitMix64: the same points on every machine.
  private struct Seeded {
    var state: UInt64

    mutating func unit() -> Double {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      return Double(mixed >> 11) / 9_007_199_254_740_992
    }
  }
}
