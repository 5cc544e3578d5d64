/// What the machines of the living channels must be told again where a recording goes on in another file.
struct ContinuationPins {
  /// A line, and its place among all.
  struct Kept {
    var number: Int
    var line: TraceLine
  }

  private struct RequestName: Hashable {
    var channel: Channel
    var req: Int
  }

  private var device = KeptDevice()
  private var sockets: [Channel: KeptSocket] = [:]
  private var readers: [Channel: KeptReader] = [:]
  private var streams: [Channel: KeptStream] = [:]
  private var requests: [RequestName: [Kept]] = [:]
  /// The channels of which requests had to be forgotten.
  private var lost: Set<Channel> = []
  private var number = 0
  private var held = 0
  /// When old requests are looked for again, so that looking stays cheap.
  private var nextLook = 0
  private let limits: TraceContinuation.Limits
  private let rules: ContinuationRules
  private let second: Int

  init(unit: Unit, limits: TraceContinuation.Limits, rules: ContinuationRules = ContinuationRules()) {
    second = unit == .us ? 1_000_000 : 1_000
    self.limits = limits
    self.rules = rules
  }

  mutating func note(_ line: TraceLine) {
    number &+= 1
    let kept = Kept(number: number, line: line)
    guard let channel = line.channel else {
      if case .recGap = line.event { loseAll() } else { device.note(kept) }
      return
    }
    switch channel.family {
    case .ws: noteSocket(channel, kept)
    case .sse where rules.isFlight: noteReader(channel, kept)
    case .sse: noteStream(channel, kept)
    case .http: noteRequest(channel, kept)
    case .tls, .tcp: break
    }
  }

  /// The lines to begin with, in order.
  mutating func lines(at t: Int) -> [TraceLine] {
    forgetOld(at: t)
    var all = device.pins
    for socket in sockets.values { all += socket.pins(rules) }
    for reader in readers.values { all += reader.pins(rules) }
    for stream in streams.values { all += stream.pins(rules) }
    for request in requests.values { all += request }
    all.sort { ($0.line.t, $0.number) < ($1.line.t, $1.number) }
    var lines: [TraceLine] = []
    for (index, kept) in all.enumerated() where index == 0 || kept.line != all[index - 1].line {
      lines.append(kept.line)
    }
    for channel in lost.sorted() {
      lines.append(TraceLine(t: t, channel: channel, event: .recGap(Gap(why: rules.gap))))
    }
    lost = []
    return lines
  }

  // MARK: Channels

  private mutating func noteSocket(_ channel: Channel, _ kept: Kept) {
    var socket = sockets[channel] ?? KeptSocket()
    held -= socket.count
    socket.note(kept, rules)
    socket.last = kept.number
    if socket.count > limits.linesOfChannel || held + socket.count > limits.lines { socket.lose() }
    if socket.isOver { sockets[channel] = nil } else { sockets[channel] = socket }
    held += socket.isOver ? 0 : socket.count
    bound(\.sockets)
  }

  private mutating func noteReader(_ channel: Channel, _ kept: Kept) {
    var reader = readers[channel] ?? KeptReader()
    held -= reader.count
    reader.note(kept)
    reader.last = kept.number
    if reader.count > limits.linesOfChannel || held + reader.count > limits.lines { reader.thin() }
    if reader.isOver { readers[channel] = nil } else { readers[channel] = reader }
    held += reader.isOver ? 0 : reader.count
    bound(\.readers)
  }

  private mutating func noteStream(_ channel: Channel, _ kept: Kept) {
    var stream = streams[channel] ?? KeptStream()
    held -= stream.count
    stream.note(kept)
    stream.last = kept.number
    if stream.count > limits.linesOfChannel || held + stream.count > limits.lines { stream.lose() }
    if stream.isOver { streams[channel] = nil } else { streams[channel] = stream }
    held += stream.isOver ? 0 : stream.count
    bound(\.streams)
  }

