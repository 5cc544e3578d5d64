import GoldwireProtocols
import Testing

/// Requests: start lines, framing, tolerances, broken rules.
@Suite struct HTTP1RequestTests {
  static let good: [HTTP1Case] = [
    .requests("no body", "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\nGET /n", ["#0 GET /a?b=c none"]),
    .requests(
      "a length", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhelloGET",
      ["#0 POST /a length(5)", "body hello", "end 5"]),
    .requests(
      "an empty body", "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n",
      ["#0 PUT /a length(0)", "end 0"]),
    .requests(
      "two, pipelined", "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\nDELETE /b HTTP/1.1\r\nHost: h\r\n\r\n",
      ["#0 HEAD /a none", "#1 DELETE /b none"]),
    .requests(
      "chunks, extensions, trailers",
      "PATCH /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3;x=\"y\"\r\nabc\r\n0A \r\n0123456789\r\n000;last\r\nDigest: d\r\nX: y\r\n\r\nTRACE /b HTTP/1.1\r\nHost: h\r\n\r\n",
      ["#0 PATCH /a chunked", "body abc0123456789", "end 13", "#1 TRACE /b none"]),
    .requests(
      "bare line feeds",
      "POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n2\nhi\n0\n\nGET / HTTP/1.0\n\n",
      ["#0 POST / chunked", "body hi", "end 2", "#1 GET / none"]),
    .requests("leading line ends", "\r\n\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n\r\n", ["#0 GET / none"]),
    .requests("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", ["#0 GET / none"]),
    .requests("an unknown method", "M-SEARCH_x * HTTP/1.1\r\nhOST:h\r\n\r\n", ["#0 OTHER * none"]),
    .requests("many blanks", "GET \t /a   HTTP/1.1\r\nHost:\t h \t\r\n\r\n", ["#0 GET /a none"]),
    .requests("CONNECT", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", ["#0 CONNECT h:443 none"]),
    .requests(
      "one length, told three times",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-length: 2, 2\r\nCONTENT-LENGTH: 2\r\n\r\nhi",
      ["#0 POST / length(2)", "body hi", "end 2"]),
    .requests(
      "identity is no coding",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi",
      ["#0 POST / length(2)", "body hi", "end 2"]),
    .requests(
      "a coding under chunked",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n",
      ["#0 POST / chunked", "end 0"]),
    .requests(
      "HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      [
        "switched http2", "left PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      ]),
    .requests("a later minor version", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", ["#0 GET / none"]),
    .requests(
      "the end inside a body", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhi", finish: true,
      ["#0 POST / length(9)", "body hi", "end 2 cut"]),
    .requests("the end inside a head", "POST / HTTP/1.1\r\nHo", finish: true, []),
  ]

  static let broken: [HTTP1Case] = [
    .requests(
      "a folded line", "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\tc\r\n\r\n",
      ["#0 GET / none", "rfc9112-5.2"]),
    .requests(
      "a folded length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n 2\r\n\r\nhi",
      ["#0 POST / length(2)", "rfc9112-5.2", "body hi", "end 2"]),
    .requests(
      "blank before the first field", "GET / HTTP/1.1\r\n X: y\r\nHost: h\r\n\r\n",
      ["#0 GET / none", "rfc9112-2.2"]),
    .requests("a bare CR", "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", ["#0 GET / none", "rfc9112-2.2"]),
    .requests("no Host", "GET / HTTP/1.1\r\n\r\n", ["#0 GET / none", "rfc9112-3.2"]),
    .requests("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", ["#0 GET / none", "rfc9112-3.2"]),
    .requests(
      "a blank in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", ["#0 GET /a b none", "rfc9112-3.2"]),
    .requests("no colon", "GET / HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n", ["#0 GET / none", "rfc9112-5"]),
    .requests("no name", "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n", ["#0 GET / none", "rfc9112-5"]),
    .requests(
      "a blank before the colon", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length : 2\r\n\r\nhi",
      ["#0 POST / length(2)", "rfc9112-5.1", "body hi", "end 2"]),
    .requests(
      "a version without its end", "GET / HTTP/1.\r\nHost: h\r\n\r\n", ["#0 GET / none", "rfc9112-2.3"]),
    .requests("an odd version", "GET / HTTP/1.11\r\nHost: h\r\n\r\n", ["#0 GET / none", "rfc9112-2.3"]),
    .requests(
      "length and chunks",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 50\r\n\r\n"
        + "0\r\n\r\nGET /s HTTP/1.1\r\nHost: h\r\n\r\n",
      ["#0 POST / chunked", "rfc9112-6.3", "end 0"]),
    .requests(
      "chunks in HTTP/1.0",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.0\r\n\r\n",
      ["#0 POST / chunked", "rfc9112-6.1", "end 0"]),
    .requests(
      "chunked is not last",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
      ["#0 POST / broken", "rfc9112-6.3"]),
    .requests(
      "chunked twice",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
      ["#0 POST / chunked", "rfc9112-6.1", "end 0"]),
    .requests(
      "a negative length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
      ["#0 POST / broken", "rfc9110-8.6"]),
    .requests(
      "a length over the type", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 92233720368547758070\r\n\r\nx",
      ["#0 POST / broken", "rfc9110-8.6"]),
    .requests(
      "an empty length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \r\n\r\nx",
      ["#0 POST / broken", "rfc9110-8.6"]),
    .requests(
      "two lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
      ["#0 POST / broken", "rfc9112-6.3"]),
    .requests(
      "a chunk size over the type",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\nx",
      ["#0 POST / chunked", "rfc9112-7.1", "end 0 cut"]),
    .requests(
      "a chunk size that is no number",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0x2\r\nhi",
      ["#0 POST / chunked", "rfc9112-7.1", "end 0 cut"]),
    .requests(
      "an empty chunk size", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\r\nhi",
      ["#0 POST / chunked", "rfc9112-7.1", "end 0 cut"]),
    .requests(
      "a chunk that is too long for its size",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nhi\r\n0\r\n\r\n",
      ["#0 POST / chunked", "body h", "rfc9112-7.1", "end 1 cut"]),
    .requests(
      "garbage, then a request", "T / HTTP\n\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      ["rfc9112-3", "resumed 10", "#0 GET / none"]),
    .requests(
      "an old simple request, then a new one", "GET /\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      ["rfc9112-3", "resumed 7", "#0 GET / none"]),
    .requests(
      "garbage names the rule once", "\u{1}\n\u{2}\nget / HTTP/1.1\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      ["rfc9112-3", "resumed 19", "#0 GET / none"]),
    .requests(
      "a word too long for a method", String(repeating: "A", count: 41) + " / HTTP/1.1\r\n\r\n", ["rfc9112-3"]
    ),
  ]

  @Test("A request is read", arguments: good) func reads(_ request: HTTP1Case) { request.check() }

  @Test("A broken rule is named", arguments: broken) func names(_ request: HTTP1Case) { request.check() }

  @Test("Every method of the registry is told, in capitals alone") func methods() {
    for method in HTTPMethod.allCases where method != .other {
      let line = "\(method.rawValue) / HTTP/1.1\r\nHost: h\r\n\r\n"
      #expect(HTTP1Reading.of(.requests, [Array(line.utf8)]) == ["#0 \(method.rawValue) / none"])
      let lower = "\(method.rawValue.lowercased()) / HTTP/1.1\r\nHost: h\r\n\r\n"
      #expect(HTTP1Reading.of(.requests, [Array(lower.utf8)]) == ["#0 OTHER / none"])
    }
  }
}
