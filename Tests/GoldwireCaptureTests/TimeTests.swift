@testable import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Instants, signs of life, holes, the header, filters.
@Suite struct TimeTests {
  @Test func timeThatGoesBackIsHeldAndNoted() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", at: 5_000_000)
    capture.send(socket, .server, "HTTP/1.1 204 No\r\n\r\n", at: 2_000_000)
    let texts = try Recording(capture).texts
    #expect(texts[1] == #"{"t":5000000,"ev":"rec.note","note":"timeBack"}"#)
    #expect(texts[2].hasPrefix(#"{"t":5000000,"ch":"http1""#))
  }

  @Test("Of one direction alone, what waited behind a hole is said to have lost its instants")
  func oneDirectionWithAHole() throws {
    var whole = CaptureBuilder()
    let socket = whole.open()
    whole.upgrade(socket)
    for (number, time) in [30, 60, 90, 120].enumerated() {
      whole.frame(socket, .server, 0x82, [UInt8(number)], at: time * 1_000_000)
    }
    // The server's packets but for the first message: its SYN, the 101, and the later messages.
    var capture = CaptureBuilder()
    for (index, time) in [(1, 0), (4, 0), (6, 60), (7, 90), (8, 120)] {
      capture.add(frame: whole.frames[index], at: time * 1_000_000 + index)
    }
    let texts = try Recording(capture).texts.filter { !$0.contains("rec.life") }
    #expect(
      texts.dropFirst(2).dropLast(2) == [
        #"{"t":90000006,"ch":"ws1","gen":1,"ev":"rec.gap","dir":"in","bytes":3,"why":"lost"}"#,
        #"{"t":90000006,"ch":"ws1","gen":1,"ev":"rec.note","note":"timesLost"}"#,
        #"{"t":90000006,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"binary","bytes":1}"#,
        #"{"t":90000006,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"binary","bytes":1}"#,
        #"{"t":120000007,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"binary","bytes":1}"#,
      ])
  }

  @Test("Packets without an instant have none in the trace, and the header says so")
  func simplePackets() throws {
    var capture = CaptureBuilder(.pcapng)
    capture.block = .simple
    let socket = capture.open()
    capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    var recording = try Recording(capture)
    #expect(recording.header?.blind == [.app, .handler, .tick, .unit, .times])
    #expect(recording.header?.wall == nil)
    #expect(recording.lines.allSatisfy { $0.t == 0 })
    // Where instants come later, the trace's begin there, and no absolute one is in it.
    capture.block = .enhanced
    capture.send(socket, .server, "HTTP/1.1 204 No\r\n\r\n", at: 5_000_000)
    capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", at: 6_000_000)
    recording = try Recording(capture)
    #expect(recording.lines.map(\.t) == [0, 0, 1_000_000, 1_000_000])
  }

  @Test("Packets without an instant among others are noted once")
  func simplePacketsAmongOthers() throws {
    var capture = CaptureBuilder(.pcapng)
    let socket = capture.open()
    for block: CaptureBuilder.Block in [.simple, .enhanced, .simple] {
      capture.block = block
      capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    let recording = try Recording(capture)
    #expect(recording.header?.blind == [.app, .handler, .tick, .unit])
    #expect(recording.events.count { $0 == #""ev":"rec.note","note":"timesLost""# } == 1)
    #expect(recording.lines.map(\.t) == [2_000, 2_000, 4_000, 4_000, 4_000])
  }

  @Test func theHeaderSaysWhatACaptureCannotSee() throws {
    var capture = CaptureBuilder()
    capture.connect(capture.connection())
    var header = try #require(try Recording(capture).header)
    #expect(header.blind == [.app, .handler, .tick, .unit])
    #expect(header.at == .unknown && header.source == .pcap && header.clock == .capture)
    #expect(header.inForce == nil && header.inForceBy == nil && header.grain == nil)
    var table = ParameterTable()
    try table.set(option: "heartbeat.interval=30s")
    header = try #require(
      try Recording(capture) {
        $0.inForce = table
        $0.vantage = .server
      }.header)
    #expect(header.inForce == table && header.inForceBy == .stated && header.at == .server)
  }

  @Test func theLoopbackInterfaceIsTheClients() throws {
    var capture = CaptureBuilder(.pcap, link: .null(bigEndian: false))
    capture.connect(capture.connection())
    #expect(try Recording(capture).header?.at == .client)
  }

  @Test func aCoarseClockIsTheGrain() throws {
    var capture = CaptureBuilder(.pcapng, resolution: 3)
    capture.connect(capture.connection())
    #expect(try Recording(capture).header?.grain == 1_000)
  }

  @Test func cookedCapturesOfTheSecondKindAreRead() throws {
    var capture = CaptureBuilder(.pcap, link: .sll2)
    let socket = capture.open()
    capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try Recording(capture).events.count == 1)
  }

  @Test func anEmptyCaptureIsATraceOfNothing() throws {
    let recording = try Recording(CaptureBuilder())
    #expect(recording.header?.wall == nil)
    #expect(recording.texts == [#"{"t":0,"ev":"rec.end","why":"eof","counts":{"packets":0}}"#])
  }

  @Test func theEndHasTheSums() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])
    capture.add(packet: [0x45, 0])
    #expect(
      try Recording(capture).texts.last?.hasSuffix(
        #""counts":{"packets":5,"ignored":1,"cut":1,"connections":1,"opaque":1}}"#) == true)
  }

  @Test func whatIsIgnoredIsCountedByItsReason() throws {
    var capture = CaptureBuilder(.pcapng)
    let hosts = (BuiltHost.v4(1, port: 1), BuiltHost.v4(2, port: 80))
    capture.add(frame: [UInt8](repeating: 2, count: 12) + [0x08, 0x06, 0, 1])
    for _ in 0..<2 {
      capture.add(packet: BuiltSegment.ip(protocol: 17, from: hosts.0, to: hosts.1, [0, 1, 0, 2]))
    }
    capture.add(packet: [0x44] + [UInt8](repeating: 0, count: 20))
    var segment = BuiltSegment(from: hosts.0, to: hosts.1, sequence: 1)
    segment.payload = [UInt8](repeating: 0, count: 100)
    capture.add(packet: segment.fragments(of: 56)[0])
    var nested = segment.packet
    for _ in 0..<5 { nested = BuiltTunnel.routed(flags: 0).packet(around: nested) }
    capture.add(packet: nested)
    var wifi = BuiltWiFi(.none)
    wifi.flags = 0x41
    capture.interface = capture.addInterface(.wifi(wifi))
    capture.add(packet: segment.packet)
    let counts =
      #"{"packets":7,"ignored":6,"notIP":1,"notTCP":2,"damaged":1,"ciphered":1,"nested":1,"datagrams":1}"#
    #expect(try Recording(capture).texts.last?.contains(#""counts":\#(counts)}"#) == true)
  }

  @Test func aMessageIsCountedOverAHole() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    let frame = CaptureBuilder.frame(.server, 0x82, [UInt8](repeating: 1, count: 300))
    capture.send(socket, .server, Array(frame[..<100]))
    capture.lost { $0.send(socket, .server, Array(frame[100..<200])) }
    capture.send(socket, .server, Array(frame[200...]))
    capture.frame(socket, .server, 0x81, [0x61])
    capture.close(socket, .server)
    let events = try Recording(capture).plain
    #expect(events.contains(#""ch":"ws1","gen":1,"ev":"rec.gap","dir":"in","bytes":100,"why":"lost""#))
    #expect(events.contains { $0.hasSuffix(#""kind":"binary","bytes":300"#) })
    #expect(events.contains { $0.hasSuffix(#""kind":"text","bytes":1"#) })
  }

  @Test func lifeIsToldOnceASecondAndBeforeSilence() throws {
    var capture = CaptureBuilder()
    let socket = capture.open(at: 0)
    capture.upgrade(socket)
    let frame = CaptureBuilder.frame(.server, 0x82, [UInt8](repeating: 1, count: 60_000))
    var offset = 0
    // Pieces of one message every 300 ms, then silence for five seconds, then the rest.
    for piece in 0..<10 {
      capture.send(socket, .server, Array(frame[offset..<(offset + 1_000)]), at: 1_300_000 + piece * 300_000)
      offset += 1_000
    }
    capture.send(socket, .server, Array(frame[offset...]), at: 9_000_000)
    let lives = try Recording(capture).lines.filter {
      if case .recLife(dir: .in, kind: .bytes) = $0.event { true } else { false }
    }
    #expect(lives.map(\.t).prefix(4) == [1_300_000, 2_500_000, 3_700_000, 4_000_000])
  }

  @Test func acknowledgmentsAreLife() throws {
    var capture = CaptureBuilder()
    let socket = capture.open(at: 0)
    capture.upgrade(socket)
    capture.frame(socket, .client, 0x89, [1], at: 3_000_000)
    capture.ack(socket, by: .server, at: 3_050_000)
    #expect(
      try Recording(capture).texts.contains(
        #"{"t":3050000,"ch":"ws1","gen":1,"ev":"rec.life","dir":"in","kind":"ack"}"#))
  }

  @Test func aFilterIsLibpcaps() throws {
    var capture = CaptureBuilder()
    for server in [2, 3] as [UInt8] {
      capture.send(capture.open(server), .client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    #expect(try Recording(capture, filter: "host 192.0.2.3").events.count == 1)
    #expect(throws: CaptureFailure.self) { try Recording(capture, filter: "nonsense(") }
  }

  @Test(arguments: [1_700_000_000_000_000, 0, -1, Int.min, Int.max])
  func everyWallClockIsWithinItsDay(epoch: Int) {
    let clock = WallClock(beginning: epoch)
    #expect((0..<86_400_000_000).contains(clock.wall))
    for seconds in [0, Int.min, Int.max] {
      let relative = clock.seconds(of: seconds, receivedAt: 0)
      #expect(abs(relative - clock.wall / 1_000_000) <= WallClock.reach)
    }
  }
}
