/// When bytes come through a bad network: a value that is asked for each piece, one for each way.
///
/// In a black hole the first piece is sent again after rto, 3·rto, 7·rto, … from its first sending, and comes at the
/// first of these instants that is at or after the hole's end; what was sent behind it comes with it. Pieces never
/// overtake each other. A connection's first piece stands for its handshake, which may have another timeout.
struct HoldRule {
  /// The faults; their times and the instants asked for count from the same origin.
  var faults: [NetworkFault]
  private let isOut: Bool
  private var random: ScriptRandom
  private var last = Int.min
  private var isFirst = true

  /// A rule for one way.
  init(_ faults: [NetworkFault], isOut: Bool, random: ScriptRandom) {
    self.faults = faults
    self.isOut = isOut
    self.random = random
  }

  /// The instant at which a piece comes that is sent at `now`; nil for never.
  mutating func release(at now: Int) -> Int? {
    if last == .max { return nil }
    let sent = max(now, last)
    var release = sent
    // What is sent again leaves only then.
    var leaves = now
    defer { isFirst = false }
    if let hole = hole(at: now), last <= now {
      guard let end = through(hole, from: now) else {
        last = .max
        return nil
      }
      (release, leaves) = (end, end)
    }
    for fault in faults where !fault.isHole && fault.holds(isOut, at: leaves) {
      release = max(release, leaves.addingClamped(fault.delay.draw(&random)))
    }
    last = max(last, release)
    return last
  }

  private func hole(at instant: Int) -> NetworkFault? {
    faults.first { $0.isHole && $0.holds(isOut, at: instant) }
  }

  /// The first retransmission that is in no hole; nil if there is none in 2^20 timeouts.
  private func through(_ hole: NetworkFault, from first: Int) -> Int? {
    let rto = isFirst ? hole.firstRTO ?? hole.rto : hole.rto
    for doublings in 1...20 {
      let (wait, overflow) = max(rto, 1).multipliedReportingOverflow(by: (1 << doublings) - 1)
      let (instant, isOver) = first.addingReportingOverflow(wait)
      if overflow || isOver { return nil }
      if self.hole(at: instant) == nil { return instant }
    }
    return nil
  }
}
