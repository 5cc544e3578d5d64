internal import GoldwireTrace

/// Makes a trace that fails smaller while it still fails: fewer lines, then simpler instants and fields.
struct Shrinker {
  private(set) var lines: [TraceLine]
  private var budget: Int
  private let fails: ([TraceLine]) -> Bool
  /// The channels that begin in the trace, and must go on doing so: the middle of something explains nothing.
  private let begun: Set<Channel>

  init(_ lines: [TraceLine], budget: Int, fails: @escaping ([TraceLine]) -> Bool) {
    (self.lines, self.budget, self.fails) = (lines, budget, fails)
    begun = Self.begun(lines)
  }

  private static func begun(_ lines: [TraceLine]) -> Set<Channel> {
    var (seen, begun): (Set<Channel>, Set<Channel>) = ([], [])
    for line in lines {
      guard let channel = line.channel, seen.insert(channel).inserted else { continue }
      switch line.event {
      case .wsConnect, .sseConnect: begun.insert(channel)
      case .httpSend(let send) where send.attempt == 1: begun.insert(channel)
      default: break
      }
    }
    return begun
  }

  mutating func run() {
    var before = 0
    repeat {
      before = lines.count
      removeLines()
      simplifyInstants()
      simplifyEvents()
    } while lines.count < before && budget > 0
    dropEnd()
    renumber()
  }

  /// Takes a trace over if it fails too.
  private mutating func take(_ candidate: [TraceLine]) -> Bool {
    guard budget > 0, candidate != lines else { return false }
    let channels = Set(candidate.compactMap(\.channel))
    guard begun.intersection(channels).isSubset(of: Self.begun(candidate)) else { return false }
    budget -= 1
    guard fails(candidate) else { return false }
    lines = candidate
    return true
  }

  /// Leaves out runs of lines, long ones first, until none can be left out; the end of the recording stays.
  private mutating func removeLines() {
    var length = max(1, lines.count / 2)
    while true {
      var (start, hasRemoved) = (0, false)
      while start < removable {
        var candidate = lines
        candidate.removeSubrange(start..<min(start + length, removable))
        if take(candidate) { hasRemoved = true } else { start += length }
      }
      if length > 1 { length /= 2 } else if !hasRemoved || budget <= 0 { return }
    }
  }

  private var removable: Int {
    if case .recEnd? = lines.last?.event { lines.count - 1 } else { lines.count }
  }

  /// Makes the spans between lines shorter: nothing, one, or a number of few digits.
  private mutating func simplifyInstants() {
    for index in lines.indices {
      for isShift in [true, false] {
        let before = index > 0 ? lines[index - 1].t : 0
        let span = lines[index].t - before
        for shorter in Self.simpler(span) {
          var candidate = lines
          let end = isShift ? lines.count : index + 1
          for place in index..<end { candidate[place].t -= span - shorter }
          if take(candidate) { break }
        }
      }
    }
  }

  /// Shorter spans, the simplest first.
  private static func simpler(_ span: Int) -> [Int] {
    guard span > 0 else { return [] }
    var (spans, scale) = ([0, 1], 1)
    while scale <= span / 10 { scale *= 10 }
    for _ in 0..<3 where scale > 0 {
      spans.append(span - span % scale)
      scale /= 10
    }
    return spans.filter { $0 < span }
  }

  private mutating func simplifyEvents() {
    for index in lines.indices {
      for event in lines[index].event.simpler {
        var candidate = lines
        candidate[index].event = event
        if take(candidate) { break }
      }
    }
  }

  /// Without a line for it, the recording ends with the last one.
  private mutating func dropEnd() {
    guard case .recEnd? = lines.last?.event, lines.count > 1 else { return }
    if lines[lines.count - 2].t == lines[lines.count - 1].t { _ = take(Array(lines.dropLast())) }
  }

  /// Connections and events are counted from 1 without holes, and ids named in the order in which they come.
  private mutating func renumber() {
    let numbers = Set(lines.compactMap(\.generation)).sorted()
    var candidate = lines
    for index in candidate.indices {
      guard let old = candidate[index].generation else { continue }
      candidate[index].generation = (numbers.firstIndex(of: old) ?? 0) + 1
    }
    _ = take(candidate)
    var pseudonyms = PseudonymRenumbering()
    _ = take(lines.map { pseudonyms.apply(to: $0) })
    _ = take(recounted())
  }

  /// The lines with the events of each connection counted from 1.
  private func recounted() -> [TraceLine] {
    var counts: [TraceLine.Connection: [Int: Int]] = [:]
    return lines.map { old in
      var line = old
      guard let connection = line.connection else { return line }
      let last = counts[connection]?.count ?? 0
      switch line.event {
      case .sseEvent(let n, let id, let rev, let bytes):
        let new = counts[connection]?[n] ?? last + 1
        counts[connection, default: [:]][n] = new
        line.event = .sseEvent(n: new, id: id, rev: rev, bytes: bytes)
      case .sseHandled(let n, let ok):
        line.event = .sseHandled(n: counts[connection]?[n] ?? last + 1, ok: ok)
      default: break
      }
      return line
    }
  }
}

extension TraceLine {
  /// A channel and a connection of it.
  fileprivate struct Connection: Hashable {
    var channel: Channel
    var generation: Int
  }

  fileprivate var connection: Connection? {
    guard let channel, let generation else { return nil }
    return Connection(channel: channel, generation: generation)
  }
}

extension TraceEvent {
  /// The same event with less in it.
  fileprivate var simpler: [TraceEvent] {
    switch self {
    case .wsPong(let dir, _, _): return [.wsPong(dir: dir, id: nil, bytes: nil)]
    case .wsPing(let dir, _, _): return [.wsPing(dir: dir, id: nil, bytes: nil)]
    case .wsPinged(_, let result, _): return [.wsPinged(id: nil, result: result, cause: nil)]
    case .wsClose(.in, _, _): return [.wsClose(dir: .in, code: nil, by: nil)]
    case .wsOpen: return [.wsOpen(status: 101, deflate: nil)]
    case .sseCut(let cause, let dir, _): return [.sseCut(cause: cause, dir: dir, partial: 0)]
    case .sseEvent(let n, let id, _, _): return [.sseEvent(n: n, id: id, rev: 1, bytes: 1)]
    case .httpResponse(var response):
      response.retry = RetryFields()
      return [.httpResponse(response)]
    default: return []
    }
  }
}
