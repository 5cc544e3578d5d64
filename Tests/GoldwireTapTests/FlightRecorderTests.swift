import GoldwireMachines
import GoldwireProtocols
import GoldwireReplay
import GoldwireTap
import GoldwireTrace
import Testing

/// A dump of a session that is older than what is kept replays as the whole recording does.
@Suite struct FlightRecorderTests {
  private static let second = 1_000_000

  private func recorder(
    _ parameters: TapParameters, span: Duration = .seconds(60), bytes: Int = 1 << 22
  ) -> Tap {
    Tap(
      FlightLimits(span: span, bytes: bytes), parameters: parameters, clocks: Recording.begin)
  }

  /// The dump at `t`, which must pass the audit and hold no more than is kept.
  private func dump(_ tap: Tap, at t: Int) throws -> Trace {
    let bytes = tap.dump(at: at(t))
    #expect(try TraceAudit.findings(in: bytes) == [])
    let trace = try Trace(bytes: bytes)
    #expect(trace.bytes() == bytes)
    #expect(trace.horizon == t)
    return trace
  }

  /// Holds a dump against the machine, with the parameters in its header: it must act, and never depart.
  private func conform(_ trace: Trace, _ machine: MachineName, acts: Int) throws {
    let table = try #require(trace.header.inForce?[machine])
    let conformance = try Conformance(trace, MachineParameters(machine, table))
    #expect(conformance.departures == [])
    #expect(conformance.neverInStep == [])
    #expect(conformance.acts >= acts, "\(conformance.acts)")
  }

  private static func beating(_ policy: Heartbeat.Policy = .pongOnly) throws -> Heartbeat.Parameters {
    try Heartbeat.Parameters(interval: 10 * second, timeout: 4 * second, policy: policy)
  }

  @Test(
    "a heartbeat of ten minutes, of which one is kept",
    arguments: [Heartbeat.Policy.pongOnly, .anyInboundIsLife])
  func heartbeat(policy: Heartbeat.Policy) throws {
    let parameters = try Self.beating(policy)
    let tap = recorder(TapParameters(heartbeat: parameters))
    var client = MiniHeartbeat(parameters, tap.socket(), seed: 1)
    client.connect(at: 0)
    for minute in 1...10 {
      client.run(until: minute * 60 * Self.second, messages: 20)
      tap.drain(at: at(minute * 60 * Self.second))
    }
    let trace = try dump(tap, at: 600 * Self.second)
    #expect(trace.lines.prefix(2).map(\.t) == [0, 30_000])
    #expect(trace.lines[2].event == .recGap(Gap(why: .ring)))
    guard case .wsPing(.out, _, _) = trace.lines[3].event else {
      Issue.record("the last ping is not pinned")
      return
    }
    #expect(trace.lines[3].t < 540 * Self.second)
    #expect(trace.lines[3].t > 520 * Self.second)
    try conform(trace, .heartbeat, acts: 5)
  }

  @Test("a peer that falls silent: the close is in the dump, though the ping is older than what is kept")
  func silence() throws {
    let parameters = try Self.beating()
    let tap = recorder(TapParameters(heartbeat: parameters), span: .seconds(2))
    var client = MiniHeartbeat(parameters, tap.socket(), seed: 2)
    client.connect(at: 0)
    client.run(until: 300 * Self.second) { $0 < 200 * Self.second }
    #expect(client.isClosed)
    tap.drain(at: at(210 * Self.second))
    let trace = try dump(tap, at: 207 * Self.second)
    try conform(trace, .heartbeat, acts: 1)
    let machine = try MachineParameters(.heartbeat, try #require(trace.header.inForce?[.heartbeat]))
    let replayed = try TraceReplay.replay(trace, machine, options: ReplayOptions(tick: .recorded)).replayed
    #expect(replayed.actions.filter { $0.line.action == .close }.count == 1)
  }

  @Test("what is over is not pinned, and the next session is whole")
  func over() throws {
    let parameters = try Self.beating()
    let tap = recorder(TapParameters(heartbeat: parameters), span: .seconds(30))
    let session = tap.socket()
    let old = session.connect(at: at(0))
    old.opened(at: at(1))
    old.ended(.fin, .in, at: at(2))
    var client = MiniHeartbeat(parameters, session, seed: 3)
    client.connect(at: 100 * Self.second)
    client.run(until: 125 * Self.second)
    let trace = try dump(tap, at: 125 * Self.second)
    #expect(
      trace.lines.first
        == TraceLine(t: 100 * Self.second, channel: Channel(.ws, 1), generation: 2, event: .wsConnect))
    try conform(trace, .heartbeat, acts: 2)
  }

  @Test("a request that waits longer than what is kept is sent again in the dump")
  func retry() throws {
    let parameters = Retry.Parameters.standard(.microseconds)
    let tap = recorder(TapParameters(retry: parameters), span: .seconds(5))
    let origin = tap.origin()
    for number in 0..<20 {
      let done = origin.request(.get).sent(at: at(number))
      done.answered(Answer(status: 200), at: at(number + 10))
    }
    let request = origin.request(.put, replayable: true, key: tap.key(), bytes: 3)
    let answer = Answer(status: 503, retryAfter: .seconds(20), unit: 400_000)
    var machine = Retry(parameters)
    machine.handle(.start(Retry.Request(method: "PUT", replayable: true, hasKey: true)), at: 100) { _ in }
    request.sent(at: at(100)).answered(answer, at: at(200))
    var wait = 0
    machine.handle(.answered(1, answer), at: 200) { if case .wait(let span, _) = $0 { wait = span } }
    #expect(wait == 20 * Self.second)
    request.waits(microseconds: wait, unit: 400_000, at: at(200))
    tap.drain(at: at(15 * Self.second))
    let again = request.sent(at: at(200 + wait))
    again.answered(Answer(status: 200), at: at(250 + wait))
    request.stopped(.delivered, at: at(250 + wait))
    let trace = try dump(tap, at: 21 * Self.second)
    // Of the requests that are over nothing is left.
    #expect(trace.lines.filter { $0.t < 100 }.isEmpty)
    #expect(trace.lines.first?.t == 100)
    guard case .httpSend(let send) = trace.lines[0].event else { return }
    #expect(send.req == 21 && send.key == 1)
    try conform(trace, .retry, acts: 3)
  }

