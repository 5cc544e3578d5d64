import GoldwirePackets
import GoldwireTestSupport
import Testing

/// What one direction says: order, holes, overlaps, cuts and limits.
@Suite struct StreamTests {
  /// What the client of one connection was heard to say, without the end of the capture if `open`.
  private func client(
    limits: PacketLimits = PacketLimits(), open: Bool = false, snaplen: Int = 262_144, start: UInt32 = 1_000,
    _ build: (inout CaptureBuilder, CaptureBuilder.Socket) -> Void
  ) -> HeardConnection {
    var capture = CaptureBuilder()
    let socket = capture.connection(clientStart: start)
    capture.connect(socket)
    capture.snaplen = snaplen
    build(&capture, socket)
    var harness = StreamHarness(limits: limits)
    harness.read(capture.bytes)
    if !open { harness.finish() }
    return harness.heard.first ?? HeardConnection()
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("Segments in the wrong order come out right, at once when the hole is filled")
  func reordered() {
    let heard = client(open: true) { capture, socket in
      capture.reversed { $0.send(socket, .client, "abcdefghij", size: 2) }
    }
    #expect(heard.client == [.text("abcdefghij")])
  }

  @Test("A stream whose SYN was missed begins where the other side expects it, once that side's SYN was seen")
  func missedSyn() {
    func server(fills: Bool, _ begin: (inout CaptureBuilder, CaptureBuilder.Socket) -> Void) -> [Heard] {
      var capture = CaptureBuilder()
      let socket = capture.connection()
      begin(&capture, socket)
      capture.ack(socket, by: .client)
      let segments = capture.collected { $0.send(socket, .server, "abcdef", size: 2) }
      for index in fills ? [1, 0, 2] : [1, 2] { capture.add(frame: segments[index]) }
      capture.ack(socket, by: .client)
      return StreamHarness.run(capture).heard[0].server
    }
    for fills in [true, false] {
      let seen = server(fills: fills) {
        $0.syn($1)
        $0.lost { $0.synAck(0) }
      }
      #expect(seen == (fills ? [.text("abcdef")] : [.gap(2, .lost), .text("cdef")]))
      // Where the capture begins later, nobody knows what it should have.
      let unseen = server(fills: fills) { capture, socket in
        capture.lost {
          $0.syn(socket)
          $0.synAck(socket)
        }
      }
      #expect(unseen == [.text("cdef")])
    }
    // What was acknowledged meanwhile is missing too.
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.syn(socket)
    capture.lost { $0.synAck(socket) }
    capture.ack(socket, by: .client)
    capture.lost { $0.send(socket, .server, "abcd") }
    capture.ack(socket, by: .client)
    capture.send(socket, .server, "ef")
    #expect(StreamHarness.run(capture).heard[0].server == [.gap(4, .lost), .text("ef")])
  }

  @Test("Numbers that wrap around are no break")
  func wrap() {
    for start: UInt32 in [0xFFFF_FFFA, 0xFFFF_FFFF, 0x7FFF_FFFA] {
      let heard = client(start: start) { capture, socket in
        capture.send(socket, .client, "abcdefgh", size: 3)
        capture.reversed { $0.send(socket, .client, "ijklmnop", size: 3) }
        capture.fin(socket, .client)
      }
      #expect(heard.client == [.text("abcdefghijklmnop"), .fin])
    }
  }

  @Test("Bytes that come twice are delivered once; the first copy counts and a difference is told")
  func overlaps() {
    let heard = client { capture, socket in
      capture.send(socket, .client, "abc")
      capture.resend(socket, .client, bytes("bcdef"), from: 1)
      capture.resend(socket, .client, bytes("XYZ"), from: 10)
      capture.resend(socket, .client, bytes("zXYZ"), from: 9)
      capture.resend(socket, .client, bytes("ghi789JK"), from: 6)
    }
    #expect(heard.client == [.text("abcdefghizXYZK")])
    #expect(heard.conflicts == 1)
    let again = client { capture, socket in
      capture.send(socket, .client, "abcdef")
      capture.resend(socket, .client, bytes("cdXfgh"), from: 2)
      capture.resend(socket, .client, bytes("gY"), from: 6)
      capture.resend(socket, .client, bytes("fgh"), from: 5)
    }
    #expect(again.client == [.text("abcdefgh")])
    #expect(again.conflicts == 2)
    let equal = client { capture, socket in
      capture.resend(socket, .client, bytes("cde"), from: 2)
      capture.resend(socket, .client, bytes("bcdef"), from: 1)
      capture.resend(socket, .client, bytes("abcdefg"), from: 0)
    }
    #expect(equal.client == [.text("abcdefg")])
    #expect(equal.conflicts == 0)
  }

  @Test("A FIN that comes early waits for its place, and nothing is taken beyond it")
  func earlyFin() {
    let heard = client(open: true) { capture, socket in
      let late = capture.collected { $0.send(socket, .client, "abc") }
      capture.fin(socket, .client)
      capture.add(frame: late[0])
      capture.resend(socket, .client, bytes("cde"), from: 2)
    }
    #expect(heard.client == [.text("abc"), .fin])
  }

  @Test("A hole that the other side acknowledged is a gap at once, before anything of the other side")
  func acknowledgedHole() {
    let heard = client(open: true) { capture, socket in
      capture.lost { $0.send(socket, .client, "abcd") }
      capture.send(socket, .client, "ef")
      capture.send(socket, .server, "reply")
    }
    #expect(heard.client == [.gap(4, .lost), .text("ef")])
    #expect(heard.server == [.text("reply")])
    let known = client(open: true) { capture, socket in
      capture.lost { $0.send(socket, .client, "abcd") }
      capture.ack(socket, by: .server)
      capture.send(socket, .client, "ef")
    }
    #expect(known.client == [.gap(4, .lost), .text("ef")])
  }

  @Test("A hole that nobody acknowledged waits, until the end of the capture")
  func openHole() {
    func build(_ capture: inout CaptureBuilder, _ socket: CaptureBuilder.Socket) {
      capture.ack(socket, by: .server)
      capture.lost { $0.send(socket, .client, "abcd") }
      for text in ["ef", "gh"] {
        capture.send(socket, .client, text)
        for _ in 0..<100 { capture.add(packet: capture.state(of: socket).segment(.server).packet) }
      }
    }
    #expect(client(open: true, build).client == [])
    #expect(client(build).client == [.gap(4, .lost), .text("efgh")])
  }

  @Test("What was acknowledged before it was seen may be late: it is waited for, but not for ever")
  func lateSegments() {
    func late(_ packets: Int, step: Int = 10, fill: Bool) -> [Heard] {
      client(open: true) { capture, socket in
        capture.step = step
        let segments = capture.collected { $0.send(socket, .client, "abcd", size: 2) }
        capture.ack(socket, by: .server)
        capture.add(frame: segments[1])
        for _ in 0..<packets { capture.ack(socket, by: .server) }
        if fill { capture.add(frame: segments[0]) }
      }.client
    }
    #expect(late(5, fill: true) == [.text("abcd")])
    #expect(late(31, fill: false) == [])
    #expect(late(33, fill: false) == [.gap(2, .lost), .text("cd")])
    #expect(late(1, step: 100_000, fill: false) == [.gap(2, .lost), .text("cd")])
  }

  @Test("Where the other direction is not in the capture, a hole is given up after a while")
  func silentHole() {
    func heard(_ wait: Int) -> [Heard] {
      var capture = CaptureBuilder()
      let socket = capture.connection()
      capture.syn(socket, at: 0)
      capture.lost { $0.send(socket, .client, "abcd") }
      capture.send(socket, .client, "ef", at: 1_000)
      capture.send(socket, .client, "gh", at: 1_000 + wait)
      var harness = StreamHarness()
      harness.read(capture.bytes)
      return harness.heard[0].client
    }
    #expect(heard(1_999_999) == [])
    #expect(heard(2_000_000) == [.gap(4, .lost), .text("efgh")])
  }

  @Test("A packet that the capture cut is delivered as far as it goes, then a gap")
  func snaplen() {
    let heard = client(open: true, snaplen: 14 + 40 + 3) { capture, socket in
      capture.send(socket, .client, "abcdefgh", size: 4)
      capture.reversed { $0.send(socket, .client, "ijklmno", size: 4) }
      capture.fin(socket, .client)
    }
    #expect(
      heard.client == [
        .text("abc"), .gap(1, .snaplen), .text("efg"), .gap(1, .snaplen), .text("ijk"), .gap(1, .snaplen),
        .text("mno"), .fin,
      ])
    let headers = client(open: true, snaplen: 14 + 34) { capture, socket in
      capture.send(socket, .client, "abcd")
      capture.send(socket, .client, "ef")
    }
    #expect(headers.client == [.gap(4, .snaplen), .gap(2, .snaplen)])
  }

