/// Takes channels and a span of time out of a trace, so that the result replays in step with the whole.
///
/// What the machines need from before the span is pinned, and keeps its instant:
/// - of a WebSocket session its connect, open and all since its last ping that went out, with a `rec.gap` of
///   `cut` behind the open where something between was left out;
/// - of a logical request that is under way all its lines;
/// - of an event stream all since its last connect, and the generation of the last `sse.retry` before that. Its
///   window for duplicates begins there.
///
/// What the app did, pauses and steps of the wall clock stay, and the last line is `rec.end`. Pseudonyms count from
/// 1 again.
public struct TraceCut: Equatable, Sendable {
  /// The channels to keep, or nil for all.
  public var channels: Set<Channel>?
  /// The first and the last instant of the span.
  public var span: ClosedRange<Int>

  /// Makes a cut of some channels, or of all, in a span of the trace's own unit.
  public init(channels: Set<Channel>? = nil, span: ClosedRange<Int>) {
    self.channels = channels
    self.span = span
  }

  /// The part of `trace` that the cut takes out.
  ///
  /// Throws where the trace has none of the channels, or nothing in the span.
  public func apply(to trace: Trace) throws(TraceError) -> Trace {
    let known = Set(trace.lines.compactMap(\.channel))
    if let channels, channels.isDisjoint(with: known) {
      throw TraceError("the trace has none of the channels that were asked for")
    }
    guard span.lowerBound <= trace.horizon else {
      throw TraceError("the span begins after the end of the trace")
    }
    let begin = trace.lines.firstIndex { $0.t >= span.lowerBound } ?? trace.lines.count
    let end = trace.lines.firstIndex { $0.t > span.upperBound } ?? trace.lines.count
    let pins = CutPins(lines: trace.lines, begin: begin, isKept: keeps)
    var lines: [TraceLine] = []
    for index in 0..<end {
      let line = trace.lines[index]
      if case .recEnd = line.event { continue }
      guard index < begin ? pins.keep.contains(index) : keeps(line) else { continue }
      lines.append(line)
      if pins.gaps.contains(index) {
        lines.append(
          TraceLine(
            t: line.t, channel: line.channel, generation: line.generation, event: .recGap(Gap(why: .cut))))
      }
    }
    lines.append(last(of: trace))
    var renumbering = PseudonymRenumbering()
    return Trace(header: trace.header, lines: lines.map { renumbering.apply(to: $0) })
  }

  /// Whether a line inside the span stays.
  private func keeps(_ line: TraceLine) -> Bool {
    guard let channels, let channel = line.channel else { return true }
    return channels.contains(channel)
  }

  /// The end of the cut: the trace's own where the span reaches it, else the end of the span.
  private func last(of trace: Trace) -> TraceLine {
    if let line = trace.lines.last, line.t <= span.upperBound {
      if case .recEnd(let why, _) = line.event {
        return TraceLine(t: line.t, event: .recEnd(why: why, counts: nil))
      }
      return TraceLine(t: line.t, event: .recEnd(why: .limit, counts: nil))
    }
    return TraceLine(t: span.upperBound, event: .recEnd(why: .limit, counts: nil))
  }
}
