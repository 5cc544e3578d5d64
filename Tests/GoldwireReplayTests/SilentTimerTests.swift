import GoldwireReplay
import GoldwireTrace
import Testing

/// Timers of a recorded client that show in no action of their own: an event stream's idle timeout.
@Suite struct SilentTimerTests {
  /// A stream that falls silent at 300; the client gives it up 400 later and connects again `delay` after that.
  private static func trace(delay: Int, isCutSeen: Bool) throws -> Trace {
    var lines = [
      #"{"goldwire":1,"tool":"test","source":"pcap","unit":"ms","clock":"capture","at":"client","blind":["handler"]}"#,
      #"{"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}"#,
      #"{"t":10,"ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream"}"#,
      #"{"t":20,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":6}"#,
      #"{"t":300,"ch":"sse1","gen":1,"ev":"sse.comment"}"#,
    ]
    if isCutSeen {
      lines.append(#"{"t":703,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"local","dir":"out","partial":0}"#)
    }
    lines += [
      #"{"t":\#(705 + delay),"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e1"}"#,
      #"{"t":\#(710 + delay),"ch":"sse1","gen":2,"ev":"sse.open","status":200,"type":"text/event-stream"}"#,
      #"{"t":\#(720 + delay),"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e2","bytes":6}"#,
      #"{"t":\#(730 + delay),"ev":"rec.end","why":"written"}"#,
    ]
    return try Trace(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private static func parameters(delay: Int) throws -> MachineParameters {
    try MachineParameters(
      .stream,
      [
        .delay: .span(TimeSpan(microseconds: delay * 1_000)),
        .idle: .span(TimeSpan(microseconds: 400_000)),
      ])
  }

  @Test("the reconnection after an idle timeout is the machine's too", arguments: [100, 500], [true, false])
  func reconnects(delay: Int, isCutSeen: Bool) throws {
    let (replayed, _) = try TraceReplay.replay(
      try Self.trace(delay: delay, isCutSeen: isCutSeen), try Self.parameters(delay: delay),
      options: ReplayOptions(tick: .recorded))
    #expect(replayed.actions.map(\.line.action) == [.deliver, .commit, .connect, .deliver, .commit])
    #expect(replayed.actions.map(\.line.generation) == [1, 1, 2, 2, 2])
  }

  @Test("a delay shorter than the slack departs no more than a longer one", arguments: [100, 500])
  func conforms(delay: Int) throws {
    let conformance = try Conformance(
      try Self.trace(delay: delay, isCutSeen: true), try Self.parameters(delay: delay))
    #expect(conformance.departures == [])
    #expect(conformance.worstLateness == 5)
  }
}
