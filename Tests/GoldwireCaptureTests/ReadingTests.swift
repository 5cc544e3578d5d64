@testable import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Captures that readers differ on; `docs/readings.md` says which reading is right, and by what rule.
@Suite struct ReadingTests {
  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private static func count(_ events: [String], _ name: String) -> Int {
    events.count { $0.contains("\"ev\":\"\(name)\"") }
  }

  @Test("A response whose head the capture cut is none")
  func cutHead() throws {
    var capture = CaptureBuilder()
    capture.snaplen = 90
    let socket = capture.connection()
    // The connection began before the capture.
    capture.send(socket, .server, "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 2\r\n\r\nok")
    capture.ack(socket, by: .client)
    capture.send(socket, .server, "more of the body")
    let events = try Recording(capture).plain
    #expect(
      events == [#""ch":"http1","gen":1,"ev":"rec.gap","dir":"in","bytes":15,"why":"snaplen""#])
  }

  @Test("HTTP behind a SOCKS greeting is opaque")
  func socks() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, [5, 1, 0])
    capture.send(socket, .server, [5, 0])
    capture.send(socket, .client, [5, 1, 0, 1, 192, 0, 2, 1, 0, 80])
    capture.send(socket, .server, [5, 0, 0, 1, 192, 0, 2, 9, 4, 0])
    capture.send(socket, .client, Self.get)
    capture.send(socket, .server, Self.answer)
    capture.close(socket)
    #expect(
      try Recording(capture).plain == [
        #""ch":"tcp1","gen":1,"ev":"rec.opaque","at":"open","why":"other""#,
        #""ch":"tcp1","gen":1,"ev":"rec.opaque","at":"end","why":"other","cause":"fin","dir":"out","out":"#
          + "\(13 + Self.get.utf8.count)" + #","in":"# + "\(12 + Self.answer.utf8.count)",
      ])
  }

  @Test("Frames without a handshake are a session that was open before")
  func framesAlone() throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    for side in [BuiltConnection.Side.server, .client, .server] {
      capture.frame(socket, side, 0x81, Array("some words".utf8))
    }
    let events = try Recording(capture).plain
    #expect(Self.count(events, "ws.attach") == 1)
    #expect(Self.count(events, "ws.message") >= 2)
  }

  @Test(
    "After framing that is invalid nothing is a request",
    arguments: [
      ("Content-Length: 11\r\nContent-Length: 93", "rfc9112-6.3"), ("Content-Length: -1", "rfc9110-8.6"),
      ("Transfer-Encoding: chunked\r\nContent-Length: 5", "rfc9112-6.3"),
    ])
  func invalidFraming(fields: String, rule: String) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    let body = fields.hasPrefix("T") ? "0\r\n\r\n" : "bar=1&foo=2"
    capture.send(
      socket, .client,
      "POST /a HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
    capture.send(socket, .server, "HTTP/1.1 400 Bad\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    capture.close(socket, .server)
    let events = try Recording(capture).plain
    #expect(Self.count(events, "http.send") == 1)
    #expect(Self.count(events, "http.response") == 1)
    #expect(events.contains { $0.contains("\"rule\":\"\(rule)\"") })
  }

  @Test("A body whose length is known ends there, though a part of it is missing")
  func holeInBody() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for number in 0..<3 {
      capture.send(socket, .client, Self.get)
      capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      let body = [UInt8](repeating: 0x61, count: 500)
      capture.send(socket, .server, body)
      if number == 1 {
        capture.lost { $0.send(socket, .server, body) }
        capture.ack(socket, by: .client)
      } else {
        capture.send(socket, .server, body)
      }
    }
    let events = try Recording(capture).plain
    #expect(Self.count(events, "http.response") == 3)
    #expect(events.contains { $0.contains(#""rec.gap","dir":"in","bytes":500,"why":"lost""#) })
    #expect(
      events.count { $0.contains(#""ev":"http.body""#) && $0.contains(#""bytes":1000,"done":true"#) }
        + events.count { $0.contains(#""ev":"http.body""#) && $0.contains(#""bytes":500,"done":true"#) } == 3)
  }

  @Test("A response that is missing as a whole takes no other with it")
  func missingResponse() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for number in 0..<50 {
      capture.send(socket, .client, Self.get)
      if number == 20 {
        capture.lost { $0.send(socket, .server, Self.answer) }
      } else {
        capture.send(socket, .server, Self.answer)
      }
    }
    let events = try Recording(capture).plain
    #expect(Self.count(events, "http.send") == 50)
    #expect(Self.count(events, "http.response") == 49)
    for request in 1...50 where request != 21 {
      #expect(events.contains { $0.contains(#""ev":"http.response","req":\#(request),"try":1"#) })
    }
    #expect(!events.contains { $0.contains(#""http.response","req":21"#) || $0.contains("http.error") })
  }

  @Test(
    "A line that begins with a method is not yet a request line",
    arguments: ["GET /HTTP/1.1", "DELETE", "GET /", "OPTIONS"])
  func requestLines(line: String) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, line + "\r\n\r\n")
    capture.send(socket, .server, "HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n")
    let events = try Recording(capture).plain
    #expect(Self.count(events, "http.send") == 0)
    #expect(events.contains { $0.contains(#""rule":"rfc9112-3""#) })
  }

  @Test("A version that is not quite one is noted, and the request is read")
  func version() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "GET / HTTP/1.\r\nHost: a\r\n\r\n")
    let events = try Recording(capture).plain
    #expect(Self.count(events, "http.send") == 1)
    #expect(events.contains { $0.contains(#""rule":"rfc9112-2.3""#) })
  }
}
