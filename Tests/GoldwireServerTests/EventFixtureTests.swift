import GoldwireProtocols
import GoldwireServer
import GoldwireTrace
import Testing

/// The built-in script `events` answers as the fixture of the article on resuming event streams does.
@Suite(.timeLimit(.minutes(1))) struct EventFixtureTests {
  private static let all = "id: 1\ndata: queued\n\nid: 2\ndata: building\n\nid: 3\ndata: finished\n\n"
  private static let rest = "id: 2\ndata: building\n\nid: 3\ndata: finished\n\n"

  @Test func theTwoRequestsOfTheArticleAreAnswered() async throws {
    let server = try Self.server()
    let first = try await TestClient.get(server, "/events?cut=1")
    #expect(first.body == "id: 1\ndata: queued\n\n")
    #expect(first.head.hasPrefix("HTTP/1.1 200 "))
    #expect(first.head.contains("Content-Type: text/event-stream; charset=utf-8"))
    #expect(first.head.contains("Cache-Control: no-store"))
    #expect(!first.head.contains("Content-Length") && !first.head.contains("Transfer-Encoding"))
    #expect(try await TestClient.get(server, "/events", ["Last-Event-ID: 1"]).body == Self.rest)
    await server.stop()
    let lines = server.log.lines.map(\.event)
    #expect(
      lines == [
        .sseConnect(cursor: nil), .sseOpen(status: 200, type: .eventStream, retry: Self.retry(lines[1])),
        .sseEvent(n: 1, id: 1, rev: 1, bytes: 6), .sseCut(cause: .eof, dir: .in, partial: 0),
        .sseConnect(cursor: 1), .sseOpen(status: 200, type: .eventStream, retry: Self.retry(lines[5])),
        .sseEvent(n: 1, id: 2, rev: 1, bytes: 8), .sseEvent(n: 2, id: 3, rev: 1, bytes: 8),
        .sseCut(cause: .eof, dir: .in, partial: 0), .recEnd(why: .stopped, counts: nil),
      ])
    try SocketAnswerTests.audit(server)
  }

  @Test(arguments: [
    ("3", 200, ""), ("4", 200, ""), ("0", 200, all), ("-1", 200, all), (" 1 ", 200, rest), ("+1", 200, rest),
    ("0_1", 200, rest), ("1_0", 200, ""), ("", 400, ""), ("x", 400, ""), ("1.0", 400, ""),
    ("99999999999999999999", 200, ""),
  ]) func theCursorIsReadAsInTheFixture(_ cursor: String, _ status: Int, _ body: String) async throws {
    let answer = try await TestClient.get(Self.server(), "/events", ["Last-Event-ID: \(cursor)"])
    #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.body == body)
  }

  @Test(arguments: [
    ("/events?cut=1", 1), ("/events?cut=01", 3), ("/events?cut=1&cut=1", 3), ("/events?cut=%31", 1),
    ("/events?cut", 3),
    ("/events?x=1&cut=1&cut=", 1), ("http://127.0.0.1/events?cut=1", 1), ("/events?", 3),
  ]) func onlyExactlyOneIsACut(_ target: String, _ events: Int) async throws {
    let body = try await TestClient.get(Self.server(), target).body
    #expect(body.split(separator: "\n\n", omittingEmptySubsequences: true).count == events)
  }

  @Test(arguments: ["/", "/events/", "/Events", "/other?cut=1"])
  func anotherPathIsNotFound(_ target: String) async throws {
    #expect(try await TestClient.get(Self.server(), target).head.hasPrefix("HTTP/1.1 404 "))
  }

  @Test func anotherMethodIsNotAllowed() async throws {
    #expect(
      try await TestClient.get(Self.server(), "/events", method: "POST").head.hasPrefix("HTTP/1.1 405 "))
  }

  private static func server() throws -> FaultServer {
    try FaultServer(script: try #require(FaultScript(named: "events")))
  }

  private static func retry(_ event: TraceEvent) -> RetryFields {
    if case .sseOpen(_, _, let retry) = event { retry } else { RetryFields() }
  }
}
