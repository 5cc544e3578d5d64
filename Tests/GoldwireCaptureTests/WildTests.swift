import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// HTTP and WebSocket as they are found: what is recorded where rules are broken, and what is not invented.
@Suite struct WildTests {
  private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

  private static func record(_ talk: [(BuiltConnection.Side, String)]) throws -> [String] {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for (side, text) in talk { capture.send(socket, side, text) }
    capture.close(socket, .server)
    return try Recording(capture).plain
  }

  private static func http(_ event: String) -> String { #""ch":"http1","gen":1,"ev":""# + event }

  @Test(
    "After a request that closes its response is read; what comes then is opaque, and nothing is invented")
  func closingRequest() throws {
    let smuggled =
      "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    let told = try Self.record([
      (.client, smuggled + Self.get), (.server, Self.ok), (.client, Self.get), (.server, Self.ok),
    ])
    #expect(
      told.dropLast() == [
        Self.http(#"http.send","req":1,"try":1,"method":"POST""#),
        Self.http(#"rec.note","note":"protocol","rule":"rfc9112-6.3""#),
        Self.http(#"http.response","req":1,"try":1,"status":200"#),
        Self.http(#"http.body","req":1,"try":1,"dir":"in","bytes":2,"done":true"#),
        Self.http(#"rec.opaque","at":"open","why":"other""#),
      ])
    let end = Self.http(#"rec.opaque","at":"end","why":"other","cause":"fin","dir":"in""#)
    #expect(told.last?.hasPrefix(end) == true)
  }

  @Test("A request that closes and whose server closes leaves nothing opaque") func obedient() throws {
    let told = try Self.record([
      (.client, "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), (.server, Self.ok),
    ])
    #expect(told.contains(Self.http(#"rec.note","note":"protocol","rule":"rfc9112-6.1""#)))
    #expect(!told.contains { $0.contains("opaque") || $0.contains("http.error") })
  }

  @Test("A broken chunk is a protocol error of its request; later requests neither fail nor succeed")
  func brokenChunk() throws {
    let told = try Self.record([
      (.client, Self.get + Self.get),
      (.server, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n" + Self.ok),
    ])
    #expect(told.contains(Self.http(#"rec.note","note":"protocol","rule":"rfc9112-7.1""#)))
    #expect(told.contains(Self.http(#"http.error","req":1,"try":1,"cause":"protocol","sent":true"#)))
    #expect(told.count { $0.contains("http.error") } == 1)
    #expect(told.count { $0.contains("http.response") } == 1)
    #expect(told.count { $0.contains("rec.opaque") } == 2)
  }

  @Test("HTTP/0.9 gives rules, not requests") func simple() throws {
    let told = try Self.record([(.client, "GET /\r\n"), (.server, "<html>hi</html>")])
    #expect(!told.contains { $0.contains("http.send") || $0.contains("http.response") })
    #expect(told.count { $0.contains("protocol") } == 2)
  }

  @Test(
    "A handshake's answer must fit its offer",
    arguments: [
      ("x-mux", "permessage-deflate", "rfc6455-4.1"), ("permessage-deflate", "x-mux", "rfc6455-4.1"),
      ("permessage-deflate", "permessage-deflate; client_max_window_bits=9", "rfc7692-7.1"),
      ("permessage-deflate", "permessage-deflate; server_max_window_bits=99", "rfc7692-7.1"),
      ("permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=9", nil),
      ("permessage-deflate", "permessage-deflate; server_no_context_takeover", nil),
    ] as [(String, String, String?)])
  func answers(offer: String, answer: String, rule: String?) throws {
    let told = try Self.record([
      (
        .client,
        "GET /w HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Extensions: \(offer)\r\n\r\n"
      ),
      (
        .server,
        "HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Extensions: \(answer)\r\n\r\n"
      ),
    ])
    #expect(told[1].contains(#""ev":"ws.open","status":101"#))
    let notes = told.filter { $0.contains("rec.note") }
    #expect(
      notes == (rule.map { [#""ch":"ws1","gen":1,"ev":"rec.note","note":"protocol","rule":"\#($0)""#] } ?? [])
    )
  }

  @Test(
    "A refused handshake has its status, also behind an interim one", arguments: [400, 401, 403, 426, 500])
  func refusals(status: Int) throws {
    let told = try Self.record([
      (.client, "GET /w HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
      (.server, "HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 \(status) No\r\nContent-Length: 1\r\n\r\nx"),
    ])
    #expect(told.contains(#""ch":"ws1","gen":1,"ev":"ws.refused","cause":"status","status":\#(status)"#))
    #expect(!told.contains { $0.contains(#""status":101"#) })
  }

  @Test("A bomb in a message is a limit, not a broken rule") func messageBomb() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket, extensions: "permessage-deflate")
    // 4,000 times the same letter.
    capture.frame(
      socket, .server, 0xC1,
      [
        0xEC, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0xAC, 0xEB, 0x5F, 0xC2, 0x18, 0x3E, 0x40, 0x01,
        0x00, 0x00, 0x00, 0x6F, 0x03,
      ])
    #expect(try !Recording(capture).plain.contains { $0.contains("rec.") })
    let told = try Recording(capture) {
      $0.limits.inflateAllowance = 100
      $0.limits.inflateRatio = 10
    }.plain
    #expect(told.contains(#""ch":"ws1","gen":1,"ev":"rec.gap","dir":"in","why":"limit""#))
    #expect(!told.contains { $0.contains("protocol") })
  }

  @Test("Takeover and windows are each direction's own", arguments: [true, false])
  func takeover(isServers: Bool) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    let side: BuiltConnection.Side = isServers ? .server : .client
    for (extensions, notes) in [
      ("permessage-deflate; \(side)_no_context_takeover", 1),
      ("permessage-deflate; \(side.other)_no_context_takeover; \(side)_max_window_bits=9", 0),
    ] {
      let socket = notes == 1 ? socket : capture.open()
      capture.upgrade(socket, path: "/\(notes)", extensions: extensions)
      capture.frame(socket, side, 0xC1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
      capture.frame(socket, side, 0xC1, [0xF2, 0x00, 0x11, 0x00, 0x00])
    }
    let told = try Recording(capture).plain
    #expect(told.count { $0.contains("ws.message") } == 4)
    #expect(
      told.filter { $0.contains("rec.note") }
        == [#""ch":"ws1","gen":1,"ev":"rec.note","note":"protocol","rule":"rfc7692-7.2.2""#])
  }

  @Test("After a hole frames are taken up where a segment proves them, and the hole is told")
  func frameBoundary() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    capture.frame(socket, .server, 0x81, Array("first".utf8))
    capture.lost { $0.frame(socket, .server, 0x81, Array("second and long".utf8)) }
    capture.frame(socket, .server, 0x81, Array("third".utf8))
    capture.frame(socket, .server, 0x89, [])
    capture.close(socket)
    let told = try Recording(capture).plain
    #expect(told.contains(#""ch":"ws1","gen":1,"ev":"rec.gap","dir":"in","bytes":17,"why":"lost""#))
    #expect(told.count { $0.contains("ws.message") } == 2)
    #expect(told.contains { $0.contains("ws.ping") })
    #expect(!told.contains { $0.contains("protocol") })
  }

  @Test("A request whose response may lie in a hole has not failed", arguments: [true, false])
  func hiddenResponses(isPipelined: Bool) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    if isPipelined {
      capture.send(socket, .client, Self.get + Self.get)
      capture.send(socket, .server, Self.ok + Self.ok)
    }
    capture.send(socket, .client, Self.get)
    capture.lost { $0.send(socket, .server, Self.ok) }
    capture.send(socket, .client, Self.get)
    if isPipelined { capture.send(socket, .server, Self.ok) }
    capture.close(socket, .server)
    let told = try Recording(capture).plain
    #expect(told.contains { $0.contains("rec.gap") })
    #expect(!told.contains { $0.contains("http.error") })
  }

  @Test("A hole in a compressed stream makes the rest undecodable, said once") func codedHole() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
    capture.send(
      socket, .server,
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: zstd\r\n\r\n")
    let body = Coded.zstd(Array("data: a\n\ndata: b\n\n".utf8))
    capture.send(socket, .server, Array(body[..<12]))
    capture.lost { $0.send(socket, .server, Array(body[12..<16])) }
    capture.send(socket, .server, Array(body[16...]))
    capture.close(socket, .server)
    let told = try Recording(capture).plain
    #expect(!told.contains { $0.contains("sse.event") })
    #expect(told.count { $0.contains("undecodable") } == 1)
    #expect(told.contains(#""ch":"sse1","gen":1,"ev":"rec.gap","dir":"in","bytes":4,"why":"lost""#))
  }
}
