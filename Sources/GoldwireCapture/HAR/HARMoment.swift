/// One thing of an entry at its instant: what the lines of a trace are made of, in their order.
struct HARMoment: Comparable {
  /// What happens.
  enum Stage: UInt8 {
    /// The request, or the attempt to connect, begins.
    case start
    /// The request's body is sent.
    case sent
    /// The response's head is there.
    case answer
    /// A message, or an item of an event stream.
    case item
    /// The response is over, or the entry failed.
    case end
  }

  /// The instant, in µs since the first entry began.
  let t: Int
  /// The entry's place by its begin.
  let rank: Int
  /// What happens.
  let stage: Stage
  /// Which message or item.
  let item: Int
  /// The entry.
  let entry: Int

  /// At one instant, what began earlier comes first: a response before the request that it led to.
  static func < (left: HARMoment, right: HARMoment) -> Bool {
    if left.t != right.t { return left.t < right.t }
    if left.rank != right.rank { return left.rank < right.rank }
    if left.stage != right.stage { return left.stage.rawValue < right.stage.rawValue }
    return left.item < right.item
  }
}

/// The moments of all entries.
struct HARTimeline {
  /// When the first entry began, in µs since 1970.
  let base: Int
  /// The moments in order.
  let moments: [HARMoment]

  /// The latest instant that a trace can hold.
  private static let latest = 9_007_199_254_740_991

  /// Orders the moments of entries; `grain` is the resolution of their begins, in µs.
  init(_ entries: [HAREntry], grain: Int) {
    base = entries.lazy.map(\.start).min() ?? 0
    var follow: [UInt64: [Int]] = [:]
    if grain > 1 {
      for entry in entries where entry.leadsOn { follow[entry.endpoint, default: []].append(entry.turn) }
      for key in follow.keys { follow[key]?.sort() }
    }
    let order = entries.indices.sorted { (entries[$0].start, $0) < (entries[$1].start, $1) }
    var moments: [HARMoment] = []
    for (rank, index) in order.enumerated() {
      let entry = entries[index]
      var start = entry.start
      // A begin is rounded down: one within a grain before a response that led to it came after that.
      if let turns = follow[entry.endpoint] {
        let turn = turns[HARTimeline.firstIndex(in: turns, after: start)...].first
        if let turn, turn < start &+ grain, turn != entry.turn { start = turn }
      }
      HARTimeline.add(entry, index, rank, start &- base, entry.start &- base, to: &moments)
    }
    self.moments = moments.sorted()
  }

  private static func firstIndex(in sorted: [Int], after value: Int) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low &+ high) / 2
      if sorted[middle] > value { high = middle } else { low = middle &+ 1 }
    }
    return low
  }

  private static func add(
    _ entry: HAREntry, _ index: Int, _ rank: Int, _ start: Int, _ begin: Int, to moments: inout [HARMoment]
  ) {
    var last = 0
    func add(_ t: Int, _ stage: HARMoment.Stage, _ item: Int = 0) {
      last = min(max(t, last), latest)
      moments.append(HARMoment(t: last, rank: rank, stage: stage, item: item, entry: index))
    }
    add(max(start, 0), .start)
    if entry.sentBytes > 0, entry.exchange.kind == .http { add(begin &+ entry.sent, .sent) }
    if entry.isAnswered { add(begin &+ entry.answered, .answer) }
    let end = begin &+ entry.ended
    let offset = begin &- entry.start
    if entry.exchange.kind == .webSocket {
      for (item, t) in entry.messages.timed(from: last, offset) { add(t, .item, item) }
    } else {
      for item in entry.stream.items.indices {
        add(entry.stream.items[item].time.map { $0 &+ offset } ?? end, .item, item)
      }
    }
    add(end, .end)
  }
}

extension [HAREntry.Message] {
  /// The messages in order of time; one whose instant is not known stands with the one before it.
  fileprivate func timed(from first: Int, _ offset: Int) -> [(item: Int, t: Int)] {
    var last = first
    var timed: [(item: Int, t: Int)] = []
    for (index, message) in enumerated() {
      if let time = message.time { last = Swift.max(first, time &+ offset) }
      timed.append((index, last))
    }
    return timed.sorted { ($0.t, $0.item) < ($1.t, $1.item) }
  }
}

extension HAREntry {
  /// Whether another request may follow from its response, or from its failure.
  fileprivate var leadsOn: Bool {
    switch status {
    case 301, 302, 303, 307, 308, 401, 429, 503: true
    default: failure != nil
    }
  }

  /// When it does, in µs since 1970.
  fileprivate var turn: Int { start &+ (failure == nil ? answered : ended) }
}
