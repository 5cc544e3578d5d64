internal import GoldwireRuntime
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// What the server did, as the lines of a trace.
///
/// Lines are kept until somebody takes them, at most ``ServerLimits/logLines``; what is too much is counted, and the
/// trace says so. Paths and ids are kept in memory for comparison alone.
final class ServerLog: Sendable {
  /// The channel and generation of a connection or request.
  struct Place: Sendable {
    let channel: Channel
    let generation: Int
  }

  fileprivate struct State {
    var lines: [TraceLine] = []
    var missed = 0
    var last = 0
    var isOver = false
    var book = ChannelBook()
    var requests = RequestBook()
  }

  /// The clock's reading at t = 0.
  let start: Int
  /// The local wall clock at t = 0, in µs since the midnight before it.
  let wall: Int
  /// That midnight, in seconds since 1970.
  let midnight: Int
  private let state = Guarded(State())

  /// A log that begins now; `epoch` is the wall clock in µs since 1970.
  init(start: TapInstant, epoch: Int) {
    self.start = start.microseconds
    midnight = epoch / 86_400_000_000 * 86_400
    wall = epoch % 86_400_000_000
  }

  /// Writes an event.
  func add(_ event: TraceEvent, _ place: Place?, at instant: TapInstant) {
    state.withLock { $0.add(event, place, t: instant.microseconds - start) }
  }

  /// Begins a WebSocket session's next generation.
  func openSocket(_ path: String, at instant: TapInstant) -> Place {
    state.withLock { state in
      let place = state.book.next(.ws, path)
      state.add(.wsConnect, place, t: instant.microseconds - start)
      return place
    }
  }

  /// Begins an event stream's next generation.
  func openStream(_ path: String, cursor: [UInt8]?, at instant: TapInstant) -> Place {
    state.withLock { state in
      let place = state.book.next(.sse, path)
      let number = cursor.map { state.book.number(of: $0, in: place.channel) }
      state.add(.sseConnect(cursor: number), place, t: instant.microseconds - start)
      return place
    }
  }

  /// Begins a request.
  func openRequest(_ request: Request, at instant: TapInstant) -> RequestBook.Ticket {
    state.withLock { state in
      let t = instant.microseconds - start
      let ticket = state.requests.open(request, t: t)
      let place = Place(channel: Channel(.http, 1), generation: 1)
      state.add(.httpSend(ticket.send(request)), place, t: t)
      return ticket
    }
  }

  /// Notes how a request was answered, so that its next try is known.
  func answer(
    _ ticket: RequestBook.Ticket, status: Int?, wait: Int, location: String?, at instant: TapInstant
  ) {
    state.withLock { state in
      state.requests.answered(
        ticket, status: status, wait: wait, location: location, t: instant.microseconds - start)
    }
  }

  /// Notes that a generation takes no part any more, so that the next connection is the next generation.
  func release(_ place: Place) { state.withLock { $0.book.release(place) } }

  /// The numbers of an event's id and content.
  func identify(_ id: [UInt8], content: UInt64, in place: Place) -> (id: Int, revision: Int) {
    state.withLock { $0.book.identify(id, content: content, in: place.channel) }
  }

  /// The number of an event id.
  func number(of id: [UInt8], in place: Place) -> Int {
    state.withLock { $0.book.number(of: id, in: place.channel) }
  }

  /// Writes the last line.
  func finish(_ why: EndReason, at instant: TapInstant) {
    state.withLock { state in
      state.add(.recEnd(why: why, counts: nil), nil, t: instant.microseconds - start)
      state.isOver = true
    }
  }

  /// The lines so far, which are kept.
  var lines: [TraceLine] { state.withLock { $0.lines } }

  /// The lines since the last time, which are forgotten here.
  func take() -> [TraceLine] {
    state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
  }
}

extension ServerLog.State {
  mutating func add(_ event: TraceEvent, _ place: ServerLog.Place?, t: Int) {
    guard !isOver else { return }
    if let place, event.endsGeneration { book.release(place) }
    last = max(last, t)
    let isEnd = if case .recEnd = event { true } else { false }
    if !isEnd, lines.count >= ServerLimits.logLines {
      missed += 1
      return
    }
    if missed > 0 {
      lines.append(TraceLine(t: last, event: .recGap(Gap(events: missed, why: .limit))))
      missed = 0
    }
    lines.append(TraceLine(t: last, channel: place?.channel, generation: place?.generation, event: event))
  }
}

extension TraceEvent {
  /// Whether the next connection is the next generation from here on.
  fileprivate var endsGeneration: Bool {
    switch self {
    case .wsRefused, .wsClose, .wsEnd, .sseCut: true
    case .sseOpen(let status, let type, _): status != 200 || type != .eventStream
    default: false
    }
  }
}
