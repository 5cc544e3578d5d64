import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// The facts of heads and the places of their values.
@Suite struct HTTP1HeadTests {
  /// Reads one head in every delivery and hands it to `check`, with a way to read values.
  private func each(
    _ role: HTTP1Role, _ text: String, _ check: (HTTP1Head, (ByteRange) -> String?) -> Void
  ) {
    var seen = 0
    let deliveries = Delivery.all(of: Array(text.utf8))
    for delivery in deliveries {
      var decoder = HTTP1Decoder(role)
      var exchanges = HTTP1Exchanges()
      for piece in delivery.pieces {
        var offset = 0
        while let event = decoder.next(piece.span, &offset, exchanges: &exchanges) {
          guard event == .head else { continue }
          seen += 1
          let reading = HTTP1Reading()
          check(decoder.head) { reading.value($0, decoder, piece) }
        }
      }
    }
    #expect(seen == deliveries.count)
  }

  @Test("A WebSocket handshake's request") func webSocketRequest() {
    let text = """
      GET /chat?token=x HTTP/1.1\r
      Host: server.example\r
      upgrade: WebSocket\r
      CONNECTION: Upgrade, HTTP2-Settings\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Protocol: chat, superchat\r
      Sec-WebSocket-Extensions: x-other\r
      Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r
      Authorization: Bearer t\r
      \r

      """
    each(.requests, text) { head, value in
      #expect(head.asksForWebSocket && !head.asksForEventStream)
      #expect(value(head.target) == "/chat?token=x")
      #expect(value(head.host) == "server.example")
      #expect(value(head.webSocketKey) == "dGhlIHNhbXBsZSBub25jZQ==")
      #expect(value(head.webSocketProtocol) == "chat, superchat")
      #expect(value(head.webSocketExtensions) == "x-other")
      #expect(value(head.authorization) == "Bearer t")
      #expect(head.facts.contains(.authorization))
      #expect(head.extensions.others == 1 && head.extensions.deflate?.clientWindowBits == 0)
      #expect(head.bytes == text.utf8.count)
    }
  }

  @Test("A request for an event stream") func eventStreamRequest() {
    let text =
      "GET /e HTTP/1.1\r\nHost: h\r\nAccept: text/html;q=0.5, Text/Event-Stream ; q=0.8\r\nLast-Event-ID:  41 \r\n\r\n"
    each(.requests, text) { head, value in
      #expect(head.asksForEventStream && head.facts.contains(.acceptsEventStream))
      #expect(value(head.lastEventID) == "41")
    }
  }

  @Test("An event stream with quality 0 is not wanted") func refusedEventStream() {
    each(.requests, "GET /e HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream;q=0.00, */*\r\n\r\n") {
      head, _ in
      #expect(!head.asksForEventStream)
    }
  }

  @Test("An empty Last-Event-ID is there, and empty") func emptyCursor() {
    each(.requests, "GET /e HTTP/1.1\r\nHost: h\r\nLast-Event-ID:\r\n\r\n") { head, value in
      #expect(head.asksForEventStream && head.lastEventID.isPresent)
      #expect(value(head.lastEventID) == "")
    }
  }

  @Test("A request with a key that expects to be told to go on") func keyed() {
    let text =
      "POST / HTTP/1.0\r\nExpect: 100-Continue\r\nIdempotency-Key: \"k 1\"\r\nConnection: close\r\n\r\n"
    each(.requests, text) { head, value in
      #expect(head.minor == 0 && head.facts == [.expectContinue, .close])
      #expect(value(head.idempotencyKey) == "\"k 1\"")
    }
  }

  @Test("A response that says when to come back") func retryLater() {
    let text = """
      HTTP/1.1 503 Service Unavailable\r
      Date: Sun, 06 Nov 1994 08:49:37 GMT\r
      Age: 3\r
      Retry-After: 120\r
      Retry-After: 120\r
      Location: /later\r
      Content-Type: text/event-stream; charset=utf-8\r
      Content-Encoding: gzip, identity\r
      Content-Encoding: BR\r
      Content-Length: 0\r
      \r

      """
    each(.responses, text) { head, value in
      #expect(head.status == 503 && head.contentLength == 0)
      #expect(value(head.target) == "Service Unavailable")
      #expect(value(head.date) == "Sun, 06 Nov 1994 08:49:37 GMT")
      #expect(value(head.age) == "3" && value(head.location) == "/later")
      #expect(value(head.retryAfter) == "120" && head.retryAfterCount == 2)
      #expect(!head.facts.contains(.retryAfterDiffers) && head.facts.contains(.eventStream))
      #expect(value(head.contentType) == "text/event-stream; charset=utf-8")
      #expect(head.codings.count == 2 && head.codings[0] == .gzip && head.codings[1] == .brotli)
    }
  }

  @Test("Retry-After lines that differ") func differing() {
    each(.responses, "HTTP/1.1 429 No\r\nRetry-After: 1\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n") {
      head, value in
      #expect(head.facts.contains(.retryAfterDiffers) && value(head.retryAfter) == "1")
    }
  }

  @Test("Every content coding is told") func codings() {
    let text = "HTTP/1.1 204 OK\r\nContent-Encoding: x-gzip,deflate,zstd,compress,x-compress,new\r\n\r\n"
    each(.responses, text) { head, _ in
      let found = (0..<head.codings.count).map { head.codings[$0] }
      #expect(found == [.gzip, .deflate, .zstd, .compress, .compress, .other])
    }
  }

  @Test("More codings than are kept are said to be too many") func tooManyCodings() {
    let text = "HTTP/1.1 204 OK\r\nContent-Encoding: " + String(repeating: "gzip,", count: 9) + "\r\n\r\n"
    each(.responses, text) { head, _ in
      #expect(head.codings.count == HTTPCodings.limit && head.codings.isTooLong)
    }
  }

  @Test("Names that are close to known ones are not taken for them") func nearMisses() {
    let text =
      "POST / HTTP/1.1\r\nHost: h\r\nContent_Length: 5\r\nContent-Lengti: 5\r\nXccept: text/event-stream\r\n\r\n"
    each(.requests, text) { head, _ in
      #expect(head.framing == .none && head.facts == [])
    }
  }
}
