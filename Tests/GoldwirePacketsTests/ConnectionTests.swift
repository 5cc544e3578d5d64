import GoldwirePackets
import GoldwireTestSupport
import Testing

/// How connections begin, end and follow each other.
@Suite struct ConnectionTests {
  private typealias Socket = CaptureBuilder.Socket

  private func run(
    limits: PacketLimits = PacketLimits(), _ build: (inout CaptureBuilder) -> Void
  ) -> StreamHarness {
    var capture = CaptureBuilder()
    build(&capture)
    return StreamHarness.run(capture, limits: limits)
  }

  @Test("A connection from SYN to FIN, and who its client is")
  func whole() {
    let harness = run {
      let socket = $0.connection()
      $0.connect(socket)
      $0.send(socket, .client, "hello")
      $0.send(socket, .server, "world")
      $0.close(socket)
    }
    #expect(harness.heard.map(\.client) == [[.text("hello"), .fin]])
    #expect(harness.heard.map(\.server) == [[.text("world"), .fin]])
    let (client, server) = (harness.facts(server: false), harness.facts(server: true))
    #expect(client.sentSyn && !client.acceptedSyn)
    #expect(server.acceptedSyn && !server.sentSyn)
    #expect(client.end == .fin && server.end == .fin)
    #expect(client.deliveredBytes == 5 && server.deliveredBytes == 5)
    #expect(client.isAllAcknowledged && server.isAllAcknowledged)
    #expect(harness.table.opened == 1)
  }

  @Test("Bytes in the SYN come first, once, whether the server takes them or not")
  func fastOpen() {
    for taken in [true, false] {
      let harness = run {
        let socket = $0.connection()
        $0.syn(socket, Array("early".utf8))
        $0.synAck(socket)
        if !taken { $0.resend(socket, .client, Array("early".utf8), from: 0) }
        $0.send(socket, .client, " late")
      }
      #expect(harness.heard.map(\.client) == [[.text("early late")]])
      #expect(harness.heard[0].conflicts == 0)
    }
  }

  @Test("A connection whose beginning was not seen starts where it is")
  func middle() {
    let harness = run {
      let socket = $0.connection(clientStart: 77_000)
      $0.send(socket, .client, "abc")
      $0.send(socket, .server, "def")
      $0.fin(socket, .server)
    }
    #expect(harness.heard.map(\.client) == [[.text("abc")]])
    #expect(harness.heard.map(\.server) == [[.text("def"), .fin]])
    #expect(!harness.facts(server: false).sentSyn)
  }

  @Test("A keep-alive probe is no data, not even as the first thing seen")
  func probes() {
    let harness = run {
      let socket = $0.connection(clientStart: 77_000)
      $0.ack(socket, by: .server)
      $0.keepAlive(socket, .client)
      $0.ack(socket, by: .server)
      $0.send(socket, .client, "abc")
      $0.keepAlive(socket, .client)
      $0.send(socket, .client, "def")
    }
    #expect(harness.heard.map(\.client) == [[.text("abcdef")]])
    #expect(harness.heard[0].conflicts == 0)
  }

  @Test("An RST that answers a SYN is a refusal, but only with the right number")
  func refusal() {
    let harness = run {
      let socket = $0.connection()
      $0.syn(socket)
      $0.emit(socket, .server, flags: 20)
      $0.rst(socket, .server)
    }
    #expect(harness.heard.map(\.server) == [[.refused(unreachable: false)]])
    #expect(harness.facts(server: true).end == .refused)
    #expect(harness.facts(server: false).end == .aborted)
    let blind = run {
      let socket = $0.connection()
      $0.syn(socket)
      var segment = $0.state(of: socket).segment(.server, flags: 20)
      segment.acknowledgment = 4_000_000
      $0.add(packet: segment.packet)
      $0.synAck(socket)
      $0.send(socket, .client, "x")
    }
    #expect(blind.heard.map(\.client) == [[.text("x")]])
    #expect(blind.heard.map(\.server) == [[]])
  }

  @Test("An unreachable report ends a connection that only has a SYN, and no other")
  func unreachable() {
    func report(_ capture: inout CaptureBuilder, _ socket: Socket, sequence: UInt32) {
      let state = capture.state(of: socket)
      var quoted = state.segment(.client, flags: 2)
      quoted.sequence = sequence
      let body: [UInt8] = [3, 1, 0, 0, 0, 0, 0, 0] + quoted.packet.prefix(28)
      capture.add(
        packet: BuiltSegment.ip(protocol: 1, from: .v4(9, port: 0), to: state.hosts[0], body))
    }
    let harness = run {
      let lone = $0.connection(clientStart: 5)
      $0.syn(lone)
      report(&$0, lone, sequence: 6)
      report(&$0, lone, sequence: 5)
      let alive = $0.connection(clientStart: 5)
      $0.connect(alive)
      report(&$0, alive, sequence: 5)
      let unknown = $0.connection()
      report(&$0, unknown, sequence: 1_000)
    }
    #expect(harness.heard.map(\.server) == [[.refused(unreachable: true)], []])
  }

  @Test("An RST counts only in the window, and nothing follows it")
  func resets() {
    let harness = run {
      let socket = $0.connection()
      $0.connect(socket)
      $0.send(socket, .server, "abc")
      var forged = $0.state(of: socket).segment(.server, flags: 20)
      forged.sequence &+= 70_000
      $0.add(packet: forged.packet)
      forged.sequence &-= 70_004
      $0.add(packet: forged.packet)
      $0.send(socket, .server, "def")
      $0.rst(socket, .server)
      $0.send(socket, .server, "never")
      $0.send(socket, .client, "never")
    }
    #expect(harness.heard.map(\.server) == [[.text("abcdef"), .reset]])
    #expect(harness.heard.map(\.client) == [[]])
    #expect(harness.facts(server: true).end == .reset)
    #expect(harness.facts(server: false).end == .aborted)
  }

