import GoldwireProtocols
import Testing

/// Where RFC 9112 says that the recipient closes the connection, nothing after it is decoded.
@Suite struct HTTP1ClosingTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

  /// Messages that close the connection, with the rule and the section that says so.
  static let closing: [HTTP1Case] = [
    .requests(
      "rfc9112-6.1: both framings",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n" + get,
      ["#0 POST / chunked", "rfc9112-6.3", "body hi", "end 2"]),
    .requests(
      "rfc9112-6.1: chunks in a request of HTTP/1.0",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + get,
      ["#0 POST / chunked", "rfc9112-6.1", "rfc9112-6.3", "end 0"]),
    .requests(
      "rfc9112-6.3: chunked is not the last coding",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n" + get,
      ["#0 POST / broken", "rfc9112-6.3"]),
    .requests(
      "rfc9112-6.3: lengths that differ",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx" + get,
      ["#0 POST / broken", "rfc9112-6.3"]),
    .requests(
      "rfc9110-8.6: a length that is no number",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\nx" + get, ["#0 POST / broken", "rfc9110-8.6"]),
    .responses(
      "rfc9112-6.1: chunks in a response of HTTP/1.0", to: get + get,
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n" + ok,
      ["#0 200 to GET chunked", "rfc9112-6.1", "body hi", "end 2"]),
    .responses(
      "rfc9112-6.3: a response with lengths that differ", to: get + get,
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx" + ok,
      ["#0 200 to GET broken", "rfc9112-6.3", "end 0 cut"]),
    .responses(
      "rfc9112-7.1: a chunk that cannot be delimited", to: get + get,
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + ok,
      ["#0 200 to GET chunked", "rfc9112-7.1", "end 0 cut"]),
  ]

  @Test("What closes the connection is named, and nothing follows", arguments: closing)
  func closes(_ message: HTTP1Case) { message.check() }

  @Test("The response to a request that closes is still read, and those before it; none after")
  func lastResponse() {
    var reading = HTTP1Reading()
    reading.take(.requests, Self.get)
    reading.take(.requests, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\nabc")
    #expect(!reading.exchanges.isOver)
    reading.take(.responses, "HTTP/1.1 100 Continue\r\n\r\n" + Self.ok)
    reading.take(.responses, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 No\r\nContent-Length: 2\r\n\r\nno")
    #expect(reading.exchanges.isOver && !reading.exchanges.hasSwallowed)
    reading.take(.responses, Self.ok)
    #expect(reading.exchanges.hasSwallowed)
    reading.take(.requests, Self.get)
    #expect(
      reading.told == [
        "#0 GET / none", "#1 POST / broken", "rfc9110-8.6", "#0 100 to GET none", "#0 200 to GET length(0)",
        "end 0", "#1 100 to POST none", "#1 400 to POST length(2)", "body no", "end 2",
      ])
  }

  @Test("A response that closes ends the client's direction too") func bothDirections() {
    var reading = HTTP1Reading()
    reading.take(.requests, Self.get)
    reading.take(.responses, "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx")
    reading.take(.requests, Self.get)
    #expect(reading.told == ["#0 GET / none", "#0 200 to GET broken", "rfc9110-8.6", "end 0 cut"])
    #expect(reading.requests.isStopped && reading.responses.isStopped)
  }

  @Test("A response with both framings is read by its chunks, and the connection goes on") func lenient() {
    HTTP1Case.responses(
      "both framings in a response (rfc9112-6.3)", to: Self.get + Self.get,
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + Self.ok,
      ["#0 200 to GET chunked", "rfc9112-6.3", "end 0", "#1 200 to GET length(0)", "end 0"]
    ).check()
  }

  @Test("Errors between pipelined responses keep their requests") func interleaved() {
    HTTP1Case.responses(
      "400 and 404 among 200s", to: Self.get + "PUT /a HTTP/1.1\r\n\r\n" + Self.get + Self.get,
      Self.ok + "HTTP/1.1 400 Bad\r\nContent-Length: 3\r\n\r\nbad" + Self.ok
        + "HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
      [
        "#0 200 to GET length(0)", "end 0", "#1 400 to PUT length(3)", "body bad", "end 3",
        "#2 200 to GET length(0)", "end 0", "#3 404 to GET chunked", "body x", "end 1",
      ]
    ).check()
  }

  @Test("HTTP/0.9 has neither request line nor response head") func simple() {
    HTTP1Case.responses(
      "a bare body", to: "GET /\r\n", "<html>hello</html>", finish: true, ["rfc9112-4"]
    ).check()
  }
}
