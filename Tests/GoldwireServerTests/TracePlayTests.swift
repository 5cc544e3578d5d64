import Foundation
import GoldwireLive
import GoldwireProtocols
import GoldwireServer
import GoldwireTesting
import GoldwireTrace
import Testing

/// The server's side of a trace, played to a client that does what the recorded one did.
@Suite(.timeLimit(.minutes(1))) struct TracePlayTests {
  @Test func whatWasServedIsServedAgain() async throws {
    let clock = ManualClock()
    let first = try FaultServer(
      script: TestClient.script(
        #"""
        {"script":1,"rules":[
          {"path":"*","websocket":[
            {"pongs":["answer","twice","other","drop","answer"],
             "steps":[{"send":"text","bytes":5},{"ping":3},{"at":"10s","send":"binary","bytes":70000},
               {"at":"10s","close":1012}]},
            {"open":{"status":503,"retryAfter":7}},
            {"steps":{"at":"5s","do":"reset"}}]},
          {"path":"/events","events":[
            {"cut":2,"inside":5,"events":[{"retry":900},{"id":"a","data":"one"},{"comment":"x"},{"id":"b","data":"two"},
              {"id":"c","data":"three"}]},
            {"end":"reset","events":[{"id":"b","data":"other"},{"data":"none"}]},
            {"status":204}]},
          {"path":"/r","http":[{"status":503,"retryAfter":"+1"},{"status":429,"retryAfter":{"in":"3s"}},{"body":20}]}]}
        """#), clock: clock)
    try await Self.visit(first, clock)
    await first.stop()
    let script = try TracePlay(first.log).script()
    let second = try FaultServer(script: script, clock: clock)
    try await Self.visit(second, clock)
    // It ends by itself once everything was played.
    await second.ended
    let (again, before) = (Self.told(second.log), Self.told(first.log))
    #expect(again.keys.sorted() == before.keys.sorted())
    for (channel, lines) in before {
      for (index, line) in lines.enumerated() {
        let other = again[channel].flatMap { $0.indices.contains(index) ? $0[index] : nil }
        #expect(other == line, "\(channel), line \(index + 1)")
      }
      #expect(again[channel]?.count == lines.count)
    }
    #expect(second.log.lines.last?.event == .recEnd(why: .written, counts: nil))
    try SocketAnswerTests.audit(second)
  }

  @Test func delaysAreThoseOfTheRecording() async throws {
    let clock = ManualClock()
    let server = try FaultServer(script: try TracePlay(Self.written).script(), clock: clock)
    async let opened = TestClient.open(server)
    // The opening took 40 ms.
    #expect(await clock.advanceToNextWait().map(clock.span) == .milliseconds(40))
    let (client, _) = try await opened
    // The message of 5 s after the opening is waited for, and then the reset of 9 s.
    #expect(await clock.waits().map(clock.span) == .milliseconds(5040))
    try await client.send(.ping, [1])
    await clock.waits(until: clock.instant(after: .milliseconds(110)))
    clock.advance(by: .milliseconds(70))
    #expect(try await client.next() == .pong([1]))
    clock.advance(by: .milliseconds(4930))
    #expect(try await client.next() == .binary(9))
    clock.advance(by: .seconds(4))
    #expect(try await client.next() == .reset)
    await server.ended
  }

  /// An hour of a WebSocket in a few lines, in milliseconds.
  private static let written: Trace = {
    let channel = Channel(.ws, 1)
    let events: [(Int, TraceEvent)] = [
      (100, .wsConnect), (140, .wsOpen(status: 101, deflate: nil)),
      (1_000, .wsPing(dir: .out, id: 1, bytes: 1)), (1_070, .wsPong(dir: .in, id: 1, bytes: 1)),
      (5_140, .wsMessage(WSMessage(dir: .in, kind: .binary, bytes: 9))),
      (9_140, .wsEnd(cause: .reset, dir: .in)),
    ]
    return Trace(
      header: TraceHeader(tool: "hand", source: .written, unit: .ms, clock: .virtual, at: .client),
      lines: events.map { TraceLine(t: $0.0, channel: channel, generation: 1, event: $0.1) }
        + [TraceLine(t: 10_000, event: .recEnd(why: .written, counts: nil))])
  }()

  /// What the client does: the same each time.
  private static func visit(_ server: FaultServer, _ clock: ManualClock) async throws {
    let (client, _) = try await TestClient.open(server, "/chat")
    #expect(try await client.next() == .text(5))
    guard case .ping(let payload) = try await client.next() else { throw TestClient.Failure() }
    try await client.send(.pong, payload)
    for (number, pongs) in zip(UInt8(1)...5, [1, 2, 1, 0, 1]) {
      try await client.send(.ping, [number])
      for _ in 0..<pongs { guard case .pong = try await client.next() else { throw TestClient.Failure() } }
    }
    clock.advance(by: .seconds(10))
    #expect(try await client.next() == .binary(70_000))
    #expect(try await client.next() == .close(1012))
    try await client.sendClose(1012)
    #expect(try await client.next() == .fin)
    client.stream.close()
    #expect(try await TestClient.open(server, "/chat").head.contains("Retry-After: 7"))
    let (third, _) = try await TestClient.open(server, "/chat")
    try await third.send(.ping, [])
    #expect(try await third.next() == .pong([]))
    clock.advance(by: .seconds(5))
    #expect(try await third.next() == .reset)
    let accept = ["Accept: text/event-stream"]
    // A reset comes a moment after what it follows.
    let mover = Task { while !Task.isCancelled { await clock.advanceToNextWait() } }
    for _ in 0..<3 { _ = try? await TestClient.get(server, "/events", accept) }
    mover.cancel()
    for _ in 0..<3 { _ = try await TestClient.get(server, "/r") }
  }

  /// What a log tells, without instants and dates, of each channel by itself.
  private static func told(_ trace: Trace) -> [String: [String]] {
    var told: [String: [String]] = [:]
    for line in trace.lines {
      guard let channel = line.channel else { continue }
      var event = line.event
      switch event {
      case .sseOpen(let status, let type, var retry):
        retry.date = nil
        event = .sseOpen(status: status, type: type, retry: retry)
      case .wsRefused(let cause, let status, var retry):
        retry.date = nil
        event = .wsRefused(cause: cause, status: status, retry: retry)
      case .httpResponse(var response):
        if case .at(let instant)? = response.retry.value, let date = response.retry.date {
          response.retry.value = .at(instant - date)
        }
        response.retry.date = nil
        event = .httpResponse(response)
      default: break
      }
      told[channel.description, default: []].append("\(line.generation ?? 0) \(event)")
    }
    return told
  }

  // MARK: The corpus

  private static let corpus: [String] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "traces")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0 + "/trace.jsonl").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }()

  @Test func thereIsACorpus() { #expect(Self.corpus.count > 20) }

  @Test(arguments: corpus) func everyTraceOfTheCorpusCanBePlayed(_ path: String) async throws {
    let script = try TracePlay(Trace.load(path: path)).script()
    #expect(!script.rules.isEmpty)
    let server = try FaultServer(script: script)
    await server.stop()
  }
}