  @Test("An RST after the FIN of its own side ends the other side")
  func resetAfterFin() {
    let harness = run {
      let socket = $0.connection()
      $0.connect(socket)
      $0.fin(socket, .client)
      $0.send(socket, .server, "late")
      $0.rst(socket, .client)
    }
    #expect(harness.heard.map(\.client) == [[.fin, .reset]])
    #expect(harness.heard.map(\.server) == [[.text("late")]])
    #expect(harness.facts(server: false).end == .fin)
    #expect(harness.facts(server: true).end == .aborted)
  }

  @Test("The same ports again are a new connection: with another SYN, or with numbers far away")
  func reuse() {
    let host = BuiltHost.v4(1, port: 40_000)
    let harness = run {
      let old = $0.connection(client: host)
      $0.connect(old)
      $0.send(old, .client, "one")
      $0.close(old)
      let new = $0.connection(client: host, clientStart: 900_000_000, serverStart: 30)
      $0.connect(new)
      $0.send(new, .client, "two")
      let third = $0.connection(client: host, clientStart: 3_000_000_000, serverStart: 2_000_000_000)
      $0.connect(third)
      $0.send(third, .server, "three")
      $0.close(third)
      let fourth = $0.connection(client: host, clientStart: 77, serverStart: 88)
      $0.send(fourth, .client, "four")
    }
    #expect(
      harness.heard.map(\.client) == [
        [.text("one"), .fin], [.text("two")], [.fin], [.text("four")],
      ])
    #expect(harness.heard.map(\.server) == [[.fin], [], [.text("three"), .fin], []])
    #expect(harness.table.opened == 4)
  }

  @Test("A SYN sent again, or answered again, is no new connection")
  func repeatedSyn() {
    let harness = run {
      let socket = $0.connection()
      $0.syn(socket)
      $0.repeatLast()
      $0.synAck(socket)
      $0.repeatLast()
      $0.send(socket, .client, "abc")
      $0.syn(socket)
      $0.resend(socket, .client, Array("def".utf8), from: 3)
    }
    #expect(harness.table.opened == 1)
    #expect(harness.heard.map(\.client) == [[.text("abcdef")]])
  }

  @Test("A server that answers again with another number is believed while nothing was said")
  func secondAnswer() {
    let harness = run {
      let socket = $0.connection(serverStart: 1)
      $0.syn(socket)
      $0.synAck(socket)
      let host = $0.state(of: socket).hosts[0]
      let again = $0.connection(client: host, serverStart: 2_000_000_000)
      $0.connect(again)
      $0.send(again, .server, "abc")
    }
    #expect(harness.table.opened == 1)
    #expect(harness.heard.map(\.server) == [[.text("abc")]])
  }

  @Test("A capture in the wrong order, with its SYN near the end, is one connection without a gap")
  func shuffled() {
    var built = CaptureBuilder()
    let socket = built.connection()
    built.connect(socket)
    built.send(socket, .client, "GET / HTTP/1.1\r\n\r\n")
    built.ack(socket, by: .server)
    built.send(socket, .server, [UInt8](repeating: 65, count: 1_460))
    built.send(socket, .server, [UInt8](repeating: 66, count: 424))
    built.ack(socket, by: .client)
    built.fin(socket, .client)
    built.fin(socket, .server)
    built.ack(socket, by: .client)
    var shuffled = CaptureBuilder()
    for index in [10, 9, 4, 1, 7, 6, 3, 8, 5, 0, 2] {
      shuffled.add(frame: built.frames[index], at: 1_000 * index)
    }
    let harness = StreamHarness.run(shuffled)
    let body = [UInt8](repeating: 65, count: 1_460) + [UInt8](repeating: 66, count: 424)
    #expect(harness.heard.map(\.client) == [[.text("GET / HTTP/1.1\r\n\r\n"), .fin]])
    #expect(harness.heard.map(\.server) == [[.bytes(body), .fin]])
  }

  @Test("Facts tell the last bytes, the last sign of life and the progress, each with its time")
  func facts() {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket, at: 0)
    capture.send(socket, .client, "abc", at: 10_000)
    capture.ack(socket, by: .server, at: 20_000)
    capture.send(socket, .client, "def", at: 30_000)
    capture.resend(socket, .client, Array("def".utf8), from: 3, at: 40_000)
    let harness = StreamHarness.run(capture)
    let (client, server) = (harness.facts(server: false), harness.facts(server: true))
    #expect(client.lastNewByte == CaptureBuilder.start + 30_000)
    #expect(client.lastSegment == CaptureBuilder.start + 40_000)
    #expect(client.lastProgress == CaptureBuilder.start + 20_000)
    #expect(!client.isAllAcknowledged)
    #expect(server.lastSegment == CaptureBuilder.start + 20_000)
    #expect(server.lastNewByte == nil)
    #expect(server.isAllAcknowledged)
  }

  @Test("A stream that is only acknowledged is a gap at the end, and its size is known before")
  func oneSided() {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.syn(socket)
    capture.lost { $0.synAck(socket) }
    capture.ack(socket, by: .client)
    capture.send(socket, .client, "request")
    capture.lost { $0.send(socket, .server, [UInt8](repeating: 1, count: 300)) }
    capture.ack(socket, by: .client)
    var harness = StreamHarness()
    harness.read(capture.bytes)
    #expect(harness.facts(server: true).unseenBytes == 300)
    harness.finish()
    #expect(harness.heard.map(\.server) == [[.gap(300, .lost)]])
    #expect(harness.heard.map(\.client) == [[.text("request")]])
  }
}
