import GoldwireLive
import GoldwireProtocols
import GoldwireServer
import GoldwireTesting
import GoldwireTrace
import Testing

/// What the reader of an event stream gets.
@Suite(.timeLimit(.minutes(1))) struct StreamAnswerTests {
  private static let events = #"[{"id":"a","data":"1"},{"id":"b","data":"22"},{"id":"c","data":"333"}]"#

  @Test func streamsResumeBehindTheEventThatIsNamed() async throws {
    let server = try Self.server(#"{"events":\#(Self.events)}"#)
    #expect(try await TestClient.get(server, "/", ["Last-Event-ID: b"]).body == "id: c\ndata: 333\n\n")
    #expect(try await TestClient.get(server, "/", ["Last-Event-ID: c"]).body == "")
    let all = try await TestClient.get(server, "/").body
    #expect(try await TestClient.get(server, "/", ["Last-Event-ID: unknown"]).body == all)
    let deaf = try Self.server(#"{"resume":false,"events":\#(Self.events)}"#)
    #expect(try await TestClient.get(deaf, "/", ["Last-Event-ID: b"]).body == all)
  }

  @Test func behavioursComeInTurn() async throws {
    let server = try Self.server(
      #"""
      {"cut":1,"events":\#(Self.events)}, {"cut":1,"inside":7,"events":\#(Self.events)},
      {"status":204}, {"status":503,"retryAfter":{"in":"5s","form":"asctime"}}, {"type":"text/html","events":\#(Self.events)}
      """#)
    #expect(try await TestClient.get(server, "/").body == "id: a\ndata: 1\n\n")
    #expect(try await TestClient.get(server, "/").body == "id: a\ndata: 1\n\nid: b\nd")
    #expect(try await TestClient.get(server, "/").head.hasPrefix("HTTP/1.1 204 "))
    #expect(try await TestClient.get(server, "/").head.hasPrefix("HTTP/1.1 503 "))
    #expect(try await TestClient.get(server, "/").head.contains("Content-Type: text/html"))
    await server.stop()
    let partials = server.log.lines.compactMap { line -> Int? in
      if case .sseCut(_, _, let partial) = line.event { partial } else { nil }
    }
    #expect(partials == [0, 7])
    #expect(
      server.log.lines.contains { line in
        if case .sseOpen(503, _, let retry) = line.event { retry.form == .asctime } else { false }
      })
    try SocketAnswerTests.audit(server)
  }

  @Test func fieldsAndLineEndsAreTheScripts() async throws {
    let server = try Self.server(
      #"""
      {"end":"chunked","events":[
        {"comment":"hi","retry":1500,"id":"1","event":"tick","data":"a\nb","lineEnd":"crlf"},
        {"data":"","lineEnd":"cr"}]}
      """#)
    let body = try await TestClient.get(server, "/").body
    #expect(body.hasSuffix("\r\n0\r\n\r\n"))
    #expect(body.contains(": hi\r\nretry: 1500\r\nid: 1\r\nevent: tick\r\ndata: a\r\ndata: b\r\n\r\n"))
    #expect(body.contains("data:\r\r"))
  }

  @Test(
    arguments: [
      (#"{"data":"é","split":"character"}"#, [7, 3]),
      (#"{"data":"x","lineEnd":"crlf","split":"lineEnd"}"#, [8, 3]),
      (#"{"data":"x","split":3}"#, [3, 6]), (#"{"data":"","split":"bytes"}"#, [1, 1, 1, 1, 1, 1, 1]),
    ] as [(String, [Int])]) func aSplitIsSeenAsTwoSegments(_ event: String, _ sizes: [Int]) async throws
  {
    let clock = ManualClock()
    let server = try FaultServer(
      script: TestClient.script(#"{"script":1,"rules":[{"events":{"gap":"1m","events":[\#(event)]}}]}"#),
      clock: clock)
    let stream = try await TCPStream.connect(to: .loopback(server.port))
    try await stream.write(Array("GET / HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n".utf8))
    var head: [UInt8] = []
    while !String(decoding: head, as: UTF8.self).hasSuffix("\r\n\r\n") {
      head += try await stream.read(atMost: 1)
    }
    var seen: [Int] = []
    while true {
      let piece = try await stream.read()
      if piece.isEmpty { break }
      seen.append(piece.count)
      guard seen.count < sizes.count else { continue }
      // The next segment is a minute away; once that is waited for, it passes.
      await clock.waits(until: clock.instant(after: .seconds(60 * seen.count)))
      clock.advance(by: .seconds(60))
    }
    #expect(seen == sizes)
  }

  @Test func aResetInTheMiddleOfAnEventIsOne() async throws {
    let server = try Self.server(#"{"end":"reset","cut":1,"inside":4,"events":\#(Self.events)}"#)
    let stream = try await TCPStream.connect(to: .loopback(server.port))
    try await stream.write(Array("GET / HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n".utf8))
    await #expect(throws: SocketError.reset) { _ = try await TestClient.rest(stream) }
    await server.stop()
    #expect(server.log.lines.contains { $0.event == .sseCut(cause: .reset, dir: .in, partial: 4) })
  }

  @Test func aReaderThatLeavesIsNoticed() async throws {
    let server = try FaultServer(
      script: TestClient.script(
        #"{"script":1,"ends":{"connections":1},"rules":[{"events":{"end":"open","events":[{"data":"x"}]}}]}"#)
    )
    let stream = try await TCPStream.connect(to: .loopback(server.port))
    try await stream.write(Array("GET / HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n".utf8))
    while !String(decoding: try await stream.read(), as: UTF8.self).contains("data: x") {}
    stream.close()
    await server.ended
    #expect(
      server.log.lines.suffix(2).map(\.event) == [
        .sseCut(cause: .local, dir: .out, partial: 0), .recEnd(why: .written, counts: nil),
      ])
  }

  @Test func aThousandEventsAreMade() async throws {
    let server = try Self.server(#"{"generate":{"count":1000,"bytes":20}}"#)
    let body = try await TestClient.get(server, "/", ["Last-Event-ID: 998"]).body
    #expect(body == "id: 999\ndata: 999.................\n\nid: 1000\ndata: 1000................\n\n")
  }

  private static func server(_ behaviours: String) throws -> FaultServer {
    try FaultServer(script: TestClient.script(#"{"script":1,"rules":[{"events":["# + behaviours + "]}]}"))
  }
}
