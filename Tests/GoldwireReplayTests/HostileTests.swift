import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

@Suite("Whatever a trace holds") struct HostileTests {
  static let numbers = [-9_007_199_254_740_991, -1, 0, 1, 2, 100, 1_000, 9_007_199_254_740_991, .max, .min]

  /// A line of any event, with numbers from the edges.
  static func line(_ t: Int, _ generator: inout SeededGenerator) -> TraceLine {
    func number() -> Int { numbers.randomElement(using: &generator) ?? 0 }
    func small() -> Int { Int.random(in: 1...3, using: &generator) }
    let retry = RetryFields([.after(number()), .at(number()), .bad(.over)].randomElement(using: &generator))
    let dir: Direction = Bool.random(using: &generator) ? .in : .out
    let events: [TraceEvent] = [
      .wsConnect, .wsConnect, .wsAttach, .wsOpen(status: 101, deflate: nil),
      .wsOpen(status: nil, deflate: nil),
      .wsRefused(cause: .dns, status: nil, retry: retry), .wsPing(dir: dir, id: small(), bytes: nil),
      .wsPing(dir: .out, id: nil, bytes: nil), .wsPong(dir: .in, id: nil, bytes: nil),
      .wsPong(dir: dir, id: number(), bytes: nil), .wsPinged(id: nil, result: .error, cause: nil),
      .wsClose(dir: dir, code: number(), by: .unknown), .wsEnd(cause: .reset, dir: dir),
      .httpSend(HTTPSend(req: small(), attempt: 1, method: .get)),
      .httpSend(HTTPSend(req: number(), attempt: number(), hop: number(), method: .post)),
      .httpResponse(HTTPResponse(req: small(), attempt: small(), status: 503, retry: retry)),
      .httpResponse(HTTPResponse(req: number(), attempt: number(), status: number(), sse: small())),
      .httpError(req: small(), try: number(), cause: .reset, sent: nil),
      .httpWait(req: small(), try: small(), for: number(), unit: number()), .httpCancel(req: small()),
      .sseConnect(cursor: number()), .sseOpen(status: 200, type: .eventStream, retry: retry),
      .sseEvent(n: number(), id: small(), rev: small(), bytes: 1), .sseID(id: small()),
      .sseRetry(ms: number()), .sseHandled(n: number(), ok: Bool.random(using: &generator)),
      .sseCut(cause: .eof, dir: .in, partial: 0), .sseCancel, .appBackground, .appForeground,
      .appNetwork(to: .wifi), .appSession(number()), .recTick, .recPause(for: number(), slept: nil),
      .recWall(step: number()), .recGap(Gap(why: .lost)), .recLife(dir: .in, kind: .bytes),
    ]
    let event = events.randomElement(using: &generator) ?? .recTick
    let families: [Channel.Family] = [.ws, .http, .sse]
    let isWide = Int.random(in: 0..<9, using: &generator) == 0
    return TraceLine(
      t: t, channel: isWide ? nil : Channel(families.randomElement(using: &generator) ?? .ws, small()),
      generation: Int.random(in: 0..<9, using: &generator) == 0 ? number() : small(), event: event)
  }

  static func trace(_ seed: UInt64) -> Trace {
    var generator = SeededGenerator(seed: seed)
    let header = TraceHeader(
      tool: "test", source: [.written, .pcap, .tap].randomElement(using: &generator) ?? .written,
      unit: Bool.random(using: &generator) ? .ms : .us, clock: .virtual,
      wall: numbers.randomElement(using: &generator), at: .client,
      blind: Bool.random(using: &generator) ? [.handler] : [])
    var t = 0
    let lines = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
      let step =
        Int.random(in: 0..<12, using: &generator) == 0
        ? 1 << 61
        : [0, 1, 50, 1_000, 30_000_000]
          .randomElement(using: &generator) ?? 0
      t = step > Int.max - t ? Int.max : t + step
      return line(t, &generator)
    }
    return Trace(header: header, lines: lines)
  }

  @Test func noReplayTrapsAndEachIsInOrder() throws {
    let modes: [TickMode] = [.exact, .recorded, .every(TimeSpan(microseconds: 7_000_000))]
    for seed in 0..<600 as Range<UInt64> {
      let trace = Self.trace(seed)
      for machine in MachineName.allCases {
        let more = seed % 2 == 0 ? "connectTimeout=1s policy=anyInboundIsLife" : "cadence=fixed"
        let parameters =
          machine == .heartbeat ? try MachineParameters.quick(more) : try MachineParameters.of(machine)
        for mode in modes {
          let (replayed, _) = try TraceReplay.replay(
            trace, parameters, options: ReplayOptions(tick: mode, findsTies: true))
          let instants = replayed.actions.map(\.line.t)
          #expect(instants == instants.sorted())
          #expect(instants.last ?? 0 <= replayed.horizon)
          #expect(replayed.runaway == nil)
          let words = ReplayedWords(trace, replayed)
          #expect(!words.text.contains("\0"))
        }
        let gate = try Conformance(trace, parameters)
        _ = gate.text()
        _ = gate.json()
      }
    }
  }

  /// Reading back what was written, over random replays.
  private struct ReplayedWords {
    let text: String

    init(_ trace: Trace, _ replayed: Replayed) {
      let words = Words(trace.header.unit)
      text =
        replayed.actions.map { words.action($0.line) }.joined() + trace.lines.map(words.line).joined()
        + words.span(.min) + words.instant(.max) + words.instant(.min)
    }
  }

  @Test func linesOfOneInstantInOtherChannelsCommute() throws {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var trace = Self.trace(seed)
      let parameters = try MachineParameters.quick()
      let options = ReplayOptions(tick: .exact)
      let before = try TraceReplay.replay(trace, parameters, options: options).replayed.actions.map(\.line)
      for _ in 0..<40 where trace.lines.count > 1 {
        let index = Int.random(in: 1..<trace.lines.count, using: &generator)
        let (one, two) = (trace.lines[index - 1], trace.lines[index])
        guard one.t == two.t, let left = one.channel, let right = two.channel, left != right else { continue }
        trace.lines.swapAt(index - 1, index)
      }
      let after = try TraceReplay.replay(trace, parameters, options: options).replayed.actions.map(\.line)
      #expect(before == after)
    }
  }

  @Test func wakingAtEveryUnitGivesWhatJumpingGives() throws {
    // A recorded tick at every millisecond must change nothing: early ticks do nothing.
    var stepped = OrderTests.late
    var lines: [String] = []
    var rest = stepped.lines[...]
    for t in 0...2_000 {
      while let line = rest.first, line.hasPrefix("\(t) ") { lines.append(rest.removeFirst()) }
      if t < 2_000 { lines.append("\(t) ws1#1 rec.tick") }
    }
    let end = lines.firstIndex { $0.contains("rec.end") }
    if let end { lines.append(lines.remove(at: end)) }
    stepped.lines = lines
    #expect(try replayed(stepped, .quick()) == replayed(OrderTests.late, .quick()))
    #expect(try replayed(stepped, .quick(), .recorded) == replayed(OrderTests.late, .quick()))
  }
}
