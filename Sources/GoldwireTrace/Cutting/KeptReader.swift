/// What a flight recorder keeps of an event stream: what was not committed, the last commit, and what fits before it.
///
/// What is older than the last commit is left out first: older connections as a whole, then the events before the one that
/// was committed. So a replay begins with the right cursor, though it cannot know an event again that was left out.
struct KeptReader: KeptChannel {
  var last = 0
  private struct Connection {
    var begin: [ContinuationPins.Kept] = []
    var rest: [ContinuationPins.Kept] = []
  }

  private var connections: [Connection] = []
  /// What the server asked for last in a connection that was left out.
  private var retry: ContinuationPins.Kept?
  private var isLost = false
  private(set) var isOver = false

  init() {}

  /// A stream that began with the response to a plain request.
  init(beginningWith stream: KeptStream) { connections = [Connection(begin: stream.begin)] }

  var count: Int { connections.reduce(1) { $0 + $1.begin.count + $1.rest.count } }

  /// The lines to tell again; where too much is missing a gap, after which the next connect is in step.
  func pins(_ rules: ContinuationRules) -> [ContinuationPins.Kept] {
    var pins: [ContinuationPins.Kept] = []
    if let retry { pins.append(retry) }
    for connection in connections { pins += connection.begin + connection.rest }
    if isLost, let last = pins.last { pins.append(last.gap(rules.gap)) }
    return pins
  }

  mutating func note(_ kept: ContinuationPins.Kept) {
    switch kept.line.event {
    case .sseConnect:
      if isLost { self = KeptReader(retry: retry) }
      connections.append(Connection(begin: [kept]))
    case .sseCancel: isOver = true
    case .sseOpen where connections.last?.rest.isEmpty == true && !isLost:
      connections[connections.count - 1].begin.append(kept)
    case .recTick, .recNote, .sseComment: break
    default: if !isLost, !connections.isEmpty { connections[connections.count - 1].rest.append(kept) }
    }
  }

  private init(retry: ContinuationPins.Kept?) { self.retry = retry }

  /// Leaves out what is not needed, oldest first; where nothing can be left out, all but the last connect.
  mutating func thin() {
    if connections.count > 1 {
      let first = connections.removeFirst()
      keepRetry(of: first.rest)
      return
    }
    guard let rest = connections.first?.rest else { return }
    let thinned = Self.thinned(rest)
    if thinned.count > rest.count / 2 { return lose() }
    keepRetry(of: rest)
    connections[0].rest = thinned
  }

  /// Forgets what followed the last open: the machine is out of step until the next connect.
  mutating func lose() {
    for connection in connections { keepRetry(of: connection.rest) }
    connections = connections.suffix(1).map { Connection(begin: $0.begin) }
    isLost = true
  }

  private mutating func keepRetry(of lines: [ContinuationPins.Kept]) {
    for kept in lines {
      if case .sseRetry = kept.line.event { retry = kept }
    }
  }

  /// The lines of a connection from the event on that was committed last, without what concerns those before it.
  private static func thinned(_ lines: [ContinuationPins.Kept]) -> [ContinuationPins.Kept] {
    let commit = lines.lastIndex { if case .sseCommit = $0.line.event { true } else { false } }
    let event = commit.flatMap { commit in
      lines[..<commit].lastIndex { $0.line.event.committed == lines[commit].line.event.committed }
    }
    let begin = event ?? 0
    let first = lines[begin...].lazy.compactMap { $0.line.event.eventNumber }.first ?? 0
    let generation = lines.first { $0.line.event.eventNumber != nil }?.line.generation
    var done: Set<Int> = []
    for case .sseHandled(let n, true) in lines.lazy.map(\.line.event) { done.insert(n) }
    return lines.enumerated().filter { index, kept in
      if index < begin { return false }
      switch kept.line.event {
      case .sseHandled(let n, _) where n < first && kept.line.generation == generation: return false
      case .sseCommit: return index == commit
      // An event without an id moves no cursor: once it is handled, nothing depends on it.
      case .sseEvent(let n, nil, _, _) where index != event: return !done.contains(n)
      case .sseHandled(let n, true): return !lines.contains { $0.line.event.isEvent(withoutID: n) }
      default: return true
      }
    }.map(\.element)
  }
}

extension TraceEvent {
  /// The cursor that the event moves to, or can.
  fileprivate var committed: Int? {
    switch self {
    case .sseEvent(_, let id, _, _): id
    case .sseID(let id): id
    case .sseCommit(let cursor): cursor
    default: nil
    }
  }

  fileprivate var eventNumber: Int? {
    if case .sseEvent(let n, _, _, _) = self { n } else { nil }
  }

  fileprivate func isEvent(withoutID number: Int) -> Bool {
    if case .sseEvent(number, nil, _, _) = self { true } else { false }
  }
}
