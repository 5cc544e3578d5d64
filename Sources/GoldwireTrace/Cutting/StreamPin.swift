/// What a cut keeps of an event stream: all from one of its connections on, without a hole.
///
/// That connection is the last one before which nothing happened that a machine still needs: the delay that
/// the server set, ids that come again, handlers that still run, failures and refusals that count, a stop.
struct StreamPin {
  private let rules: PinRules
  private var lines: [Int] = []
  /// The places in `lines` at which a connection begins.
  private var starts: [Int] = []
  private var firstOfID: [Int: Int] = [:]
  private var startOfGeneration: [Int: Int] = [:]
  private var retry: Int?
  private var refused: Int?
  private var stopped: Int?
  private var failed: Failure?
  private var idOfEvent: [Int: Int] = [:]
  /// The indices of its lines inside the span.
  private var ahead: [Int] = []

  /// A run of handler failures that has not been cleared by a commit.
  private struct Failure {
    let start: Int
    /// The id of the event that failed last, until its handler succeeds; -1 where it is not known.
    var id: Int?
    /// The cursor of the connection after the last failure.
    var cursor: Int?
  }

  init(_ rules: PinRules) { self.rules = rules }

  private var current: Int { max(starts.count - 1, 0) }

  mutating func note(_ line: TraceLine, _ index: Int) {
    if case .sseConnect(let cursor) = line.event {
      begin(cursor ?? 0)
    } else if starts.isEmpty {
      starts.append(0)
    }
    lines.append(index)
    if let generation = line.generation, line.channel?.family == .sse {
      startOfGeneration[generation] = startOfGeneration[generation] ?? current
    }
    switch line.event {
    case .sseRetry: retry = current
    case .sseEvent(let n, let id?, _, _) where id != 0:
      firstOfID[id] = firstOfID[id] ?? current
      idOfEvent[n] = id
    case .sseHandled(let n, let isDone): handled(n, isDone, line.generation ?? 0)
    case .sseOpen(let status, let type, _): answered(status, type)
    case .sseCancel: stopped = stopped ?? current
    default: break
    }
  }

  private mutating func begin(_ cursor: Int) {
    starts.append(lines.count)
    idOfEvent.removeAll(keepingCapacity: true)
    guard let failure = failed else { return }
    if let before = failure.cursor {
      if before != cursor, failure.id == nil { failed = nil }
    } else {
      failed?.cursor = cursor
    }
  }

  private mutating func answered(_ status: Int?, _ type: MediaType?) {
    guard let status, status >= 200 else { return }
    switch status {
    case 200 where type != .other: refused = nil
    case 429, 503: refused = refused ?? current
    default: stopped = stopped ?? current
    }
  }

  private mutating func handled(_ n: Int, _ isDone: Bool, _ generation: Int) {
    let id = startOfGeneration[generation] == current ? idOfEvent[n] : -1
    if isDone {
      if let id, id > 0, failed?.id == id { failed?.id = nil }
    } else {
      failed = Failure(start: failed?.start ?? current, id: id, cursor: nil)
    }
  }

  /// Takes note of a line inside the span.
  mutating func expect(_ index: Int) { ahead.append(index) }

  /// The indices to keep.
  func pins(_ all: [TraceLine]) -> ArraySlice<Int> {
    if let stopped, stopped == current, ahead.isEmpty { return [] }
    if rules.isWritten || starts.isEmpty { return lines[...] }
    var need = [current, retry, refused, stopped, failed?.start].compactMap(\.self).min() ?? 0
    for index in ahead { lower(&need, for: all[index].event, all[index].generation) }
    var scanned = lines.count
    while scanned > starts[need] {
      scanned -= 1
      let line = all[lines[scanned]]
      lower(&need, for: line.event, line.generation)
    }
    return lines[starts[need]...]
  }

  private func lower(_ need: inout Int, for event: TraceEvent, _ generation: Int?) {
    switch event {
    case .sseEvent(_, let id?, _, _): need = min(need, firstOfID[id] ?? need)
    case .sseHandled: need = min(need, generation.flatMap { startOfGeneration[$0] } ?? need)
    default: break
    }
  }
}
