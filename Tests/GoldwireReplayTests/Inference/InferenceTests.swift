import GoldwireReplay
import GoldwireTrace
import Testing

/// What single lines say of a client, and what they cannot say.
@Suite struct InferenceTests {
  private static func infer(
    _ machine: MachineName, slack: Int = 50, _ lines: String..., header: String = ""
  ) throws -> Inference {
    try Inference(
      Written(lines: lines, source: "tap", header: header).trace(), machine,
      early: TimeSpan(microseconds: 2_000), slack: TimeSpan(microseconds: slack * 1_000))
  }

  @Test("a wait that inbound messages put off tells anyInboundIsLife from pongOnly")
  func policy() throws {
    let inference = try Self.infer(
      .heartbeat, "0 ws1#1 ws.connect", "10 ws1#1 ws.open status=101", "1010 ws1#1 ws.ping dir=out id=1",
      "1400 ws1#1 ws.message dir=in kind=text bytes=1", "1900 ws1#1 ws.close dir=out by=machine",
      "2000 ws1#2 ws.connect", "2010 ws1#2 ws.open status=101", "3012 ws1#2 ws.ping dir=out id=1",
      "3512 ws1#2 ws.close dir=out by=machine")
    #expect(inference["policy"]?.value == .words(["anyInboundIsLife"]))
    #expect(inference["timeout"]?.value == .span(low: 450, high: 502))
    #expect(inference["timeout"]?.taken == .span(TimeSpan(microseconds: 500_000)))
    let plain = try Self.infer(
      .heartbeat, "0 ws1#1 ws.connect", "10 ws1#1 ws.open status=101", "1010 ws1#1 ws.ping dir=out id=1",
      "1400 ws1#1 ws.message dir=in kind=text bytes=1", "1510 ws1#1 ws.close dir=out by=machine",
      "2000 ws1#2 ws.connect", "2010 ws1#2 ws.open status=101", "3012 ws1#2 ws.ping dir=out id=1",
      "3512 ws1#2 ws.close dir=out by=machine")
    #expect(plain["policy"]?.value == .words(["pongOnly"]))
  }

  @Test("what the user or the app did is no timer of the heartbeat")
  func disturbances() throws {
    let inference = try Self.infer(
      .heartbeat, "0 ws1#1 ws.connect", "10 ws1#1 ws.open status=101", "1010 ws1#1 ws.ping dir=out id=1",
      "1020 ws1#1 ws.pong dir=in id=1", "1500 app.network to=wifi", "1500 ws1#1 ws.ping dir=out id=2",
      "1510 ws1#1 ws.pong dir=in id=2", "2510 ws1#1 ws.ping dir=out id=3",
      "2520 ws1#1 ws.close dir=out by=user")
    #expect(inference["interval"]?.value == .span(low: 950, high: 1_002))
    // The ping was awaited for ten milliseconds, and then nobody wanted its pong.
    #expect(inference["timeout"]?.taken == .span(TimeSpan(microseconds: 4_000_000)))
  }

  @Test("one length that does not fit is named, and costs the others nothing")
  func strays() throws {
    let inference = try Self.infer(
      .heartbeat, "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101", "1000 ws1#1 ws.ping dir=out id=1",
      "1000 ws1#1 ws.pong dir=in id=1", "2000 ws1#1 ws.ping dir=out id=2", "2000 ws1#1 ws.pong dir=in id=2",
      "3700 ws1#1 ws.ping dir=out id=3", "3700 ws1#1 ws.pong dir=in id=3", "4700 ws1#1 ws.ping dir=out id=4")
    #expect(inference["interval"]?.value == .span(low: 950, high: 1_002))
    #expect(inference["interval"]?.remark?.contains("1 length does not fit: 1.7s") == true)
    #expect(inference["interval"]?.observations == 3)
  }

  @Test("intervals that agree on nothing are said to be none")
  func torn() throws {
    let inference = try Self.infer(
      .heartbeat, "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101", "1000 ws1#1 ws.ping dir=out id=1",
      "1000 ws1#1 ws.pong dir=in id=1", "3000 ws1#1 ws.ping dir=out id=2")
    #expect(inference["interval"]?.value == .untold)
    #expect(inference["interval"]?.record != nil)
    #expect(inference.parameters == nil && !inference.hasEvidence)
  }

  @Test("a client that sends no ping has no interval; the peer's pings are counted")
  func peerPings() throws {
    let inference = try Self.infer(
      .heartbeat, "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101", "1000 ws1#1 ws.ping dir=in id=1",
      "1000 ws1#1 ws.pong dir=out id=1", "9000 rec.end why=stopped")
    #expect(inference["interval"]?.remark?.contains("1 ping of the peer") == true)
    #expect(inference.parameters == nil)
  }

  @Test("a handshake that the client gave up bounds its connect timeout")
  func handshakes() throws {
    let inference = try Self.infer(
      .heartbeat, "0 ws1#1 ws.connect", "5000 ws1#1 ws.end cause=fin dir=out", "6000 ws1#2 ws.connect",
      "11000 ws1#2 ws.end cause=fin dir=out", "12000 ws1#3 ws.connect", "12300 ws1#3 ws.open status=101",
      "19000 rec.end why=stopped")
    #expect(inference["connectTimeout"]?.value == .span(low: 4_950, high: 5_002))
  }

