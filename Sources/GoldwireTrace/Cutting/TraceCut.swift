/// Takes channels and a span of time out of a trace, so that the result replays in step with the whole.
///
/// What the machines need from before the span is pinned, and keeps its instant:
/// - of a WebSocket session its connect, open and all since its last ping that went out, with a `rec.gap` of
///   `cut` behind the open where something between was left out; all since its connect where its pings are not
///   recorded, or the trace is written;
/// - of a logical request that is under way all its lines;
/// - of an event stream all from the connection on before which nothing happened that still counts: a delay
///   set by the server, ids that come again, handlers that run, failures and refusals. All if it is written.
///
/// What the app did, pauses and steps of the wall clock stay, and the last line is `rec.end`. A pause that
/// lasts beyond the span ends with it. Pseudonyms count from 1 again.
public struct TraceCut: Equatable, Sendable {
  /// The channels to keep, or nil for all.
  public var channels: Set<Channel>?
  /// The first and the last instant of the span.
  public var span: ClosedRange<Int>
  /// The tool and version that makes the cut, for the header: nothing of the whole's own stays.
  public var tool: String

  /// Makes a cut of some channels, or of all, in a span of the trace's own unit.
  public init(channels: Set<Channel>? = nil, span: ClosedRange<Int>, tool: String) {
    self.channels = channels
    self.span = span
    self.tool = tool
  }

  /// The part of `trace` that the cut takes out.
  ///
  /// Throws where the trace has none of the channels, or nothing in the span.
  public func apply(to trace: Trace) throws(TraceError) -> Trace {
    let keeps = try filter(trace)
    let bounds = bounds(trace)
    let pins = CutPins(trace: trace, span: bounds, isKept: keeps)
    var lines: [TraceLine] = []
    for index in 0..<bounds.upperBound {
      let line = trace.lines[index]
      guard index < bounds.lowerBound ? pins.keep.contains(index) : keeps(line) else { continue }
      lines.append(line)
      if pins.gaps.contains(index) {
        lines.append(
          TraceLine(
            t: line.t, channel: line.channel, generation: line.generation, event: .recGap(Gap(why: .cut))))
      }
    }
    let rest = trace.lines[bounds.upperBound..<(ending(of: trace) ?? trace.lines.count)]
    if let pause = pause(over: rest) { lines.append(pause) }
    lines.append(last(of: trace))
    var header = trace.header
    header.tool = tool
    var renumbering = PseudonymRenumbering()
    return Trace(header: header, lines: lines.map { renumbering.apply(to: $0) })
  }

  /// How many logical requests of the cut are read in another way for want of what came after the span.
  ///
  /// A wait whose random unit is not recorded is known by the send that ends it, a redirect by the send that
  /// follows it.
  public func openRequests(in trace: Trace) throws(TraceError) -> Int {
    let keeps = try filter(trace)
    let end = bounds(trace).upperBound
    var answered: [RequestName: (attempt: Int, hop: Int)] = [:]
    for line in trace.lines[..<end] where keeps(line) {
      guard let name = RequestName(line) else { continue }
      switch line.event {
      case .httpResponse(let response): answered[name] = (response.attempt, response.hop ?? 0)
      case .httpError(_, let attempt, _, _): answered[name] = (attempt, 0)
      case .httpSend, .httpCancel, .httpStop: answered[name] = nil
      case .httpWait(_, let attempt, _, _):
        if let known = answered[name], attempt > known.attempt { answered[name] = nil }
      default: break
      }
    }
    var open: Set<RequestName> = []
    for line in trace.lines[end...] {
      guard case .httpSend(let send) = line.event, let name = RequestName(line), let known = answered[name]
      else { continue }
      let isNext = send.hop == nil && send.attempt > known.attempt
      if isNext || send.attempt == known.attempt && (send.hop ?? 0) > known.hop { open.insert(name) }
    }
    return open.count
  }

  /// The indices of the lines inside the span; nothing after the recording's end is in it.
  private func bounds(_ trace: Trace) -> Range<Int> {
    let lines = trace.lines[..<(ending(of: trace) ?? trace.lines.count)]
    let begin = lines.firstIndex { $0.t >= span.lowerBound } ?? lines.endIndex
    return begin..<max(begin, lines.firstIndex { $0.t > span.upperBound } ?? lines.endIndex)
  }

  private func ending(of trace: Trace) -> Int? {
    trace.lines.firstIndex { if case .recEnd = $0.event { true } else { false } }
  }

  /// Which lines stay, as long as they are in the span.
  private func filter(_ trace: Trace) throws(TraceError) -> (TraceLine) -> Bool {
    guard span.lowerBound <= trace.horizon else {
      throw TraceError("the span begins after the end of the trace")
    }
    guard let channels else { return { _ in true } }
    var isKnown = false
    // A plain request whose response turned out to be a stream stands for the stream's connect and open.
    var turned: Set<RequestName> = []
    for line in trace.lines {
      if let channel = line.channel, channels.contains(channel) { isKnown = true }
      if let number = line.event.turnedStream, channels.contains(Channel(.sse, number)) {
        if let name = RequestName(line) { turned.insert(name) }
      }
    }
    guard isKnown || !turned.isEmpty else {
      throw TraceError("the trace has none of the channels that were asked for")
    }
    return { line in
      guard let channel = line.channel else { return true }
      if channels.contains(channel) { return true }
      if case .recPause = line.event { return true }
      return RequestName(line).map { turned.contains($0) } ?? false
    }
  }

  /// The part inside the span of the pauses that end after it.
  private func pause(over rest: ArraySlice<TraceLine>) -> TraceLine? {
    var begin = span.upperBound
    var slept: Int?
    for line in rest {
      guard case .recPause(let length, let asleep) = line.event else { continue }
      let start = max(0, line.t - length)
      guard start < begin else { continue }
      begin = start
      // How the sleep lay in the pause is not known, unless it was all of it.
      slept = asleep == length ? span.upperBound - start : nil
    }
    guard begin < span.upperBound else { return nil }
    return TraceLine(t: span.upperBound, event: .recPause(for: span.upperBound - begin, slept: slept))
  }

  /// The end of the cut: the trace's own where the span reaches it, else the end of the span.
  private func last(of trace: Trace) -> TraceLine {
    let line = ending(of: trace).map { trace.lines[$0] } ?? trace.lines.last
    guard let line, line.t <= span.upperBound else {
      return TraceLine(t: span.upperBound, event: .recEnd(why: .limit, counts: nil))
    }
    if case .recEnd(let why, _) = line.event {
      return TraceLine(t: line.t, event: .recEnd(why: why, counts: nil))
    }
    return TraceLine(t: line.t, event: .recEnd(why: .limit, counts: nil))
  }
}
