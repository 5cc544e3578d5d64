import GoldwireLive
import GoldwireProtocols
import GoldwireServer
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Testing

/// A server as a whole: how it begins and ends, and the network before it.
@Suite(.timeLimit(.minutes(1))) struct FaultServerTests {
  @Test func aHoleHoldsBytesUntilARetransmission() async throws {
    // 50 ms after its first sending a piece is sent again, then 100 ms after that, and so on.
    let server = try SocketAnswerTests.server(
      #"{"network":{"until":"120ms","hole":true,"way":"in","rto":"50ms"}}"#)
    let before = ContinuousDriverClock().now
    let (client, head) = try await TestClient.open(server)
    #expect(head.hasPrefix("HTTP/1.1 101"))
    #expect(ContinuousDriverClock().now.microseconds - before.microseconds >= 150_000)
    try await client.send(.ping, [1])
    #expect(try await client.next() == .pong([1]))
    await server.stop()
    let lines = server.log.lines
    #expect(lines[1].event.kind == .wsOpen)
    #expect(lines[1].t - lines[0].t >= 150_000)
  }

  @Test func whatIsHeldOnItsWayOutIsSeenLater() async throws {
    let server = try SocketAnswerTests.server(
      #"{"network":{"until":"90ms","hole":true,"way":"out","rto":"40ms"}}"#)
    let (client, _) = try await TestClient.open(server)
    try await client.send(.ping, [1])
    try await client.send(.ping, [2])
    #expect(try await client.next() == .pong([1]))
    #expect(try await client.next() == .pong([2]))
    await server.stop()
    let pings = server.log.lines.filter { $0.event.kind == .wsPing }
    #expect(pings.count == 2)
    #expect(pings.allSatisfy { $0.t - server.log.lines[0].t >= 90_000 })
  }

  @Test func aRestartResetsAndRefusesForAWhile() async throws {
    let clock = ManualClock()
    let server = try FaultServer(
      script: TestClient.script(
        #"{"script":1,"restarts":{"at":"1m","for":"2m"},"rules":[{"path":"*","websocket":{}}]}"#),
      clock: clock)
    let (client, _) = try await TestClient.open(server)
    clock.advance(by: .seconds(60))
    #expect(try await client.next() == .reset)
    await #expect(throws: SocketError.refused) { try await TCPStream.connect(to: .loopback(server.port)) }
    #expect(await clock.advanceToNextWait().map(clock.span) == .seconds(180))
    // It listens again a moment later; should the port be taken, it asks for it once more at each advance.
    let mover = Task { while await clock.advanceToNextWait() != nil {} }
    try await server.openings.wait { $0 == 2 ? () : nil }
    mover.cancel()
    #expect(try await TestClient.open(server).head.hasPrefix("HTTP/1.1 101"))
    await server.stop()
    try SocketAnswerTests.audit(server)
  }

  @Test func itEndsAfterSoManyConnections() async throws {
    let server = try FaultServer(
      script: TestClient.script(#"{"script":1,"ends":{"connections":2},"rules":[{"path":"*","http":{}}]}"#))
    for _ in 0..<2 { _ = try await TestClient.get(server, "/") }
    await server.ended
    #expect(server.log.lines.last?.event == .recEnd(why: .written, counts: nil))
    await SocketLoop.shared.settle()
    await #expect(throws: SocketError.refused) { try await TCPStream.connect(to: .loopback(server.port)) }
  }

  @Test func itEndsAfterATime() async throws {
    let server = try FaultServer(
      script: TestClient.script(#"{"script":1,"ends":{"after":"10ms"},"rules":[]}"#))
    await server.ended
    #expect(server.log.lines.map(\.event) == [.recEnd(why: .written, counts: nil)])
  }

  @Test func connectionsAreTakenAsTheScriptSays() async throws {
    let server = try FaultServer(
      script: TestClient.script(
        #"{"script":1,"refusedPort":true,"accepts":["reset","close","silent","answer"],"rules":[{"path":"*","http":{"body":1}}]}"#
      ))
    await #expect(throws: SocketError.reset) { _ = try await TestClient.get(server, "/") }
    #expect(try await TestClient.get(server, "/").head == "")
    let silent = try await TCPStream.connect(to: .loopback(server.port))
    try await silent.write(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    #expect(try await TestClient.get(server, "/").body == "x")
    silent.shutdownWrite()
    #expect(try await TestClient.rest(silent) == [])
    let port = try #require(server.refusedPort)
    await #expect(throws: SocketError.refused) { try await TCPStream.connect(to: .loopback(port)) }
  }

  @Test func equalSeedsGiveEqualJitter() async throws {
    func order(_ seed: Int) async throws -> [TestClient.Seen] {
      let clock = ManualClock()
      let jitter = Array(repeating: #"{"jitter":"1h"}"#, count: 8).joined(separator: ",")
      let server = try FaultServer(
        script: TestClient.script(
          """
          {"script":1,"seed":\(seed),"rules":[{"path":"*","websocket":{"pongs":[\(jitter),"answer"]}}]}
          """), clock: clock)
      let (client, _) = try await TestClient.open(server)
      for number in UInt8(1)...9 { try await client.send(.ping, [number]) }
      // The pong of the ninth comes at once, when all the others were seen.
      #expect(try await client.next() == .pong([9]))
      clock.advance(by: .seconds(3600))
      var seen: [TestClient.Seen] = []
      for _ in 1...8 { seen.append(try await client.next()) }
      return seen
    }
    let first = try await order(1)
    #expect(try await order(1) == first)
    #expect(try await order(2) != first)
  }

  @Test func aPortThatIsTakenIsAnError() throws {
    let server = try FaultServer(script: FaultScript())
    #expect(throws: FaultServer.Failure.port(server.port)) {
      try FaultServer(script: FaultScript(), port: server.port)
    }
  }

  @Test func aThousandPingsOfAHundredConnectionsAreAnswered() async throws {
    let server = try SocketAnswerTests.server("{}")
    let right = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          let (client, _) = try await TestClient.open(server, "/\(number % 7)")
          for round in UInt8(0)..<10 {
            try await client.send(.ping, [round])
            if try await client.next() != .pong([round]) { return false }
          }
          try await client.sendClose(1000)
          return try await client.next() == .close(1000)
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(right == 100)
    await server.stop()
    #expect(server.log.lines.count { $0.event.kind == .wsPong } == 1000)
    try SocketAnswerTests.audit(server)
  }
}
