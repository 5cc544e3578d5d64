import Foundation
import GoldwireMachines
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// The examples of docs/heartbeat.md, run; the page must hold the same lines.
@Suite(.timeLimit(.minutes(1))) struct HeartbeatExampleTests {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")

  @Test func theExamplesRun() async throws {
    let connections = Guarded(0)
    let transport = ScriptedWebSocketTransport(clock: HandClock()) { connection in
      let count = connections.withLock { count in
        count += 1
        return count
      }
      connection.put(.opened(deflate: false))
      connection.put(.message(.text("a message")))
      // The first connection breaks, the second one is ended by the test.
      if count == 1 { connection.put(.ended(.reset, .in)) }
    }
    let recording = try HeartbeatRecording(try .init(interval: .seconds(30), timeout: .seconds(10)))
    let tap = recording.tap
    let contents = Guarded<[WebSocketContent]>([])
    let isDone = Once<Void>()
    let received: @Sendable (WebSocketContent) -> Void = { content in
      let count = contents.withLock { contents in
        contents.append(content)
        return contents.count
      }
      if count == 2 { isDone.end(()) }
    }
    @Sendable func reload(after events: Int) { Issue.record("\(events) events were missed") }
    let task = Task {
      // begin
      let parameters = try Heartbeat.Parameters(
        interval: .seconds(30), timeout: .seconds(10), connectTimeout: .seconds(15))
      let driver = HeartbeatDriver(parameters, transport: transport, tap: tap) { entry in print(entry) }
      await driver.connect()
      for await event in driver.events {
        switch event {
        case .opened: try? await driver.send(.text("hello"))
        case .message(_, let content): received(content)
        case .missed(_, let events): reload(after: events)
        case .ended(let end): if end.cause != .userClosed { await driver.connect() }
        }
      }
      // end
    }
    _ = await withCheckedContinuation { isDone.begin($0) }
    task.cancel()
    try await task.value
    #expect(contents.withLock { $0 } == [.text("a message"), .text("a message")])
    #expect(transport.connections.count == 2)
    try await resume(
      HeartbeatDriver(try .init(interval: .seconds(1), timeout: .seconds(1)), transport: transport))
    try holdPage()
  }

  private func resume(_ driver: HeartbeatDriver) async throws {
    // begin
    await driver.background()
    switch await driver.foreground() {
    case .reuse, .wait: break
    case .makeAnew: await driver.connect()
    }
    await driver.network(.wifi)
    // end
    #expect(await driver.generation == 1)
  }

  @Test func theTransportsAreMadeAsThePageSays() async throws {
    let url = try #require(URL(string: "ws://127.0.0.1:8765/chat"))
    // begin
    let socket = try SocketWebSocketTransport(url: url)  // ws://127.0.0.1:8765/chat

    let clock = ManualClock()
    let scripted = ScriptedWebSocketTransport(clock: clock) { connection in
      connection.put(.opened(deflate: false))  // each new connection opens at once
    }
    // end
    let parameters = try Heartbeat.Parameters(interval: .seconds(30), timeout: .seconds(10))
    _ = HeartbeatDriver(parameters, transport: socket)
    let driver = HeartbeatDriver(parameters, transport: scripted, clock: clock)
    await driver.connect()
    #expect(scripted.connections.count == 1)
    try holdPage()
  }

  private func holdPage() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(contentsOfFile: Self.root + "/docs/heartbeat.md", encoding: .utf8)
    let examples = source.components(separatedBy: "// begin\n").dropFirst().prefix(3).map {
      Self.trimmed($0.components(separatedBy: "// end\n")[0])
    }
    #expect(examples.count == 3)
    for example in examples { #expect(Self.trimmed(page).contains("```swift\n" + example + "\n```")) }
  }

  /// The text without the blanks before its lines, and without empty ones.
  private static func trimmed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
