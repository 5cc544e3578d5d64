import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// What stands at the edge of a handshake: early frames, frames that cannot be, TLS in a tunnel.
@Suite struct HandshakeTests {
  @Test("Frames that the client sends before the answer are read behind it, and noted", arguments: everyCut)
  func earlyFrames(size: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(
      socket, .client, "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    capture.frame(socket, .client, 0x89, [7], size: size)
    capture.frame(socket, .client, 0x81, Array("early".utf8), size: size)
    capture.send(
      socket, .server, "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    capture.frame(socket, .server, 0x8A, [7])
    #expect(
      try Recording(capture).plain.dropFirst() == [
        #""ch":"ws1","gen":1,"ev":"ws.open","status":101"#,
        #""ch":"ws1","gen":1,"ev":"rec.note","note":"protocol","rule":"rfc6455-4.1""#,
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":1"#,
        #""ch":"ws1","gen":1,"ev":"ws.message","dir":"out","kind":"text","bytes":5"#,
        #""ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":1"#,
      ])
  }

  @Test("A client that ends its stream before the answer has given up: what comes then is nobody's")
  func givenUp() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    let request = "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    let answer = "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    capture.send(socket, .client, request)
    capture.fin(socket, .client)
    let next = capture.open()
    capture.send(next, .client, request)
    capture.send(socket, .server, answer)
    capture.frame(socket, .server, 0x81, Array("late".utf8))
    capture.rst(socket, .client)
    capture.send(next, .server, answer)
    #expect(
      try Recording(capture).plain == [
        #""ch":"ws1","gen":1,"ev":"ws.connect""#,
        #""ch":"ws1","gen":1,"ev":"ws.end","cause":"fin","dir":"out""#,
        #""ch":"ws1","gen":2,"ev":"ws.connect""#,
        #""ch":"ws1","gen":2,"ev":"ws.open","status":101"#,
      ])
  }

  @Test("Behind a length that cannot be a direction is read no further, and that is told")
  func impossibleLength() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    capture.send(socket, .server, [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0])
    capture.frame(socket, .server, 0x89, [1])
    capture.frame(socket, .client, 0x89, [1])
    let recording = try Recording(capture)
    #expect(
      recording.plain.dropFirst(2) == [
        #""ch":"ws1","gen":1,"ev":"rec.note","note":"protocol","rule":"rfc6455-5.2""#,
        #""ch":"ws1","gen":1,"ev":"rec.gap","dir":"in","why":"limit""#,
        #""ch":"ws1","gen":1,"ev":"rec.opaque","at":"open","why":"other","dir":"in""#,
        #""ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":1"#,
      ])
  }

  @Test("A message that inflates to too much is one gap")
  func tooLong() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket, extensions: "permessage-deflate")
    // A block of fixed codes: a letter, then 100 times 258 bytes back from a distance of 1.
    let codes = "010" + "10010001" + String(repeating: "1100010100000", count: 100) + "0000000"
    var bomb = [UInt8](repeating: 0, count: (codes.utf8.count + 7) / 8)
    for (place, bit) in codes.utf8.enumerated() where bit == 0x31 { bomb[place / 8] |= 1 << UInt8(place % 8) }
    capture.frame(socket, .server, 0xC1, bomb)
    let events = try Recording(capture) {
      $0.limits.inflateAllowance = 1_000
      $0.limits.inflateRatio = 16
    }.plain
    #expect(events.count { $0.contains("rec.gap") } == 1)
  }

  @Test("TLS in a tunnel is TLS however it is cut", arguments: [1, 2, 3, 5, 6, 200])
  func tunnels(cut: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
    capture.send(socket, .server, "HTTP/1.1 200 Established\r\n\r\n")
    let hello: [UInt8] = [0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3] + [UInt8](repeating: 0, count: 194)
    capture.send(socket, .client, Array(hello.prefix(cut)))
    capture.send(socket, .client, Array(hello.dropFirst(cut)))
    #expect(
      try Recording(capture).plain.last
        == #""ch":"tls1","gen":1,"ev":"rec.opaque","at":"open","why":"noKeys""#)
  }
}
