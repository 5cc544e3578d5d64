import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// What follows a request that waited for the server's word and was answered by an error (RFC 9110 section 10.1.1).
@Suite struct HTTP1ExpectTests {
  private static func post(_ framing: String) -> String {
    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\(framing)\r\n\r\n"
  }
  private static let length = post("Content-Length: 5")
  private static let refusal = "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n"
  private static let next = "PUT /n HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nok"

  /// What is told from the first byte behind the refusal on, however it is cut.
  private static func check(_ request: String, _ answer: String, _ rest: String, _ expected: [String]) {
    for delivery in Delivery.all(of: Array(rest.utf8)) {
      var reading = HTTP1Reading()
      reading.take(.requests, request)
      reading.take(.responses, answer)
      let before = reading.told.count
      for piece in delivery.pieces { reading.take(.requests, piece) }
      reading.finish(.requests)
      #expect(Array(reading.told.dropFirst(before)) == expected, "\(delivery)")
      if Array(reading.told.dropFirst(before)) != expected { return }
    }
  }

  @Test("A client that goes on without the body starts the next request") func skipped() {
    let told = ["rfc9112-6.3", "end 0 cut", "#1 PUT /n length(2)", "body ok", "end 2"]
    Self.check(Self.length, Self.refusal, Self.next, told)
    Self.check(Self.post("Transfer-Encoding: chunked"), Self.refusal, Self.next, told)
  }

  @Test("A client that sends the body all the same has sent it") func sent() {
    let told = ["#1 PUT /n length(2)", "body ok", "end 2"]
    for body in ["hello", "GET /", "A\r\nGE", "\r\n\r\n\n"] {
      Self.check(Self.length, Self.refusal, body + Self.next, ["body \(body)", "end 5"] + told)
    }
    Self.check(
      Self.post("Transfer-Encoding: chunked"), Self.refusal,
      "A\r\n0123456789\r\n0\r\n\r\n" + Self.next, ["body 0123456789", "end 10"] + told)
  }

  @Test("Only an error before the body lets a request follow") func notRefused() {
    for answer in ["", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"] {
      Self.check(
        Self.length, answer, "PUT / HTTP/1.1\r\n\r\n", ["body PUT /", "end 5", "rfc9112-3"])
    }
    Self.check(
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n", Self.refusal, "GET / HTTP/1.1\r\n\r\n",
      ["body GET /", "end 5", "rfc9112-3"])
  }

  @Test("A connection that ends, or a hole, where the body is due leaves it cut or missing") func ends() {
    Self.check(Self.length, Self.refusal, "", ["end 0 cut"])
    Self.check(Self.length, Self.refusal, "GET /", ["end 5"])
    Self.check(Self.length, Self.refusal, "GET", ["end 3 cut"])
    var reading = HTTP1Reading()
    reading.take(.requests, Self.length)
    reading.take(.responses, Self.refusal)
    reading.take(.requests, "GE")
    #expect(reading.lose(.requests, 2) == .counted)
    reading.take(.requests, "!" + Self.next)
    #expect(reading.told.contains("end 5 lost 4") && reading.told.contains("#1 PUT /n length(2)"))
  }
}
