/// Which lines before a cut's span its machines need.
struct CutPins {
  /// The indices of the lines to keep.
  private(set) var keep: Set<Int> = []
  /// The indices of the lines that a `rec.gap` must follow.
  private(set) var gaps: Set<Int> = []

  private var sockets: [Channel: SocketPin] = [:]
  private var streams: [Channel: StreamPin] = [:]
  private var requests: [RequestName: [Int]] = [:]

  /// A logical request.
  private struct RequestName: Hashable {
    var channel: Channel
    var req: Int
  }

  /// Looks through the lines before `begin`; `isKept` says which channels the cut keeps.
  init(lines: [TraceLine], begin: Int, isKept: (TraceLine) -> Bool) {
    for index in 0..<begin where isKept(lines[index]) { note(lines[index], index) }
    for socket in sockets.values { pin(socket) }
    for stream in streams.values { pin(stream) }
    for line in lines[begin...] {
      guard let channel = line.channel, let req = line.event.req else { continue }
      keep.formUnion(requests.removeValue(forKey: RequestName(channel: channel, req: req)) ?? [])
    }
    keepGlobalGaps(lines, begin)
  }

  private mutating func note(_ line: TraceLine, _ index: Int) {
    guard let channel = line.channel else {
      if line.event.isOfTheDevice { keep.insert(index) }
      return
    }
    switch channel.family {
    case .ws: sockets[channel, default: SocketPin()].note(line, index)
    case .sse: streams[channel, default: StreamPin()].note(line, index)
    case .http:
      guard let req = line.event.req else { return }
      requests[RequestName(channel: channel, req: req), default: []].append(index)
    case .tls, .tcp: break
    }
  }

  private mutating func pin(_ socket: SocketPin) {
    guard !socket.isOver, let begin = socket.begin else { return }
    keep.insert(begin)
    if let open = socket.open { keep.insert(open) }
    keep.formUnion(socket.since)
    // A session that was open already when the recording began is out of step by itself.
    if socket.hasLoss, socket.hasPing { gaps.insert(socket.open ?? begin) }
  }

  private mutating func pin(_ stream: StreamPin) {
    if stream.isOver { return }
    keep.formUnion(stream.current)
    keep.formUnion(stream.retry)
    if let gap = stream.retryGap { gaps.insert(gap) }
  }

  /// Holes in all channels matter from the first pinned line on.
  private mutating func keepGlobalGaps(_ lines: [TraceLine], _ begin: Int) {
    guard let first = keep.filter({ lines[$0].channel != nil }).min() else { return }
    for index in first..<max(first, begin) where lines[index].channel == nil {
      if case .recGap = lines[index].event { keep.insert(index) }
    }
  }
}

/// What a cut keeps of a WebSocket session: the connection that is current at its beginning.
private struct SocketPin {
  var generation = 0
  var begin: Int?
  var open: Int?
  /// All since the last ping that went out, and before the first what a machine is told.
  var since: [Int] = []
  var hasPing = false
  /// Whether something between open and last ping was left out.
  var hasLoss = false
  var isOver = false

  mutating func note(_ line: TraceLine, _ index: Int) {
    switch line.event {
    case .wsConnect, .wsAttach:
      self = SocketPin()
      generation = line.generation ?? 0
      begin = index
      return
    default: break
    }
    // Late lines of an older connection move no machine.
    guard line.generation == nil || line.generation == generation, begin != nil else { return }
    switch line.event {
    case .wsOpen where open == nil: open = index
    case .wsPing(.out, _, _): ping(index)
    case .wsMessage(let message) where message.dir == .out && message.beat == .ping: ping(index)
    case .wsEnd, .wsRefused:
      isOver = true
    case .wsMessage, .wsPing, .wsPong, .recLife, .recNote:
      // Before the first ping nothing is awaited, and they move nothing.
      if hasPing { since.append(index) }
    default: since.append(index)
    }
  }

  private mutating func ping(_ index: Int) {
    if hasPing || !since.isEmpty { hasLoss = true }
    hasPing = true
    since = [index]
  }
}

/// What a cut keeps of an event stream: all since its last connect.
private struct StreamPin {
  var current: [Int] = []
  /// The generation of the last `sse.retry` before that: its connect and open, the retry, its end.
  var retry: [Int] = []
  /// The line of that generation that a gap must follow.
  var retryGap: Int?
  var isOver = false
  private var frame: [Int] = []
  private var lastRetry: Int?
  private var hasLoss = false

  mutating func note(_ line: TraceLine, _ index: Int) {
    if case .sseConnect = line.event {
      if let lastRetry {
        retry = (frame + [lastRetry]).sorted()
        retryGap = hasLoss ? frame.last { $0 < lastRetry } : nil
      }
      current = []
      frame = []
      lastRetry = nil
      hasLoss = false
      isOver = false
    }
    current.append(index)
    switch line.event {
    case .sseConnect, .sseOpen, .sseCut: frame.append(index)
    case .sseRetry:
      if lastRetry != nil { hasLoss = true }
      lastRetry = index
      retry = []
      retryGap = nil
    case .sseCancel: isOver = true
    default: hasLoss = true
    }
  }
}

extension TraceEvent {
  /// The logical request that the event belongs to.
  var req: Int? {
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

  /// Whether the event tells of app, device or process, and so is needed from before a span.
  var isOfTheDevice: Bool {
    switch self {
    case .appBackground, .appForeground, .appNetwork, .appSession, .recPause, .recWall: true
    default: false
    }
  }
}