  @Test("a session that changed while a request waits is known to the dump")
  func session() throws {
    let parameters = Retry.Parameters.standard(.microseconds)
    let tap = recorder(TapParameters(retry: parameters), span: .seconds(5))
    tap.session(at: at(1))
    let request = tap.origin().request(.get)
    request.sent(at: at(100)).answered(Answer(status: 503, unit: 0), at: at(200))
    request.waits(microseconds: 500_000, unit: 0, at: at(200))
    tap.session(at: at(300))
    request.stopped(.stale, at: at(500_200))
    tap.app(.background, at: at(600_000))
    tap.app(.foreground, at: at(700_000))
    let late = try dump(tap, at: 5_300_000)
    #expect(
      late.lines.dropLast().map(\.event) == [
        .appSession(1), .httpSend(HTTPSend(req: 1, attempt: 1, method: .get)),
        .httpResponse(HTTPResponse(req: 1, attempt: 1, status: 503)),
        .httpWait(req: 1, try: 2, for: 500_000, unit: 0), .appSession(2), .httpStop(req: 1, why: .stale),
        .appBackground, .appForeground,
      ])
    try conform(late, .retry, acts: 2)
  }

  @Test("a stream of 2,000 events: the dump begins with the last commit, and goes on through a reconnect")
  func stream() throws {
    let parameters = EventStream.Parameters.standard(.microseconds)
    let tap = recorder(TapParameters(stream: parameters), span: .seconds(10))
    var reader = MiniReader(parameters, tap.stream())
    reader.connect(at: 0)
    reader.retry(milliseconds: 700, at: 20)
    for number in 1...2_000 {
      reader.event(at: number * 100_000, hasID: number % 3 != 0)
      if number % 500 == 0 { tap.drain(at: at(number * 100_000)) }
    }
    reader.cut(at: 200_200_000)
    for number in 1...20 { reader.event(at: 201_000_000 + number * 100_000) }
    let trace = try dump(tap, at: 204_000_000)
    try conform(trace, .stream, acts: 60)
    let machine = try MachineParameters(.stream, try #require(trace.header.inForce?[.stream]))
    let replayed = try TraceReplay.replay(trace, machine, options: ReplayOptions(tick: .exact)).replayed
    // The delay that the server asked for long ago still counts.
    let connect = replayed.actions.first { $0.line.action == .connect }
    #expect(connect?.line.t == 200_200_000 + 700_000)
    #expect(trace.lines.count < 600)
  }

  @Test("an event whose handler runs, and the failures since the last commit, are pinned")
  func failures() throws {
    let parameters = EventStream.Parameters.standard(.microseconds)
    let tap = recorder(TapParameters(stream: parameters), span: .seconds(2))
    var reader = MiniReader(parameters, tap.stream())
    reader.connect(at: 0)
    for number in 1...100 { reader.event(at: number * 1_000) }
    for round in 0..<4 {
      reader.event(at: 1_000_000 + round * 4_000_000, succeeds: false)
      reader.reconnect()
    }
    tap.drain(at: at(20_000_000))
    let trace = try dump(tap, at: 20_000_000)
    try conform(trace, .stream, acts: 4)
  }

  @Test("the memory is bounded by bytes, and of what is older only what is needed is told")
  func bytes() throws {
    let tap = recorder(TapParameters(), span: .seconds(1_000_000), bytes: 100_000)
    let connection = tap.socket().connect(at: at(0))
    connection.opened(at: at(1))
    for t in 2..<10_000 {
      connection.message(.in, .binary, bytes: t, at: at(t))
      if t % 1_000 == 0 { tap.drain(at: at(t)) }
    }
    let trace = try dump(tap, at: 10_000)
    let kept = 100_000 / MemoryLayout<TraceLine>.stride
    #expect(trace.lines.count == kept + 3)
    #expect(trace.lines.dropLast().last?.t == 9_999)
    #expect(trace.lines.prefix(2).map(\.event) == [.wsConnect, .wsOpen(status: 101, deflate: nil)])
  }

  @Test("a hole in the ring is told in the dump, and what it hit is out of step until its next ping")
  func hole() throws {
    let parameters = try Self.beating()
    let tap = recorder(TapParameters(heartbeat: parameters), span: .seconds(15))
    var client = MiniHeartbeat(parameters, tap.socket(), seed: 5)
    let noise = tap.socket().connect(at: at(0))
    client.connect(at: 0)
    client.run(until: 25 * Self.second)
    for _ in 0..<5_000 { noise.tick(at: at(25 * Self.second)) }
    client.run(until: 35 * Self.second)
    tap.drain(at: at(36 * Self.second))
    client.run(until: 65 * Self.second)
    let trace = try dump(tap, at: 65 * Self.second)
    try conform(trace, .heartbeat, acts: 1)
  }
}
