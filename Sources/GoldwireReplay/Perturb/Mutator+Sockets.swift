internal import GoldwireTrace

/// Changes of WebSocket channels.
extension Mutator {
  /// A further connection, while the last one lives or after its end.
  mutating func renew() -> Bool {
    guard let channel = channel() else { return false }
    let last = lines.compactMap { $0.channel == channel ? $0.generation : nil }.max() ?? 1
    guard last < 1_000,
      let begin = lines.first(where: { $0.channel == channel && $0.generation == last })
    else { return false }
    let t = instant(from: begin.t)
    switch random.below(6) {
    case 0: insert(.wsEnd(cause: .reset, dir: .in), at: t, channel, last)
    case 1: insert(.wsClose(dir: .in, code: 1_001, by: nil), at: t, channel, last)
    case 2: insert(.wsClose(dir: .out, code: nil, by: .user), at: t, channel, last)
    default: break
    }
    let next = AnswerClock.sum(t, random.isOne(in: 2) ? 0 : random.below(second))
    insert(.wsConnect, at: next, channel, last + 1)
    guard !random.isOne(in: 8) else { return true }
    let open = AnswerClock.sum(next, random.isOne(in: 2) ? 0 : random.below(second))
    if random.isOne(in: 8) {
      let refused = TraceEvent.wsRefused(cause: .refused, status: nil, retry: RetryFields())
      insert(refused, at: open, channel, last + 1)
    } else {
      insert(.wsOpen(status: 101, deflate: nil), at: open, channel, last + 1)
    }
    return true
  }

  /// Completions of pings in the place of pongs, beside them, or where nothing was asked.
  mutating func completion() -> Bool {
    guard let channel = channel() else { return false }
    let pongs = places {
      if case .wsPong(.in, _, _) = $0.event { $0.channel == channel } else { false }
    }
    let results: [PingResult] = [.ok, .error, .cancelled]
    let pong = random.pick(pongs)
    var (t, generation, number) = (instant(), 1, Int?.none)
    if let pong {
      (t, generation) = (lines[pong].t, lines[pong].generation ?? 1)
      if case .wsPong(_, let id, _) = lines[pong].event { number = id }
      if random.isOne(in: 2) { lines.remove(at: pong) }
    } else {
      generation = lines.last { $0.channel == channel && $0.t <= t && $0.generation != nil }?.generation ?? 1
    }
    for _ in 0...random.below(3) {
      let event = TraceEvent.wsPinged(
        id: random.isOne(in: 3) ? nil : number, result: random.pick(results) ?? .ok, cause: nil)
      insert(event, at: random.isOne(in: 2) ? t : around(t), channel, generation)
    }
    return true
  }

  /// The app's state, and the network.
  mutating func app() -> Bool {
    let t = instant()
    switch random.below(4) {
    case 0: insert(.appBackground, at: t, nil, isFirst: random.isOne(in: 2))
    case 1: insert(.appForeground, at: t, nil, isFirst: random.isOne(in: 2))
    case 2:
      insert(.appNetwork(to: random.isOne(in: 2) ? .none : .wifi), at: t, nil, isFirst: random.isOne(in: 2))
    default:
      insert(.appBackground, at: t, nil)
      insert(.appForeground, at: instant(from: t), nil)
    }
    return true
  }
}
