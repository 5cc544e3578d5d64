import GoldwireLive
import GoldwireProtocols
import GoldwireServer
import GoldwireTrace
import Testing

/// What a client of plain HTTP gets.
@Suite(.timeLimit(.minutes(1))) struct RequestAnswerTests {
  @Test func retriesAreAnsweredInTurnAndNumberedAsTries() async throws {
    let server = try Self.server(
      #"{"status":503,"retryAfter":0},{"status":429,"retryAfter":{"in":"3s","form":"rfc850"}},{"body":5}"#)
    #expect(try await TestClient.get(server, "/a?b=c").head.hasPrefix("HTTP/1.1 503 "))
    #expect(try await TestClient.get(server, "/a?b=c").head.contains("GMT"))
    #expect(try await TestClient.get(server, "/a?b=c").body == "xxxxx")
    await server.stop()
    let tries = server.log.lines.compactMap { line -> [Int]? in
      if case .httpSend(let send) = line.event { [send.req, send.attempt] } else { nil }
    }
    #expect(tries == [[1, 1], [1, 2], [1, 3]])
    let responses = server.log.lines.compactMap { line -> HTTPResponse? in
      if case .httpResponse(let response) = line.event { response } else { nil }
    }
    #expect(responses.map(\.status) == [503, 429, 200])
    #expect(responses[0].retry.value == .after(0))
    #expect(responses[1].retry.form == .rfc850)
    guard case .at(let instant)? = responses[1].retry.value, let date = responses[1].retry.date else {
      throw TestClient.Failure()
    }
    #expect(instant - date == 3)
    try SocketAnswerTests.audit(server)
  }

  @Test(arguments: [
    (#""+5""#, RetryFault.sign), (#""1e3""#, .decimal), (#""5s""#, .unit), (#""2, 3""#, .list),
    (#""""#, .empty),
    (#""99999999999999999999""#, .over), (#""Sun, 06 Nov 1995 08:49:37 GMT""#, .weekday),
  ]) func whatIsNoRetryAfterIsToldAsSuch(_ text: String, _ fault: RetryFault) async throws {
    let server = try Self.server(#"{"status":503,"retryAfter":\#(text)}"#)
    _ = try await TestClient.get(server, "/")
    await server.stop()
    #expect(
      server.log.lines.contains { line in
        if case .httpResponse(let response) = line.event {
          response.retry.value == .bad(fault)
        } else {
          false
        }
      })
    try SocketAnswerTests.audit(server)
  }

  @Test func aRedirectIsAHopOfTheSameRequest() async throws {
    let server = try FaultServer(
      script: TestClient.script(
        #"""
        {"script":1,"rules":[{"path":"/old","http":{"status":307,"location":"/new"}},
        {"path":"/new","http":[{"status":401},{"body":1}]}]}
        """#))
    #expect(try await TestClient.get(server, "/old").head.contains("Location: /new"))
    #expect(try await TestClient.get(server, "/new").head.contains("WWW-Authenticate: "))
    #expect(try await TestClient.get(server, "/new").body == "x")
    await server.stop()
    let hops = server.log.lines.compactMap { line -> [Int?]? in
      if case .httpSend(let send) = line.event { [send.req, send.attempt, send.hop] } else { nil }
    }
    #expect(hops == [[1, 1, nil], [1, 1, 1], [1, 1, 2]])
    try SocketAnswerTests.audit(server)
  }

  @Test func oneConnectionCarriesSeveralRequests() async throws {
    let server = try Self.server(#"{"body":2},{"body":3,"end":"chunked"},{"body":4,"end":"close"}"#)
    let stream = try await TCPStream.connect(to: .loopback(server.port))
    let post = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    let get = "GET /g HTTP/1.1\r\nHost: a\r\n\r\n"
    try await stream.write(Array((post + get + get).utf8))
    let text = String(decoding: try await TestClient.rest(stream), as: UTF8.self)
    #expect(text.contains("\r\n\r\nxxHTTP/1.1 200"))
    #expect(text.contains("3\r\nxxx\r\n0\r\n\r\nHTTP/1.1 200"))
    #expect(text.hasSuffix("\r\n\r\nxxxx"))
    await server.stop()
    #expect(server.log.lines.filter { $0.event.kind == .httpBody }.count == 4)
    try SocketAnswerTests.audit(server)
  }

  @Test(arguments: [
    (#"{"do":"reset"}"#, Cause.reset), (#"{"do":"close"}"#, .fin), (#"{"body":10,"cut":4}"#, .fin),
    (#"{"body":10,"end":"reset"}"#, .reset),
  ]) func whatBreaksOffIsAnError(_ behaviour: String, _ cause: Cause) async throws {
    let server = try Self.server(behaviour)
    _ = try? await TestClient.get(server, "/")
    await server.stop()
    #expect(server.log.lines.contains { $0.event == .httpError(req: 1, try: 1, cause: cause, sent: true) })
    try SocketAnswerTests.audit(server)
  }

  @Test(arguments: [
    ("nonsense\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 70_000), "431"),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", ""),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"), ("\0\u{1}\u{2}", ""),
    ("", ""),
  ]) func hostileRequestsEndTheirConnectionAlone(_ text: String, _ status: String) async throws {
    let server = try Self.server(#"{"body":2}"#)
    let stream = try await TCPStream.connect(to: .loopback(server.port))
    try await stream.write(Array(text.utf8))
    stream.shutdownWrite()
    let answer = (try? await TestClient.rest(stream)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if !status.isEmpty { #expect(answer.hasPrefix("HTTP/1.1 \(status) ")) }
    #expect(try await TestClient.get(server, "/").body == "xx")
    await server.stop()
    try SocketAnswerTests.audit(server)
  }

  static func server(_ behaviours: String) throws -> FaultServer {
    try FaultServer(script: TestClient.script(#"{"script":1,"rules":[{"http":["# + behaviours + "]}]}"))
  }
}
