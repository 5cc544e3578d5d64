internal import GoldwireTrace

/// What the event streams of a trace show of the client's reconnections.
struct StreamObservations {
  /// A connection that was made again.
  struct Return {
    /// From the end of the one before.
    var length: Int
    /// What the latest `retry` field said, in the trace's unit; nil for none so far.
    var retry: Int?
    /// The pseudonym that the client should name, and the one that it named; nil for none, 0 for the empty id.
    var wanted: Int?
    var named: Int?
    /// The index of the connection's line.
    var line: Int
  }

  private struct Stream {
    var generation = 0
    var isOpen = false
    var ended: Int?
    var endedByItself = false
    var endLine = 0
    /// The longest silence of the connection, and when it was heard last.
    var silence = 0
    var heard = 0
    var retry: Int?
    /// The id of the latest block that was whole.
    var id: Int?
    var isCancelled = false
  }

  private(set) var returns: [Return] = []
  private(set) var silences: [TimerSpan] = []
  private(set) var handled = 0
  private var streams: [Channel: Stream] = [:]
  private let perMillisecond: (Int) -> Int

  init(_ trace: Trace) {
    let microseconds = trace.header.unitMicroseconds
    perMillisecond = { $0.multipliedReportingOverflow(by: 1_000 / microseconds).partialValue }
    let scan = TraceScan(trace.lines)
    for index in 0..<scan.count { take(trace.lines[index], index) }
    for channel in streams.keys.sorted() {
      guard let stream = streams[channel], stream.isOpen, stream.ended == nil else { continue }
      note(silence: max(stream.silence, scan.horizon - stream.heard), .atLeast, max(0, scan.count - 1))
    }
  }

  private mutating func note(silence: Int, _ kind: TimerSpan.Kind, _ line: Int) {
    if silence > 0 { silences.append(TimerSpan(kind: kind, length: silence, line: line)) }
  }

  private mutating func take(_ line: TraceLine, _ index: Int) {
    switch line.event {
    case .recGap, .recPause, .appBackground, .appForeground:
      for key in streams.keys where line.channel == nil || line.channel == key {
        streams[key]?.ended = nil
        streams[key]?.isOpen = false
      }
    default: break
    }
    guard let channel = line.channel, channel.family == .sse else { return }
    // A stream that was open before the recording began is known from its first line on.
    var stream = streams[channel] ?? Stream(generation: line.generation ?? 0)
    let isCurrent = (line.generation ?? stream.generation) == stream.generation
    switch line.event {
    case .sseConnect(let cursor): connect(&stream, cursor, line, index)
    case .sseOpen(let status, _, _) where isCurrent:
      stream.isOpen = status == 200
      (stream.heard, stream.silence) = (line.t, 0)
      // What is refused for good is not made again.
      if let status, status != 200, status >= 200 { (stream.ended, stream.endLine) = (line.t, index) }
    case .sseEvent(_, let id, _, _) where isCurrent:
      if let id { stream.id = id }
      hear(&stream, line.t)
    case .sseID(let id) where isCurrent:
      stream.id = id
      hear(&stream, line.t)
    case .sseRetry(let milliseconds) where isCurrent:
      stream.retry = perMillisecond(milliseconds)
      hear(&stream, line.t)
    case .sseComment where isCurrent, .recLife(.in, .bytes) where isCurrent: hear(&stream, line.t)
    case .sseCut(let cause, _, _) where isCurrent: cut(&stream, cause, line.t, index)
    case .sseCancel: stream.isCancelled = true
    default: break
    }
    streams[channel] = stream
  }

  private func hear(_ stream: inout Stream, _ t: Int) {
    stream.silence = max(stream.silence, t - stream.heard)
    stream.heard = t
  }

  private mutating func cut(_ stream: inout Stream, _ cause: CutCause, _ t: Int, _ index: Int) {
    (stream.ended, stream.endLine) = (t, index)
    stream.endedByItself = cause == .local && stream.isOpen
    if stream.isOpen { note(silence: stream.silence, .atLeast, index) }
    if stream.isOpen, cause != .local { note(silence: t - stream.heard, .atLeast, index) }
    if !stream.endedByItself { stream.isOpen = false }
  }

  private mutating func connect(
    _ stream: inout Stream, _ cursor: Int?, _ line: TraceLine, _ index: Int
  ) {
    if let ended = stream.ended, !stream.isCancelled {
      // A stream that the client ended and made again was given up for its silence.
      if stream.endedByItself { note(silence: ended - stream.heard, .exact, stream.endLine) }
      returns.append(
        Return(
          length: line.t - ended, retry: stream.retry, wanted: stream.id, named: cursor, line: index))
    }
    stream.generation = line.generation ?? stream.generation + 1
    (stream.ended, stream.isOpen, stream.endedByItself, stream.isCancelled) = (nil, false, false, false)
  }
}
