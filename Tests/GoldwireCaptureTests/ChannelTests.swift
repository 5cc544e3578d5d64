import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Channels and generations, refused and opaque connections.
@Suite struct ChannelTests {
  @Test func aNewConnectionContinuesTheOneThatEnded() throws {
    var capture = CaptureBuilder()
    for _ in 0..<2 {
      let socket = capture.open()
      capture.upgrade(socket)
      capture.rst(socket, .server)
    }
    let events = try Recording(capture).plain
    #expect(
      events.filter { $0.contains("ws.connect") }.map { $0.prefix(20) }
        == [#""ch":"ws1","gen":1,""#, #""ch":"ws1","gen":2,""#])
  }

  @Test func aConnectionBesideALivingOneIsAChannelOfItsOwn() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.upgrade(first)
    capture.ack(first, by: .client)
    let second = capture.open()
    capture.upgrade(second)
    #expect(try Recording(capture).plain[2].hasPrefix(#""ch":"ws2","gen":1"#))
  }

  @Test func anotherPathOrServerIsAnotherChannel() throws {
    var capture = CaptureBuilder()
    for (server, path) in [(2, "/a"), (2, "/b?x=1"), (3, "/a"), (2, "/b?x=2")] as [(UInt8, String)] {
      let socket = capture.open(server)
      capture.upgrade(socket, path: path)
      capture.close(socket)
    }
    let connects = try Recording(capture).plain.filter { $0.contains("ws.connect") }
    #expect(
      connects.map { $0.prefix(18) }
        == [
          #""ch":"ws1","gen":1"#, #""ch":"ws2","gen":1"#, #""ch":"ws3","gen":1"#, #""ch":"ws2","gen":2"#,
        ].map { $0[...] })
  }

  @Test func silenceForASecondSupersedesAndLateMessagesAreNoted() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.upgrade(first)
    capture.frame(first, .client, 0x89, [1], at: 2_000_000)
    let second = capture.open(at: 3_100_000)
    capture.upgrade(second)
    capture.frame(first, .server, 0x81, [0x61])
    let events = try Recording(capture).plain
    #expect(events[3] == #""ch":"ws1","gen":2,"ev":"ws.connect""#)
    #expect(events[5] == #""ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":1"#)
    #expect(events[6] == #""ch":"ws1","gen":1,"ev":"rec.note","note":"superseded""#)
  }

  @Test func aCloseFrameLetsTheNextBegin() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.upgrade(first)
    capture.frame(first, .client, 0x88, [0x03, 0xE9])
    capture.upgrade(capture.open())
    #expect(try Recording(capture).plain.last == #""ch":"ws1","gen":2,"ev":"ws.open","status":101"#)
  }

  @Test func splitMakesEachConnectionAChannel() throws {
    var capture = CaptureBuilder()
    for _ in 0..<2 {
      let socket = capture.open()
      capture.upgrade(socket)
      capture.close(socket)
    }
    let recording = try Recording(capture) { $0.splits = true }
    #expect(
      recording.plain.filter { $0.contains("connect") }.map { $0.prefix(18) }
        == [#""ch":"ws1","gen":1"#, #""ch":"ws2","gen":1"#])
  }

  @Test func aRefusalIsTheNextGenerationAtItsOwnInstant() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.upgrade(first)
    capture.close(first)
    let second = capture.connection(client: .v4(1, port: 39_000), server: .v4(2, port: 80))
    capture.syn(second, at: 500_000)
    capture.rst(second, .server, at: 700_000)
    let texts = try Recording(capture).texts.suffix(3)
    #expect(texts.first == #"{"t":500000,"ch":"ws1","gen":2,"ev":"ws.connect"}"#)
    #expect(
      texts.dropFirst().first == #"{"t":700000,"ch":"ws1","gen":2,"ev":"ws.refused","cause":"refused"}"#)
  }

  @Test func aRefusalThatFitsNothingIsOpaque() throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.syn(socket)
    capture.rst(socket, .server)
    #expect(
      try Recording(capture).events == [
        #""ch":"tcp1","gen":1,"ev":"rec.opaque","at":"end","why":"other","cause":"refused","dir":"in""#
      ])
  }

  @Test func repeatedSynsWithoutAnAnswerAreATimeout() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.upgrade(first)
    capture.close(first)
    let second = capture.connection(client: .v4(1, port: 39_000), server: .v4(2, port: 80))
    for second_ in [1, 2, 4] { capture.syn(second, at: second_ * 1_000_000) }
    let events = try Recording(capture).plain.suffix(2)
    #expect(
      events == [
        #""ch":"ws1","gen":2,"ev":"ws.connect""#, #""ch":"ws1","gen":2,"ev":"ws.refused","cause":"timeout""#,
      ])
  }

  @Test func oneSynWithoutAnAnswerAtTheEndIsNothing() throws {
    var capture = CaptureBuilder()
    capture.syn(capture.connection())
    #expect(try Recording(capture).events.isEmpty)
  }

  @Test func encryptedConnectionsAreOpaqueWithTheirSums() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])
    capture.send(socket, .server, [0x16, 3, 3, 0, 5, 2, 0, 0, 1, 0])
    capture.close(socket)
    #expect(
      try Recording(capture).events == [
        #""ch":"tls1","gen":1,"ev":"rec.opaque","at":"open","why":"noKeys""#,
        #""ch":"tls1","gen":1,"ev":"rec.opaque","at":"end","why":"noKeys","cause":"fin","dir":"out","out":10,"in":10"#,
      ])
  }

  @Test func http2AndTheRestAreOpaque() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.send(first, .client, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    let second = capture.open(3)
    capture.send(second, .server, "220 mail.example ESMTP\r\n")
    #expect(
      try Recording(capture).events == [
        #""ch":"tcp1","gen":1,"ev":"rec.opaque","at":"open","why":"other""#,
        #""ch":"tcp2","gen":1,"ev":"rec.opaque","at":"open","why":"other""#,
      ])
  }

  @Test func aTunnelIsReadAsWhatItHolds() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "CONNECT b.example:80 HTTP/1.1\r\nHost: b.example:80\r\n\r\n")
    capture.send(socket, .server, "HTTP/1.1 200 Yes\r\n\r\n")
    capture.upgrade(socket)
    #expect(try Recording(capture).plain.last == #""ch":"ws1","gen":1,"ev":"ws.open","status":101"#)
  }

  @Test func channelsBeyondTheLimitAreOneGap() throws {
    var capture = CaptureBuilder()
    for server in 2..<6 as Range<UInt8> { capture.upgrade(capture.open(server)) }
    let events = try Recording(capture) { $0.limits.channels = 2 }.plain
    #expect(events.count { $0.contains("ws.connect") } == 2)
    #expect(events.filter { $0.contains("rec.gap") } == [#""ev":"rec.gap","why":"limit""#])
  }

  @Test func anAttemptBesideALivingConnectionIsNoReconnect() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.upgrade(first)
    let lost = capture.connection(client: .v4(1, port: 39_000), server: .v4(2, port: 80))
    for second in [1, 2, 4] { capture.syn(lost, at: second * 1_000_000) }
    capture.close(first, at: 6_000_000)
    let other = capture.open(at: 60_000_000)
    capture.upgrade(other)
    let recording = try Recording(capture)
    // The last pause of two seconds twice, and a second, after the last SYN.
    #expect(
      recording.texts.contains(
        #"{"t":9000000,"ch":"tcp1","gen":1,"ev":"rec.opaque","at":"end","why":"other","cause":"timeout","dir":"in"}"#
      ))
    #expect(recording.plain.contains(#""ch":"ws1","gen":2,"ev":"ws.connect""#))
    #expect(!recording.plain.contains { $0.contains("refused") })
  }

  @Test func aTimeoutStandsAtItsOwnInstant() throws {
    var capture = CaptureBuilder()
    let first = capture.open()
    capture.upgrade(first)
    capture.close(first)
    let lost = capture.connection(client: .v4(1, port: 39_000), server: .v4(2, port: 80))
    for second in [1, 2, 4] { capture.syn(lost, at: second * 1_000_000) }
    _ = capture.open(3, at: 60_000_000)
    #expect(
      try Recording(capture).texts.contains(
        #"{"t":9000000,"ch":"ws1","gen":2,"ev":"ws.refused","cause":"timeout"}"#))
  }

  @Test(arguments: [1, 2, 3, 5]) func aFirstRequestInPiecesIsReadMidway(cut: Int) throws {
    let request = Array("GET /a HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.lost { $0.connect(socket) }
    for side in [BuiltConnection.Side.client, .server] { capture.ack(socket, by: side) }
    capture.send(socket, .client, Array(request[..<cut]))
    capture.send(socket, .client, Array(request[cut...]))
    #expect(
      try Recording(capture).events == [
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET""#
      ])
  }

  @Test func aLetterThatEndsSomethingMidwayDoesNotHideTheNextMessage() throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.lost { $0.connect(socket) }
    capture.send(socket, .server, "Z")
    capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(
      try Recording(capture).events == [
        #""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":200"#
      ])
  }
}
