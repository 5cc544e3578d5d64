import GoldwireLive
import GoldwireProtocols
import GoldwireServer
import GoldwireTesting
import GoldwireTrace
import Testing

/// What a WebSocket client sees of each behaviour.
@Suite(.timeLimit(.minutes(1))) struct SocketAnswerTests {
  @Test func pingsAreAnsweredByTheirPayload() async throws {
    let server = try Self.server("{}")
    let (client, head) = try await TestClient.open(server, "/chat")
    #expect(head.hasPrefix("HTTP/1.1 101 "))
    #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    for payload in [[], [1], [2, 3, 4]] as [[UInt8]] {
      try await client.send(.ping, payload)
      #expect(try await client.next() == .pong(payload))
    }
    try await client.sendClose(1000)
    #expect(try await client.next() == .close(1000))
    #expect(try await client.next() == .fin)
    client.stream.close()
    await server.stop()
    try Self.expect(
      server,
      [
        "ws.connect", "ws.open", "ws.ping", "ws.pong", "ws.ping", "ws.pong", "ws.ping", "ws.pong",
        "ws.close", "ws.close", "ws.end", "rec.end",
      ])
  }

  @Test func pongsAreDroppedDoubledAndChanged() async throws {
    let server = try Self.server(#"{"pongs":["drop","twice","other","answer"]}"#)
    let (client, _) = try await TestClient.open(server)
    for number in UInt8(1)...5 { try await client.send(.ping, [number]) }
    var seen: [TestClient.Seen] = []
    for _ in 0..<5 { seen.append(try await client.next()) }
    #expect(Array(seen[0..<2]) == [.pong([2]), .pong([2])])
    #expect(seen[2] != .pong([3]))
    #expect(Array(seen[3...]) == [.pong([4]), .pong([5])])
    await server.stop()
    let ids = server.log.lines.compactMap { line -> Int? in
      if case .wsPong(dir: .in, let id, _) = line.event { id } else { nil }
    }
    #expect(ids == [2, 2, 0, 4, 5])
  }

  @Test func aDelayedPongLetsOthersPass() async throws {
    let clock = ManualClock()
    let server = try Self.server(#"{"pongs":[{"after":"40s"},"answer"]}"#, clock)
    let (client, _) = try await TestClient.open(server)
    try await client.send(.ping, [1])
    try await client.send(.ping, [2])
    #expect(try await client.next() == .pong([2]))
    clock.advance(by: .seconds(40))
    #expect(try await client.next() == .pong([1]))
  }

  @Test func stepsComeInTheOrderOfTheScript() async throws {
    let server = try Self.server(
      #"""
      {"steps":[
        {"send":"text","bytes":5},
        {"ping":3},
        {"beforePong":1,"send":"binary","bytes":70000},
        {"afterPong":1,"send":"text","bytes":0,"count":2},
        {"afterPong":2,"pong":4},
        {"afterPong":2,"close":4001}
      ]}
      """#, ManualClock())
    let (client, _) = try await TestClient.open(server)
    #expect(try await client.next() == .text(5))
    guard case .ping(let payload) = try await client.next() else { throw TestClient.Failure() }
    #expect(payload.count == 3)
    try await client.send(.pong, payload)
    try await client.send(.ping, [9])
    #expect(try await client.next() == .binary(70_000))
    #expect(try await client.next() == .pong([9]))
    #expect(try await client.next() == .text(0))
    #expect(try await client.next() == .text(0))
    try await client.send(.ping, [10])
    #expect(try await client.next() == .pong([10]))
    guard case .pong(let other) = try await client.next() else { throw TestClient.Failure() }
    #expect(other.count == 4)
    #expect(try await client.next() == .close(4001))
    try await client.sendClose(4001)
    #expect(try await client.next() == .fin)
  }

  @Test(arguments: [
    (#"{"steps":[{"message":1,"do":"reset"}]}"#, TestClient.Seen.reset),
    (#"{"steps":[{"message":1,"do":"fin"}]}"#, .fin),
    (#"{"steps":[{"message":1,"close":"none"}]}"#, .close(nil)),
    (#"{"steps":[{"message":1,"close":1012}]}"#, .close(1012)),
    (#"{"messages":"echo"}"#, .text(3)),
  ])
  func aMessageIsFollowedBy(_ behaviour: String, _ end: TestClient.Seen) async throws {
    let server = try Self.server(behaviour)
    let (client, _) = try await TestClient.open(server)
    try await client.send(.text, [0x61, 0x62, 0x63])
    #expect(try await client.next() == end)
    await server.stop()
    try Self.audit(server)
  }

  @Test func handshakesAreRefusedInTurn() async throws {
    let server = try Self.server(
      #"""
      {"open":{"status":503,"retryAfter":7}}, {"open":{"do":"reset"}}, {"open":{"do":"close"}}, {}
      """#)
    let (first, head) = try await TestClient.open(server)
    #expect(head.hasPrefix("HTTP/1.1 503 "))
    #expect(head.contains("Retry-After: 7"))
    first.stream.close()
    await #expect(throws: SocketError.reset) { _ = try await TestClient.open(server) }
    #expect(try await TestClient.open(server).head == "")
    #expect(try await TestClient.open(server).head.hasPrefix("HTTP/1.1 101"))
    await server.stop()
    let kinds = server.log.lines.map(\.event.kind.rawValue).filter { $0 != "ws.end" && $0 != "rec.end" }
    #expect(
      kinds == [
        "ws.connect", "ws.refused", "ws.connect", "ws.refused", "ws.connect", "ws.refused", "ws.connect",
        "ws.open",
      ])
    try Self.audit(server)
  }

  @Test func aStallIsHalfAFrame() async throws {
    let server = try Self.server(#"{"steps":[{"stall":100}]}"#)
    let (client, _) = try await TestClient.open(server)
    var count = 0
    while count < 2 + 50 { count += try await client.stream.read(atMost: 52 - count).count }
    // Whatever follows is silence, also where a pong would be.
    try await client.send(.ping, [1])
    try await client.sendClose(1000)
    client.stream.shutdownWrite()
    #expect(try await client.stream.read() == [])
  }

  @Test(arguments: [
    (#"{"pingLimit":{"pings":2,"per":"1h","kill":"reset"}}"#, TestClient.Seen.reset),
    (#"{"pingLimit":{"pings":2,"per":"1h","kill":"close"}}"#, .close(1008)),
  ])
  func oneOfTooManyPingsIsTheLast(_ behaviour: String, _ end: TestClient.Seen) async throws {
    let server = try Self.server(behaviour)
    let (client, _) = try await TestClient.open(server)
    for number in UInt8(1)...2 {
      try await client.send(.ping, [number])
      #expect(try await client.next() == .pong([number]))
    }
    try await client.send(.ping, [3])
    #expect(try await client.next() == end)
  }

  @Test(arguments: [
    (#"{"idleLimit":{"after":"30m","kill":"close"}}"#, TestClient.Seen.close(1001)),
    (#"{"idleLimit":{"after":"30m","kill":"reset"}}"#, .reset),
  ])
  func whoSaysNothingIsKilled(_ behaviour: String, _ end: TestClient.Seen) async throws {
    let clock = ManualClock()
    let server = try Self.server(behaviour, clock)
    let (client, _) = try await TestClient.open(server)
    #expect(await clock.waits().map(clock.span) == .seconds(1800))
    clock.advance(by: .seconds(1799))
    try await client.send(.ping, [1])
    #expect(try await client.next() == .pong([1]))
    clock.advance(by: .seconds(1))
    // The ping was life: only now is the time over.
    await clock.waits(until: clock.instant(after: .seconds(3599)))
    clock.advance(by: .seconds(1799))
    #expect(try await client.next() == end)
  }

  @Test func whoStopsReadingLetsTheClientWait() async throws {
    let clock = ManualClock()
    let server = try Self.server(
      #"{"messages":"echo","steps":[{"message":1,"do":"stopReading"},{"at":"1m","do":"read"}]}"#, clock)
    let (client, _) = try await TestClient.open(server)
    try await client.send(.text, [1])
    #expect(try await client.next() == .text(1))
    // More than the system keeps on the way: the client cannot be done before the server reads again.
    let (stream, frame) = (client.stream, TestClient.frame(.binary, [UInt8](repeating: 0, count: 500_000)))
    let writer = Task { for _ in 0..<40 { try await stream.write(frame) } }
    clock.advance(by: .seconds(60))
    for _ in 0..<40 { #expect(try await client.next() == .binary(500_000)) }
    try await writer.value
  }

  @Test(
    arguments: [
      ([0x81, 0x01, 0x61], 1002), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0xC1, 0x80, 0, 0, 0, 0], 1002),
      ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 1009),
      ([0x80, 0x80, 0, 0, 0, 0], 1002),
      ([0x89, 0xFE, 0x00, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 255), 1002),
    ] as [([UInt8], Int)]) func hostileFramesEndTheirConnectionAlone(_ frame: [UInt8], _ code: Int)
    async throws
  {
    let server = try Self.server("{}")
    let (client, _) = try await TestClient.open(server)
    try await client.stream.write(frame)
    var seen = try await client.next()
    if case .pong = seen { seen = try await client.next() }
    #expect(seen == .close(code))
    let (other, _) = try await TestClient.open(server)
    try await other.send(.ping, [1])
    #expect(try await other.next() == .pong([1]))
    await server.stop()
    try Self.audit(server)
  }

  // MARK: Checks

  /// A server with one rule for every path.
  static func server(
    _ behaviours: String, _ clock: any DriverClock = ContinuousDriverClock()
  ) throws -> FaultServer {
    try FaultServer(
      script: TestClient.script(#"{"script":1,"rules":[{"path":"*","websocket":["# + behaviours + "]}]}"),
      clock: clock)
  }

  static func expect(_ server: FaultServer, _ kinds: [String]) throws {
    #expect(server.log.lines.map(\.event.kind.rawValue) == kinds)
    try audit(server)
  }

  /// A log is a trace like any other.
  static func audit(_ server: FaultServer) throws {
    #expect(try TraceAudit.findings(in: server.log.bytes()) == [])
  }
}