  @Test("What is held beyond a hole is limited in segments, in bytes, and in all connections together")
  func limits() {
    func heard(_ change: (inout PacketLimits) -> Void) -> [Heard] {
      var limits = PacketLimits()
      change(&limits)
      return client(limits: limits, open: true) { capture, socket in
        capture.lost { $0.send(socket, .client, "ab") }
        capture.send(socket, .client, "cdefgh", size: 2)
      }.client
    }
    let given: [Heard] = [.gap(2, .limit), .text("cdefgh")]
    #expect(heard { $0.heldSegments = 3 } == [])
    #expect(heard { $0.heldSegments = 2 } == given)
    // Three segments of two bytes, and 64 for each.
    #expect(heard { $0.heldBytes = 198 } == [])
    #expect(heard { $0.heldBytes = 197 } == given)
    #expect(heard { $0.heldBytesInAll = 198 } == [])
    #expect(heard { $0.heldBytesInAll = 197 } == given)
  }

  @Test("A number far outside the stream is not believed, until several follow each other")
  func strays() {
    let heard = client(open: true) { capture, socket in
      capture.send(socket, .client, "abc")
      var stray = capture.state(of: socket).segment(.client, bytes("??"))
      stray.sequence &+= 1_500_000_000
      for _ in 0..<7 { capture.add(packet: stray.packet) }
      capture.send(socket, .client, "def")
      for _ in 0..<7 { capture.add(packet: stray.packet) }
      stray.payload = bytes("again")
      capture.add(packet: stray.packet)
    }
    #expect(heard.client == [.text("abcdef"), .gap(0, .lost), .text("again")])
  }

  @Test("What was acknowledged and never seen is a gap at the end; a single number may be a FIN's")
  func trailing() {
    for (count, pieces) in [(4, [.text("ab"), .gap(4, .lost)] as [Heard]), (1, [.text("ab")])] {
      let heard = client { capture, socket in
        capture.send(socket, .client, "ab")
        capture.lost { $0.send(socket, .client, [UInt8](repeating: 1, count: count)) }
        capture.ack(socket, by: .server)
      }
      #expect(heard.client == pieces)
    }
  }

  @Test("A zero-window probe is a byte like any other")
  func zeroWindow() {
    let heard = client { capture, socket in
      capture.send(socket, .client, "ab")
      capture.resend(socket, .client, bytes("c"), from: 2)
      capture.resend(socket, .client, bytes("cde"), from: 2)
    }
    #expect(heard.client == [.text("abcde")])
  }
}