  /// Forgets the channels that were silent for longest, a quarter of them, where there are too many.
  private mutating func bound<Pins: KeptChannel>(_ channels: WritableKeyPath<Self, [Channel: Pins]>) {
    guard self[keyPath: channels].count > limits.channels else { return }
    let silent = self[keyPath: channels].sorted { $0.value.last < $1.value.last }
    for (channel, pins) in silent.prefix(silent.count / 4 + 1) {
      held -= pins.count
      self[keyPath: channels][channel] = nil
    }
  }

  private mutating func noteRequest(_ channel: Channel, _ kept: Kept) {
    guard let req = kept.line.event.req else {
      if case .recGap = kept.line.event, rules.isFlight { forgetRequests { $0.channel == channel } }
      return
    }
    let name = RequestName(channel: channel, req: req)
    if requests[name] == nil {
      guard case .httpSend = kept.line.event else { return }
    }
    requests[name, default: []].append(kept)
    held += 1
    if case .httpResponse(let response) = kept.line.event, let stream = response.sse {
      // The response stands for the stream's connect and open.
      held -= streams[Channel(.sse, stream)]?.count ?? 0
      var begun = KeptStream(beginningWith: forget(name))
      begun.last = kept.number
      if rules.isFlight {
        readers[Channel(.sse, stream)] = KeptReader(beginningWith: begun)
        readers[Channel(.sse, stream)]?.last = kept.number
      } else {
        streams[Channel(.sse, stream)] = begun
      }
      held += begun.count
    } else if kept.line.event.settlesItsRequest(retrying: rules.statuses) {
      _ = forget(name)
    } else {
      if held > limits.lines { forgetOld(at: kept.line.t) }
      let isTooLong = requests[name]?.count ?? 0 > limits.linesOfChannel
      if isTooLong || held > limits.lines, !forget(name).isEmpty { lost.insert(channel) }
    }
  }

  @discardableResult
  private mutating func forget(_ name: RequestName) -> [Kept] {
    let lines = requests.removeValue(forKey: name) ?? []
    held -= lines.count
    return lines
  }

  /// Forgets requests that failed so long ago that no next try belongs to them.
  private mutating func forgetOld(at t: Int) {
    guard t >= nextLook else { return }
    nextLook = t.addingReportingOverflow(30 * second).partialValue
    for (name, lines) in requests {
      guard let last = lines.last?.line, let wait = last.event.longestWait else { continue }
      let (length, isLong) = wait.multipliedReportingOverflow(by: second)
      let (end, isLate) = last.t.addingReportingOverflow(length)
      if !isLong, !isLate, end < t { forget(name) }
    }
  }

  private mutating func forgetRequests(where isOne: (RequestName) -> Bool) {
    for name in Array(requests.keys) where isOne(name) { forget(name) }
  }

  private mutating func loseAll() {
    if rules.isFlight { forgetRequests { _ in true } }
    for channel in Array(readers.keys) {
      held -= readers[channel]?.count ?? 0
      readers[channel]?.lose()
      held += readers[channel]?.count ?? 0
    }
    for channel in Array(sockets.keys) {
      held -= sockets[channel]?.count ?? 0
      sockets[channel]?.lose()
      held += sockets[channel]?.count ?? 0
    }
    for channel in Array(streams.keys) {
      held -= streams[channel]?.count ?? 0
      streams[channel]?.lose()
      held += streams[channel]?.count ?? 0
    }
  }
}

extension TraceEvent {
  /// Whether the event ends a logical request: a response after which no further try comes.
  fileprivate func settlesItsRequest(retrying statuses: [Int]) -> Bool {
    switch self {
    case .httpResponse(let response):
      guard let status = response.status, status >= 200 else { return false }
      return status != 401 && !statuses.contains(status) && !(300...399).contains(status)
    case .httpCancel, .httpStop: return true
    default: return false
    }
  }

  /// The longest time in seconds after which a next try can still belong to what this ends; nil for others.
  fileprivate var longestWait: Int? {
    switch self {
    case .httpResponse(let response):
      guard response.status ?? 0 >= 200 else { return nil }
      switch response.retry.value {
      case .after(let seconds): return max(30, seconds).addingReportingOverflow(5).partialValue
      case .at: return nil
      case .bad, nil: return 35
      }
    case .httpError: return 35
    default: return nil
    }
  }
}
