internal import GoldwireTrace

/// Changes of event streams.
extension Mutator {
  /// An event of a stream: its place, number, id and revision.
  private struct Place {
    var index: Int
    var n: Int
    var id: Int?
    var rev: Int
  }

  private func events(_ channel: Channel, _ generation: Int? = nil) -> [Place] {
    lines.indices.compactMap { index in
      guard lines[index].channel == channel, generation == nil || lines[index].generation == generation,
        case .sseEvent(let n, let id, let rev, _) = lines[index].event
      else { return nil }
      return Place(index: index, n: n, id: id, rev: rev)
    }
  }

  private func lastGeneration(_ channel: Channel) -> Int {
    lines.compactMap { $0.channel == channel ? $0.generation : nil }.max() ?? 1
  }

  /// A cut, rather between an event and the end of its handler, and the connection after it.
  mutating func cut() -> Bool {
    guard let channel = channel() else { return false }
    let generation = lastGeneration(channel)
    guard let begin = lines.first(where: { $0.channel == channel && $0.generation == generation })?.t else {
      return false
    }
    var t = instant(from: begin)
    if random.below(3) > 0, let event = random.pick(events(channel, generation)) { t = lines[event.index].t }
    let causes: [CutCause] = [.eof, .reset, .error]
    let partial = random.isOne(in: 2) ? 0 : 1 + random.below(60)
    insert(
      .sseCut(cause: random.pick(causes) ?? .eof, dir: .in, partial: partial), at: t, channel, generation)
    return resume(channel, generation, after: t)
  }

  /// The next connection, on which the server repeats some events and goes on.
  private mutating func resume(_ channel: Channel, _ generation: Int, after t: Int) -> Bool {
    guard generation < 1_000, let timer = timer(after: t) else { return true }
    let old = events(channel)
    var now = timer + 1 + random.below(second / 10)
    insert(
      .sseOpen(status: 200, type: .eventStream, retry: RetryFields()), at: now, channel, generation + 1)
    var next = old.dropFirst(random.below(old.count + 1)).prefix(4).map { (id: $0.id, rev: $0.rev) }
    if random.below(3) > 0 { next.append((id: (old.compactMap(\.id).max() ?? 0) + 1, rev: 1)) }
    for (offset, event) in next.enumerated() {
      now += 1 + random.below(second / 20)
      insert(
        .sseEvent(n: offset + 1, id: event.id, rev: event.rev, bytes: 4), at: now, channel, generation + 1)
      guard !random.isOne(in: 6) else { continue }
      insert(
        .sseHandled(n: offset + 1, ok: !random.isOne(in: 8)), at: now + random.below(second / 10), channel,
        generation + 1)
    }
    return true
  }

  /// Handlers that fail, end late, never end, or end in another order.
  mutating func handler() -> Bool {
    let places = places {
      if case .sseHandled = $0.event { $0.channel?.family == family } else { false }
    }
    guard let place = random.pick(places), case .sseHandled(let n, _) = lines[place].event else {
      return false
    }
    let line = lines[place]
    switch random.below(5) {
    case 0, 1:
      lines[place].event = .sseHandled(n: n, ok: false)
      guard let channel = line.channel, let generation = line.generation,
        generation == lastGeneration(channel)
      else { return true }
      return resume(channel, generation, after: line.t)
    case 2: move(place, to: instant(from: line.t), isFirst: random.isOne(in: 2))
    case 3: lines.remove(at: place)
    default:
      guard let other = random.pick(places), other != place else {
        move(place, to: instant(from: line.t), isFirst: false)
        return true
      }
      (lines[place].event, lines[other].event) = (lines[other].event, lines[place].event)
      (lines[place].generation, lines[other].generation) = (lines[other].generation, lines[place].generation)
      (lines[place].channel, lines[other].channel) = (lines[other].channel, lines[place].channel)
    }
    return true
  }

  /// Events that come again, with other content, without an id of their own, with the empty one; ids alone.
  mutating func id() -> Bool {
    guard let channel = channel(), let event = random.pick(events(channel)) else { return false }
    let (t, generation) = (lines[event.index].t, lines[event.index].generation ?? 1)
    switch random.below(6) {
    case 0: setID(event, random.isOne(in: 2) ? nil : 0)
    case 1: insert(.sseID(id: random.below(5)), at: instant(from: t), channel, generation)
    case 2:
      insert(.sseRetry(ms: random.pick([0, 1, 100, 1_500, 2_147_483_647]) ?? 0), at: t, channel, generation)
    case 3: insert(.sseComment, at: instant(from: t), channel, generation)
    default:
      let ids: [Int?] = [event.id, event.id, nil, 0, (event.id ?? 0) + 1]
      let rev = random.isOne(in: 3) ? 2 : event.rev
      addEvent(channel, generation, at: instant(from: t), id: random.pick(ids) ?? nil, rev: rev)
    }
    return true
  }

  private mutating func setID(_ event: Place, _ id: Int?) {
    guard case .sseEvent(let n, _, _, let bytes) = lines[event.index].event else { return }
    lines[event.index].event = .sseEvent(n: n, id: id, rev: 1, bytes: bytes)
  }

  /// A further event, and the end of its handler; those behind it are numbered anew.
  private mutating func addEvent(_ channel: Channel, _ generation: Int, at t: Int, id: Int?, rev: Int) {
    let before = events(channel, generation).filter { lines[$0.index].t <= t }
    let number = (before.map(\.n).max() ?? 0) + 1
    for index in lines.indices where lines[index].channel == channel && lines[index].generation == generation
    {
      switch lines[index].event {
      case .sseEvent(let n, let id, let rev, let bytes) where n >= number:
        lines[index].event = .sseEvent(n: n + 1, id: id, rev: rev, bytes: bytes)
      case .sseHandled(let n, let ok) where n >= number:
        lines[index].event = .sseHandled(n: n + 1, ok: ok)
      default: break
      }
    }
    insert(
      .sseEvent(n: number, id: id, rev: id == nil || id == 0 ? 1 : rev, bytes: 4), at: t, channel, generation)
    guard !random.isOne(in: 5) else { return }
    insert(.sseHandled(n: number, ok: !random.isOne(in: 8)), at: instant(from: t), channel, generation)
  }

  /// Another answer than a stream, or none that a machine can use.
  mutating func answer() -> Bool {
    let places = places {
      if case .sseOpen = $0.event { $0.channel?.family == family } else { false }
    }
    guard let place = random.pick(places) else { return false }
    switch random.below(5) {
    case 0: lines[place].event = .sseOpen(status: 204, type: nil, retry: RetryFields())
    case 1: lines[place].event = .sseOpen(status: 200, type: .other, retry: RetryFields())
    case 2:
      lines[place].event = .sseOpen(status: 503, type: nil, retry: RetryFields(.after(random.below(40))))
    case 3: lines[place].event = .sseOpen(status: 500, type: nil, retry: RetryFields())
    default:
      let line = lines[place]
      insert(
        .sseOpen(status: 103, type: nil, retry: RetryFields()), at: line.t, line.channel, line.generation,
        isFirst: true)
    }
    return true
  }
}
