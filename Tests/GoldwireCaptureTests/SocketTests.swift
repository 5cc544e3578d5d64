import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// WebSocket sessions.
@Suite struct SocketTests {
  @Test(arguments: everyCut) func aSessionFromHandshakeToEnd(size: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket, size: size)
    capture.frame(socket, .client, 0x89, [1, 2, 3, 4], size: size)
    capture.frame(socket, .client, 0x89, [5], size: size)
    capture.frame(socket, .server, 0x8A, [1, 2, 3, 4], size: size)
    capture.frame(socket, .server, 0x8A, [9], size: size)
    capture.frame(socket, .server, 0x81, Array("hello".utf8), size: size)
    capture.frame(socket, .client, 0x88, [0x03, 0xE8], size: size)
    capture.frame(socket, .server, 0x88, [0x03, 0xE8], size: size)
    capture.close(socket, .server)
    #expect(
      try Recording(capture).plain == [
        #""ch":"ws1","gen":1,"ev":"ws.connect""#,
        #""ch":"ws1","gen":1,"ev":"ws.open","status":101"#,
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":4"#,
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2,"bytes":1"#,
        #""ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":4"#,
        #""ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":0,"bytes":1"#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":5"#,
        #""ch":"ws1","gen":1,"ev":"ws.close","dir":"out","code":1000,"by":"unknown""#,
        #""ch":"ws1","gen":1,"ev":"ws.close","dir":"in","code":1000"#,
        #""ch":"ws1","gen":1,"ev":"ws.end","cause":"fin","dir":"in""#,
      ])
  }

  @Test func fragmentsCarryTheFirstInstant() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    capture.frame(socket, .server, 0x01, [0x61], at: 100_000)
    capture.frame(socket, .server, 0x89, [], at: 200_000)
    capture.frame(socket, .server, 0x80, [0x62, 0x63], at: 300_000)
    let recording = try Recording(capture)
    #expect(
      recording.plain.suffix(2) == [
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"in","id":1,"bytes":0"#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":3,"since":100000"#,
      ])
  }

  @Test(arguments: everyCut) func compressionWithTheWindowTakenOver(size: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket, extensions: "permessage-deflate", size: size)
    for bytes: [UInt8] in [
      [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0x81, 0x02, 0x68, 0x69],
      [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00],
    ] { capture.send(socket, .server, bytes, size: size) }
    let events = try Recording(capture).plain
    #expect(events[1] == #""ch":"ws1","gen":1,"ev":"ws.open","status":101,"deflate":true"#)
    #expect(events.count { $0.contains("ws.message") } == 3)
    #expect(!events.contains { $0.contains("rec.note") })
  }

  @Test func compressionWithoutItsWindowIsNoted() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket, extensions: "permessage-deflate; server_no_context_takeover")
    capture.send(socket, .server, [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
    capture.send(socket, .server, [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00])
    let events = try Recording(capture).plain
    #expect(events.count { $0.contains("ws.message") } == 2)
    #expect(events.contains { $0.contains("rec.note") })
  }

  @Test func aRefusalIsNoOpen() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(
      socket, .client,
      "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n"
    )
    capture.send(socket, .server, "HTTP/1.1 503 No\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n")
    #expect(
      try Recording(capture).plain == [
        #""ch":"ws1","gen":1,"ev":"ws.connect""#,
        #""ch":"ws1","gen":1,"ev":"ws.refused","cause":"status","status":503,"retryAfter":5"#,
      ])
  }

  @Test(arguments: [(999, true), (5_000, true), (4_999, false)] as [(Int, Bool)])
  func closeCodesOutOfRangeAreLeftOut(code: Int, isOut: Bool) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    capture.frame(socket, .server, 0x88, [UInt8(code >> 8), UInt8(code & 255)])
    let events = try Recording(capture).plain
    #expect(events.contains { $0.contains("ws.close") && $0.contains("code") } == !isOut)
    #expect(events.contains { $0.contains("codeOut") } == isOut)
  }

  @Test func aBrokenRuleIsNamedAfterItsFrame() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    capture.send(socket, .client, [0x81, 0x01, 0x61])
    let events = try Recording(capture).plain
    #expect(events[2].contains("ws.message"))
    #expect(events[3] == #""ch":"ws1","gen":1,"ev":"rec.note","note":"protocol","rule":"rfc6455-5.1""#)
  }

  @Test func framesWithoutABeginAttach() throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.frame(socket, .client, 0x81, Array("hello there".utf8))
    capture.frame(socket, .server, 0x81, Array("general".utf8))
    #expect(
      try Recording(capture).plain == [
        #""ch":"ws1","gen":1,"ev":"ws.attach""#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"out","kind":"text","bytes":11"#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":7"#,
      ])
  }

  @Test("Behind a 101 alone the client's bytes may begin within a frame: nothing is read out of it")
  func aHandshakeWithoutItsRequest() throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.send(
      socket, .server, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    )
    let inside =
      CaptureBuilder.frame(.client, 0x89, [1, 2]) + CaptureBuilder.frame(.client, 0x88, [0x03, 0xE8])
    capture.send(socket, .client, inside + [UInt8](repeating: 0x78, count: 300))
    capture.frame(socket, .server, 0x82, [UInt8](repeating: 7, count: 2_000))
    capture.frame(socket, .client, 0x89, [1, 2, 3, 4])
    #expect(
      try Recording(capture).plain == [
        #""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":101"#,
        #""ch":"ws1","gen":1,"ev":"ws.attach""#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"binary","bytes":2000"#,
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":4"#,
      ])
  }

  @Test func beatsArePairedByTheirReference() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    for (side, text): (BuiltConnection.Side, String) in [
      (.client, #"[null,"5","phoenix","heartbeat",{}]"#), (.client, #"[null,"6","phoenix","heartbeat",{}]"#),
      (.server, #"[null,"5","phoenix","phx_reply",{"status":"ok"}]"#),
      (.server, #"["1","7","room","new",{}]"#),
    ] { capture.frame(socket, side, 0x81, Array(text.utf8)) }
    let recording = try Recording(capture) { $0.beats = .phoenix }
    #expect(recording.header?.beats == .phoenix)
    let tails = recording.plain.suffix(4).map { $0.contains("beat") ? $0.suffix(21) : "" }
    #expect(tails == [#","beat":"ping","id":1"#, #","beat":"ping","id":2"#, #","beat":"pong","id":1"#, ""])
  }

  @Test(
    arguments: [
      (.engineIO, "2", "3"), (.graphqlWS, #"{"type":"ping"}"#, #"{"type":"pong"}"#), (.stomp, "\n", "\n"),
      (.signalr, "{\"type\":6}\u{1E}", "{\"type\":6}\u{1E}"),
    ] as [(BeatPreset, String, String)])
  func everyPresetHasItsBeat(preset: BeatPreset, ping: String, pong: String) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    capture.frame(socket, .client, 0x81, Array(ping.utf8))
    capture.frame(socket, .server, 0x81, Array(pong.utf8))
    let events = try Recording(capture) { $0.beats = preset }.plain
    #expect(events.suffix(2).map { $0.contains(#""beat":"ping""#) } == [true, false])
    #expect(events.last?.contains(#""beat":"pong""#) == true)
    #expect(try !Recording(capture).plain.joined().contains("beat"))
  }

  @Test("Where a handshake's answer alone is missing both directions go on", arguments: [true, false])
  func missingAnswer(isSynAckSeen: Bool) throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.syn(socket)
    if isSynAckSeen { capture.synAck(socket) } else { capture.lost { $0.synAck(socket) } }
    capture.ack(socket, by: .client)
    capture.send(socket, .client, Self.handshake)
    capture.lost { $0.send(socket, .server, "HTTP/1.1 101 Switching Protocols\r\n\r\n") }
    for text in ["one", "three"] {
      capture.frame(socket, .client, 0x81, Array(text.utf8))
      capture.frame(socket, .server, 0x81, Array(text.utf8) + [0x21])
      capture.frame(socket, .client, 0x89, [1])
      capture.frame(socket, .server, 0x8A, [1])
    }
    capture.close(socket)
    let told = try Recording(capture).plain
    #expect(
      told == [
        #""ch":"ws1","gen":1,"ev":"ws.connect""#,
        #""ch":"ws1","gen":1,"ev":"rec.gap","dir":"in","bytes":36,"why":"lost""#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"out","kind":"text","bytes":3"#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":4"#,
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":1"#,
        #""ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":1"#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"out","kind":"text","bytes":5"#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":6"#,
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":2,"bytes":1"#,
        #""ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":2,"bytes":1"#,
        #""ch":"ws1","gen":1,"ev":"ws.end","cause":"fin","dir":"out""#,
      ])
  }

  @Test("A missing answer to a handshake that may have been a refusal is told as neither")
  func missingRefusal() throws {
    for rest in ["", "<html>no</html>\n"] {
      var capture = CaptureBuilder()
      let socket = capture.open()
      capture.send(socket, .client, Self.handshake)
      capture.lost { $0.send(socket, .server, "HTTP/1.1 403 No\r\nContent-Length: 16\r\n\r\n") }
      if !rest.isEmpty { capture.send(socket, .server, rest) }
      capture.send(socket, .client, FailureTests.get)
      capture.send(socket, .server, "HTTP/1.1 204 No Content\r\n\r\n")
      capture.close(socket)
      let told = try Recording(capture).plain
      #expect(told.contains { $0.contains("rec.gap") })
      #expect(!told.contains { $0.contains("ws.open") || $0.contains("ws.refused") || $0.contains("ws.end") })
      #expect(told.last == FailureTests.http(#"http.response","req":1,"try":1,"status":204"#))
    }
  }

  private static let handshake =
    "GET /chat HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
}
