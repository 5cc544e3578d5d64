/// Which lines before a cut's span its machines need.
struct CutPins {
  /// The indices of the lines to keep.
  private(set) var keep: Set<Int> = []
  /// The indices of the lines that a `rec.gap` must follow.
  private(set) var gaps: Set<Int> = []

  private let rules: PinRules
  private var sockets: [Channel: SocketPin] = [:]
  private var streams: [Channel: StreamPin] = [:]
  private var requests: [RequestName: RequestPin] = [:]

  /// Looks through the lines before `span`, and for what they are needed in it.
  ///
  /// `isKept` says which channels the cut keeps.
  init(trace: Trace, span: Range<Int>, isKept: (TraceLine) -> Bool) {
    rules = PinRules(trace.header)
    let lines = trace.lines
    for index in 0..<span.lowerBound where isKept(lines[index]) { note(lines[index], index) }
    for index in span where isKept(lines[index]) { expect(lines[index], index) }
    for socket in sockets.values { pin(socket) }
    for stream in streams.values { pin(stream, lines) }
    for request in requests.values where request.isNeeded { keep.formUnion(request.indices) }
    keepGaps(lines, span.lowerBound)
  }

  private mutating func note(_ line: TraceLine, _ index: Int) {
    if line.event.isOfTheDevice { keep.insert(index) }
    guard let channel = line.channel else { return }
    switch channel.family {
    case .ws: sockets[channel, default: SocketPin(rules)].note(line, index)
    case .sse: streams[channel, default: StreamPin(rules)].note(line, index)
    case .http:
      if let number = line.event.turnedStream {
        streams[Channel(.sse, number), default: StreamPin(rules)].note(line, index)
      }
      guard let name = RequestName(line) else { return }
      requests[name, default: RequestPin()].note(line, index, rules)
    case .tls, .tcp: break
    }
  }

  /// Takes note of a line inside the span: what it goes on with is needed.
  private mutating func expect(_ line: TraceLine, _ index: Int) {
    if let name = RequestName(line) { requests[name]?.isNeeded = true }
    if let number = line.event.turnedStream { streams[Channel(.sse, number)]?.expect(index) }
    if let channel = line.channel, channel.family == .sse { streams[channel]?.expect(index) }
  }

  private mutating func pin(_ stream: StreamPin, _ lines: [TraceLine]) {
    for index in stream.pins(lines) {
      keep.insert(index)
      if lines[index].event.turnedStream != nil, let name = RequestName(lines[index]) {
        requests[name]?.isNeeded = true
      }
    }
  }

  private mutating func pin(_ socket: SocketPin) {
    guard !socket.isOver, let begin = socket.begin else { return }
    keep.insert(begin)
    if let open = socket.open { keep.insert(open) }
    keep.formUnion(socket.since)
    // A session that was open already when the recording began is out of step by itself.
    if socket.hasLoss { gaps.insert(socket.open ?? begin) }
  }

  /// Holes in all channels, and in an HTTP origin's, matter from the first pinned line on.
  private mutating func keepGaps(_ lines: [TraceLine], _ begin: Int) {
    var first: [Channel: Int] = [:]
    for index in keep {
      guard let channel = lines[index].channel else { continue }
      first[channel] = min(first[channel] ?? index, index)
    }
    guard let earliest = first.values.min() else { return }
    for index in earliest..<max(earliest, begin) {
      guard case .recGap = lines[index].event else { continue }
      guard let channel = lines[index].channel else {
        keep.insert(index)
        continue
      }
      if channel.family == .http, let start = first[channel], start < index { keep.insert(index) }
    }
  }
}

/// What a trace's header says of which lines its machines need.
struct PinRules {
  /// Whether the trace is replayed with whatever parameters: then the recorded actions need not be the machines'.
  let isWritten: Bool
  /// Whether the source sees no pings, so that no heartbeat is driven.
  let hasNoPings: Bool
  /// Whether heartbeats are messages, and pings none.
  let hasBeats: Bool
  /// The statuses after which a request may be sent again.
  let statuses: [Int]

  init(_ header: TraceHeader) {
    isWritten = header.source == .written
    hasBeats = header.beats != nil
    hasNoPings = header.beats == nil && (header.blind.contains(.wsPing) || header.blind.contains(.wsPong))
    if case .numbers(let numbers)? = header.inForce?[.retry]?[.statuses] {
      statuses = numbers
    } else {
      statuses = [429, 503]
    }
  }
}

/// A logical request.
struct RequestName: Hashable {
  var channel: Channel
  var req: Int

  /// The request that a line belongs to, or nil.
  init?(_ line: TraceLine) {
    guard let channel = line.channel, let req = line.event.req else { return nil }
    self.channel = channel
    self.req = req
  }
}

extension TraceEvent {
  /// The logical request that the event belongs to.
  package var req: Int? {
    switch self {
    case .httpSend(let send): send.req
    case .httpResponse(let response): response.req
    case .httpBody(let body): body.req
    case .httpError(let req, _, _, _), .httpWait(let req, _, _, _), .httpCancel(let req),
      .httpStop(let req, _):
      req
    default: nil
    }
  }

  /// The number of the event stream that a plain request's response turned out to be.
  var turnedStream: Int? {
    if case .httpResponse(let response) = self { response.sse } else { nil }
  }

  /// Whether the event tells of app, device or process, and so is needed from before a span.
  var isOfTheDevice: Bool {
    switch self {
    case .appBackground, .appForeground, .appNetwork, .appSession, .recPause, .recWall: true
    default: false
    }
  }
}
