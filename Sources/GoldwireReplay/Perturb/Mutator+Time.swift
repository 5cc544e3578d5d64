internal import GoldwireTrace

/// Changes that any trace allows: what comes when, in which order, how often.
extension Mutator {
  /// A callback of an old connection or attempt in a later one; a second one is made where there is none.
  mutating func late() -> Bool {
    guard let channel = channel() else { return false }
    let generations = lines.compactMap { $0.channel == channel ? $0.generation : nil }
    if Set(generations).count < 2 {
      switch family {
      case .ws: _ = renew()
      case .sse: _ = cut()
      case .http: _ = refusal()
      default: break
      }
    }
    guard let old = callback() else { return false }
    let line = lines[old]
    let begin = lines.first { next in
      guard next.channel == line.channel, next.t >= line.t else { return false }
      switch next.event {
      case .wsConnect, .sseOpen: return (next.generation ?? 1) > (line.generation ?? 1)
      default: return false
      }
    }
    let t = instant(from: begin?.t ?? line.t)
    if random.isOne(in: 2) {
      move(old, to: t, isFirst: random.isOne(in: 2))
    } else {
      insert(line.at(t), isFirst: random.isOne(in: 2))
    }
    return true
  }

  mutating func twice() -> Bool {
    guard let index = callback() else { return false }
    let line = lines[index]
    insert(line.at(random.isOne(in: 2) ? line.t : instant(from: line.t)))
    return true
  }

  mutating func never() -> Bool {
    guard let index = callback() else { return false }
    lines.remove(at: index)
    return true
  }

  /// Lines of one instant in the other order; neighbours are brought to one instant where there are none.
  mutating func reorder() -> Bool {
    let last = lines.count - 2
    guard last >= 1 else { return false }
    let ties = (0..<last).filter { lines[$0].t == lines[$0 + 1].t && lines[$0].event != .wsConnect }
    let first = ties.isEmpty || random.isOne(in: 3) ? random.below(last) : random.pick(ties) ?? 0
    lines[first].t = lines[first + 1].t
    lines.swapAt(first, first + 1)
    return true
  }

  /// Where no timer runs, one is started.
  private mutating func startTimers() {
    guard wishes.isEmpty else { return }
    switch family {
    case .http: _ = refusal()
    case .sse: _ = cut()
    default: break
    }
  }

  /// A line one unit before, at, or one unit after a timer's instant; the timer perhaps first.
  mutating func edge() -> Bool {
    startTimers()
    guard let index = callback() else { return false }
    let line = lines[index]
    let timers = wishes.filter { $0 < .max }
    // The timer that runs when the line comes is the one that it is likely to be up against.
    let near = timers.first { $0 >= line.t } ?? timers.last
    guard let near, let far = random.pick(timers) else { return false }
    let t = around(random.isOne(in: 3) ? far : near)
    if random.isOne(in: 3) { insert(line.at(t)) } else { move(index, to: t, isFirst: random.isOne(in: 2)) }
    if random.isOne(in: 3) { insert(.recTick, at: t, line.channel, isFirst: true) }
    return true
  }

  /// Timers that run late, since the process did not run.
  mutating func lateTick() -> Bool {
    startTimers()
    guard let timer = random.pick(wishes.filter { $0 >= 0 && $0 < .max / 2 }) else { return false }
    let late = random.pick([1, 2, second / 10, second, 60 * second]) ?? 1
    let length = late + 1 + random.below(second)
    insert(
      .recPause(for: length, slept: random.isOne(in: 2) ? length : nil), at: timer + late, nil,
      isFirst: random.isOne(in: 2))
    return true
  }

  /// Timers that run several times, early ones among them.
  mutating func bunchedTicks() -> Bool {
    guard let channel = channel() else { return false }
    let t = instant()
    for _ in 0...random.below(4) {
      insert(.recTick, at: random.isOne(in: 2) ? t : around(t), channel, isFirst: random.isOne(in: 2))
    }
    return true
  }

  /// The user has enough.
  mutating func quit() -> Bool {
    guard let channel = channel() else { return false }
    let (t, isFirst) = (instant(), random.isOne(in: 2))
    switch family {
    case .ws:
      let generation = random.pick(lines.filter { $0.channel == channel }.compactMap(\.generation)) ?? 1
      insert(.wsClose(dir: .out, code: nil, by: .user), at: t, channel, generation, isFirst: isFirst)
    case .http:
      guard let request = random.pick(lines.filter { $0.channel == channel }.compactMap(\.event.request))
      else { return false }
      insert(.httpCancel(req: request), at: t, channel, isFirst: isFirst)
    case .sse: insert(.sseCancel, at: t, channel, isFirst: isFirst)
    default: return false
    }
    return true
  }

  /// A hole, and what brings the machine in step again.
  mutating func gap() -> Bool {
    guard let channel = channel() else { return false }
    let t = instant()
    insert(.recGap(Gap(why: .lost)), at: t, random.isOne(in: 4) ? nil : channel)
    let later = instant(from: t)
    let generation = lines.last { $0.channel == channel && $0.generation != nil && $0.t <= later }?.generation
    switch family {
    case .ws:
      insert(.wsPing(dir: .out, id: nil, bytes: nil), at: later, channel, generation ?? 1)
    case .sse: insert(.sseConnect(cursor: random.below(3)), at: later, channel, (generation ?? 1) + 1)
    default: break
    }
    return true
  }

  /// All of it so late that instants and sums come to the end of their range.
  mutating func clockEnd() -> Bool {
    let end = Int.max - random.below(3) - (random.isOne(in: 2) ? random.below(100 * second) : 0)
    let (shift, overflow) = end.subtractingReportingOverflow(horizon)
    guard !overflow, shift > 0, lines.first.map({ $0.t >= 0 }) ?? false else { return false }
    for index in lines.indices { lines[index].t += shift }
    return true
  }
}

extension TraceLine {
  /// The line at another instant.
  func at(_ t: Int) -> TraceLine {
    var line = self
    line.t = t
    return line
  }
}
