import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// Responses: what they answer, and where their bodies end.
@Suite struct HTTP1ResponseTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
  private static let head = "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n"
  private static let post = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n"
  private static let upgrade =
    "GET /w HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n"

  static let good: [HTTP1Case] = [
    .responses(
      "a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1",
      ["#0 200 to GET length(5)", "body hello", "end 5"]),
    .responses(
      "chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nHTTP",
      ["#0 200 to GET chunked", "body hello", "end 5"]),
    .responses(
      "to the end of the connection", "HTTP/1.0 200 OK\r\n\r\nhello", finish: true,
      ["#0 200 to GET untilClose", "body hello", "end 5"]),
    .responses(
      "a coding without chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhello", finish: true,
      ["#0 200 to GET untilClose", "body hello", "end 5"]),
    .responses(
      "no body", to: get + head + get + get,
      "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        + "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
      ["#0 204 to GET none", "#1 200 to HEAD none", "#2 304 to GET none", "#3 200 to GET length(0)", "end 0"]),
    .responses(
      "interim responses", to: post,
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 OK\r\nContent-Length: 2\r\n\r\nhi",
      [
        "#0 100 to POST none", "#0 103 to POST none", "#0 201 to POST length(2)", "body hi", "end 2",
      ]),
    .responses(
      "a switch to WebSocket", to: upgrade,
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u{1}\u{2}",
      ["#0 101 to GET none", "switched webSocket", "left \u{1}\u{2}"]),
    .responses(
      "a switch refused", to: upgrade, "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n",
      ["#0 503 to GET length(0)", "end 0"]),
    .responses(
      "a switch to h2c", to: "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nx",
      ["#0 101 to GET none", "switched http2", "left x"]),
    .responses(
      "a switch to something else",
      to: "POST / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n",
      "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nraw",
      ["#0 101 to POST none", "switched other", "left raw"]),
    .responses(
      "a tunnel", to: "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\u{16}\u{3}",
      [
        "#0 200 to CONNECT none", "switched tunnel", "left \u{16}\u{3}",
      ]),
    .responses(
      "a tunnel refused", to: "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n",
      "HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno", ["#0 407 to CONNECT length(2)", "body no", "end 2"]),
    .responses(
      "no request was seen", to: "", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
      ["#- 200 to OTHER length(2)", "body hi", "end 2"]),
    .responses(
      "the end inside chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", finish: true,
      ["#0 200 to GET chunked", "body he", "end 2 cut"]),
  ]

  static let broken: [HTTP1Case] = [
    .responses(
      "a status that is no number", "HTTP/1.1 Twohundred OK\r\nContent-Length: 2\r\n\r\nhi",
      ["#0 ? to GET length(2)", "rfc9112-4", "body hi", "end 2"]),
    .responses(
      "a status of four digits", "HTTP/1.1 1200 OK\r\nContent-Length: 0\r\n\r\n",
      ["#0 1200 to GET length(0)", "rfc9112-4", "end 0"]),
    .responses(
      "no status", "HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
      ["#0 ? to GET length(0)", "rfc9112-4", "end 0"]),
    .responses(
      "a body without a head", "<html>\r\n</html>\nHTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n",
      ["rfc9112-4", "resumed 16", "#0 400 to GET length(0)", "end 0"]),
    .responses(
      "chunks in a 204", "HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n",
      ["#0 204 to GET none", "rfc9112-6.1"]),
    .responses(
      "lengths that differ", "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nhi",
      ["#0 200 to GET broken", "rfc9112-6.3", "end 0 cut"]),
    .responses(
      "a field without a colon", "HTTP/1.1 403 No\r\nx-id 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      ["#0 403 to GET chunked", "rfc9112-5", "end 0"]),
    .responses(
      "a switch that nobody asked for", "HTTP/1.1 101 Hm\r\nUpgrade: x\r\n\r\nraw",
      ["#0 101 to GET none", "rfc9110-7.8", "switched other", "left raw"]),
  ]

  @Test("A response is read", arguments: good) func reads(_ response: HTTP1Case) { response.check() }

  @Test("A broken rule is named", arguments: broken) func names(_ response: HTTP1Case) { response.check() }

  @Test("The client's direction switches with the server's") func bothSwitch() {
    var reading = HTTP1Reading()
    reading.take(.requests, Self.upgrade)
    reading.take(.responses, "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\n\r\nS")
    reading.take(.requests, "C")
    #expect(
      reading.told == ["#0 GET /w none", "#0 101 to GET none", "switched webSocket", "switched webSocket"])
    #expect(reading.left == Array("SC".utf8))
    #expect(reading.requests.isSwitched && reading.responses.isSwitched)
  }

  @Test("Frames that overtake the 101 in a capture are no garbage") func overtaking() {
    var reading = HTTP1Reading()
    reading.take(.requests, Self.upgrade)
    reading.take(.requests, [0x89, 0x80, 0, 0, 0, 0])
    #expect(reading.told == ["#0 GET /w none", "switched webSocket"])
    #expect(reading.left.count == 6)
  }

  @Test("Bytes held back when the switch comes are left to the other protocol") func heldAtSwitch() {
    var reading = HTTP1Reading()
    reading.take(.requests, "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n")
    reading.take(.requests, "SSH-2")
    reading.take(.responses, "HTTP/1.1 200 OK\r\n\r\n")
    reading.take(.requests, ".0")
    #expect(
      reading.told == ["#0 CONNECT h:1 none", "#0 200 to CONNECT none", "switched tunnel", "switched tunnel"])
    #expect(reading.left == Array("SSH-2.0".utf8))
  }
}
