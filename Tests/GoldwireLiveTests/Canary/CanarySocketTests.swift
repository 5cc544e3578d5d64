import Foundation
import GoldwireMachines
import GoldwireProtocols
import GoldwireServer
import GoldwireTesting
import Testing

@testable import GoldwireLive

/// No secret of a WebSocket session is in a trace, a log or an error.
@Suite(.timeLimit(.minutes(1))) struct CanarySocketTests {
  private static func driver(_ bench: CanaryBench, _ port: Int) throws -> HeartbeatDriver {
    var options = SocketWebSocketTransport.Options()
    options.fields = ["Authorization": "Bearer \(bench.secret())", "Cookie": "s=\(bench.secret())"]
    options.subprotocols = ["p\(bench.secret())"]
    let transport = try SocketWebSocketTransport(
      url: bench.address("ws", port), options: options, clock: bench.clock)
    return HeartbeatDriver(
      try Heartbeat.Parameters(interval: .seconds(30), timeout: .seconds(10)), transport: transport,
      clock: bench.clock, tap: bench.tap, log: bench.book.add)
  }

  private static func end(_ bench: CanaryBench, _ driver: HeartbeatDriver) async {
    for await event in driver.events {
      if case .ended = event { return bench.tell(event) }
    }
  }

  @Test(arguments: CanaryBench.Recorder.allCases)
  func againstTheFaultServer(_ recorder: CanaryBench.Recorder) async throws {
    let bench = try CanaryBench(recorder)
    let server = try bench.server(
      #""websocket":{"messages":"echo","steps":[{"ping":9},{"beforePong":1,"close":4007}]}"#)
    let driver = try Self.driver(bench, server.port)
    await driver.connect()
    let events = driver.events.makeAsyncIterator()
    #expect(await events.next() == .opened(generation: 1))
    for content in [
      WebSocketContent.text("{\"password\":\"\(bench.secret())\"}"), .binary(Array(bench.secret().utf8)),
      .text(bench.secret()),
    ] {
      try await driver.send(content)
      #expect(await events.next() == .message(generation: 1, content), "the server sends it back")
    }
    await bench.clock.waits(until: bench.clock.instant(after: .seconds(30)))
    bench.clock.advance(by: .seconds(30))
    await Self.end(bench, driver)
    _ = await bench.attempt { try await driver.send(.text(bench.secret())) }
    await server.stop()
    bench.tell(log: server)
    bench.check(lines: 12)
  }

  @Test(arguments: CanaryBench.Recorder.allCases)
  func againstAPeerThatTellsSecrets(_ recorder: CanaryBench.Recorder) async throws {
    let bench = try CanaryBench(recorder)
    let server = try RawServer()
    let driver = try Self.driver(bench, server.listener.port)
    func secret() -> [UInt8] { Array(bench.secret().utf8) }

    // An open connection: fields, pings, pongs, messages in pieces, and the reason of a close.
    await driver.connect()
    let peer = try await server.accept()
    try await peer.send(
      Array(peer.answer("Set-Cookie: s=\(bench.secret())\r\nServer: \(bench.secret())\r\n").utf8))
    for opcode in [WebSocketOpcode.ping, .pong, .text, .binary] { try await peer.send(opcode, secret()) }
    try await peer.send(.text, secret(), isFinal: false)
    try await peer.send(.ping, secret())
    try await peer.send(.continuation, secret())
    try await peer.send(.close, [0x0F, 0xA7] + secret())
    await Self.end(bench, driver)
    peer.stream.close()

    // A refusal with a body, an answer that is none, and frames that break the rules.
    let key = secret()
    let answers: [[UInt8]] = [
      Array(
        """
        HTTP/1.1 401 \(bench.secret())\r\nWWW-Authenticate: Basic realm=\(bench.secret())\r
        Retry-After: \(bench.word())\r\nContent-Length: 20\r\n\r\n\(bench.secret())
        """.utf8),
      Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".utf8)
        + Array("Sec-WebSocket-Accept: ".utf8) + key + Array("\r\n\r\n".utf8),
      secret() + Array("\r\n\r\n".utf8),
    ]
    for answer in answers {
      await driver.connect()
      let peer = try await server.accept()
      try await peer.send(answer)
      await Self.end(bench, driver)
      peer.stream.close()
    }
    for bytes in [[0xC1, 0x10] + secret(), [0x81, 0x7F] + secret(), [0x88, 0x7D] + secret()] as [[UInt8]] {
      await driver.connect()
      let peer = try await server.open()
      try await peer.send(bytes)
      peer.stream.shutdownWrite()
      await Self.end(bench, driver)
      peer.stream.close()
    }
    bench.check(lines: 20)
  }

  @Test func whatIsRefusedBeforeAConnection() async throws {
    let bench = try CanaryBench(.file)
    let url = try bench.address("ws", 1)
    var options = SocketWebSocketTransport.Options()
    options.fields = ["X-Key": "\(bench.secret())\r\nX: \(bench.secret())"]
    _ = await bench.attempt { try SocketWebSocketTransport(url: url, options: options) }
    _ = await bench.attempt { try SocketWebSocketTransport(url: bench.address("http", 1)) }
    options.fields = [bench.secret() + ":": bench.secret()]
    _ = await bench.attempt { try SocketWebSocketTransport(url: url, options: options) }
    bench.check(lines: 1)
  }
}