  @Test("a Retry-After that was not waited for is told, with its line")
  func notHonoured() throws {
    let inference = try Self.infer(
      .retry, "0 http1#1 http.send req=1 try=1 method=GET",
      "10 http1#1 http.response req=1 try=1 status=503 retryAfter=5",
      "1010 http1#1 http.send req=1 try=2 method=GET", "1020 http1#1 http.response req=1 try=2 status=200")
    #expect(inference["retryAfter"]?.value == .flag(false))
    #expect(inference["retryAfter"]?.lines == [2])
  }

  @Test("waits that stop growing show a cap")
  func cap() throws {
    var lines: [String] = []
    var t = 0
    for attempt in 1...6 {
      lines.append("\(t) http1#1 http.send req=1 try=\(attempt) method=GET")
      lines.append("\(t) http1#1 http.response req=1 try=\(attempt) status=503")
      t += min(1_000 << (attempt - 1), 4_000)
    }
    let inference = try Inference(
      Written(lines: lines, source: "tap").trace(), .retry, slack: TimeSpan(microseconds: 50_000))
    let cap = try #require(inference["cap", "none"])
    #expect(cap.value.allows(span: 4_000) && !cap.value.allows(span: 5_000))
    #expect(inference["base", "none"]?.value.allows(span: 1_000) == true)
    #expect(cap.taken == .span(TimeSpan(microseconds: 4_000_000)))
    let parameters = try #require(inference.parameters)
    #expect(parameters.values[.jitter] == .word(.afterCap))
    #expect(try Conformance(Written(lines: lines, source: "tap").trace(), parameters).departures == [])
  }

  @Test("a stream that goes on from an old id, or from none, does not send what it has")
  func lastEventID() throws {
    let inference = try Self.infer(
      .stream, "0 sse1#1 sse.connect", "1 sse1#1 sse.open status=200 type=text/event-stream",
      "2 sse1#1 sse.event n=1 id=e1 bytes=1", "3 sse1#1 sse.cut cause=eof dir=in partial=0",
      "3003 sse1#2 sse.connect", "3004 sse1#2 sse.open status=200 type=text/event-stream",
      "3005 sse1#2 sse.event n=1 id=e2 bytes=1", "3006 sse1#2 sse.cut cause=eof dir=in partial=0",
      "6010 sse1#3 sse.connect cursor=e2")
    #expect(inference["lastEventID"]?.value == .flag(false))
    #expect(inference["lastEventID"]?.remark == "sent in 1 of 2")
    #expect(inference["delay"]?.taken == .span(TimeSpan(microseconds: 3_000_000)))
  }

  @Test("every preset has a source, and values that the machines take")
  func presets() throws {
    #expect(Preset.all.count >= 10)
    for preset in Preset.all {
      #expect(!preset.of.isEmpty && !preset.source.isEmpty, "\(preset.name)")
      for (machine, named) in preset.parameters.values {
        for (name, value) in named { #expect(machine.accepts(value, for: name), "\(preset.name) \(name)") }
        let parameters = try MachineParameters(machine, named)
        switch machine {
        case .heartbeat: _ = try parameters.heartbeat(.us)
        case .retry: _ = try parameters.retry(.us)
        case .stream: _ = try parameters.stream(.us)
        }
      }
    }
  }

  @Test("what was open before the recording began counts from its first ping on")
  func attached() throws {
    let inference = try Self.infer(
      .heartbeat, "0 ws1#1 ws.attach", "500 ws1#1 ws.ping dir=out id=1", "510 ws1#1 ws.pong dir=in id=1",
      "1510 ws1#1 ws.ping dir=out id=2", "1520 ws1#1 ws.pong dir=in id=2", "2530 ws1#1 ws.ping dir=out id=3")
    #expect(inference["interval"]?.value.allows(span: 1_000) == true)
    #expect(inference["interval"]?.observations == 2)
    let stream = try Self.infer(
      .stream, "0 sse1#3 sse.event n=1 id=e1 bytes=1", "3 sse1#3 sse.cut cause=eof dir=in partial=0",
      "3003 sse1#4 sse.connect cursor=e1")
    #expect(stream["delay"]?.value == .span(low: 2_950, high: 3_002))
    #expect(stream["lastEventID"]?.value == .flag(true))
  }

  @Test(
    "where instants are not the client's, that is said, and nothing is put in force; where there are none, nothing is told"
  )
  func elsewhere() throws {
    let lines = [
      "0 sse1#1 sse.connect", "1 sse1#1 sse.open status=200 type=text/event-stream",
      "3 sse1#1 sse.cut cause=eof dir=in partial=0", "3003 sse1#2 sse.connect",
    ]
    var trace = try Written(lines: lines, source: "tap").trace()
    #expect(Inference(trace, .stream).isBounded)
    trace.header.at = .server
    #expect(!Inference(trace, .stream).isBounded)
    #expect(Inference(trace, .stream).text().contains("not recorded at the client"))
    trace.header.blind = [.times]
    let blind = Inference(trace, .stream)
    #expect(blind.values.map(\.name) == ["times"] && !blind.hasEvidence)
  }
}
