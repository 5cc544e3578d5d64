import GoldwireLive
import GoldwireProtocols
import GoldwireServer
import GoldwireTesting
import Testing

/// Connections that nobody hears of any more: they end all the same, and with them a server that waits for that.
@Suite(.timeLimit(.minutes(1))) struct LostConnectionTests {
  private static func server(_ behaviour: String, _ clock: ManualClock) throws -> FaultServer {
    try FaultServer(
      script: TestClient.script(
        #"{"script":1,"ends":{"connections":1},"rules":[{"path":"*","websocket":"# + behaviour + "}]}"),
      clock: clock)
  }

  @Test func aHoleWithoutAnEndKeepsNoConnection() async throws {
    let server = try Self.server(#"{"network":{"hole":true,"way":"out"}}"#, ManualClock())
    let (client, _) = try await TestClient.open(server)
    try await client.send(.ping, [1])
    client.stream.close()
    await server.ended
  }

  /// At the first message the server stops reading, and then says so.
  private static let stopped =
    #"{"message":1,"do":"stopReading"},{"message":1,"send":"text","bytes":1}"#

  @Test func whoHasStoppedReadingMayReset() async throws {
    let clock = ManualClock()
    let server = try Self.server(
      #"{"steps":[\#(Self.stopped),{"message":2,"after":"1m","do":"reset"}]}"#, clock)
    let (client, _) = try await TestClient.open(server)
    try await client.send(.text, [1])
    #expect(try await client.next() == .text(1))
    // This one is still read, since the server waited for it already.
    try await client.send(.text, [2])
    await clock.waits(until: clock.instant(after: .seconds(60)))
    clock.advance(by: .seconds(60))
    #expect(try await client.next() == .reset)
    await server.ended
  }

  @Test func whoHasStoppedReadingDoesNotLingerForEver() async throws {
    let clock = ManualClock()
    let server = try Self.server(
      #"{"steps":[\#(Self.stopped),{"message":2,"after":"1m","close":1000}]}"#, clock)
    let (client, _) = try await TestClient.open(server)
    try await client.send(.text, [1])
    #expect(try await client.next() == .text(1))
    // This one is still read, since the server waited for it already.
    try await client.send(.text, [2])
    await clock.waits(until: clock.instant(after: .seconds(60)))
    clock.advance(by: .seconds(60))
    #expect(try await client.next() == .close(1000))
    await clock.waits(until: clock.instant(after: .seconds(62)))
    clock.advance(by: .seconds(2))
    await server.ended
  }

  @Test func aServerWhoseTimeIsOverAtOnceEnds() async throws {
    let script = try TestClient.script(#"{"script":1,"ends":{"after":"0s"},"rules":[]}"#)
    for _ in 0..<100 { await (try FaultServer(script: script)).ended }
  }
}
