import GoldwirePackets
import GoldwireTestSupport
import Testing

/// An RST that lies in the window but not at the next number (RFC 5961 section 3.2).
@Suite struct ResetTests {
  private typealias Socket = CaptureBuilder.Socket

  private static func run(_ body: (inout CaptureBuilder, Socket) -> Void) -> [Heard] {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(socket, .server, "abc")
    body(&capture, socket)
    return StreamHarness.run(capture).heard.first?.server ?? []
  }

  /// Adds an RST of the server, so many bytes beyond its next number.
  private static func reset(_ capture: inout CaptureBuilder, _ socket: Socket, ahead: UInt32) {
    var segment = capture.state(of: socket).segment(.server, flags: 20)
    segment.sequence &+= ahead
    capture.add(packet: segment.packet)
  }

  @Test("It is nothing where the stream goes on")
  func goesOn() {
    let heard = Self.run {
      Self.reset(&$0, $1, ahead: 10)
      $0.ack($1, by: .client)
      $0.send($1, .server, "def")
      $0.fin($1, .server)
    }
    #expect(heard == [.text("abcdef"), .fin])
  }

  @Test(
    "It ends the connection at the capture's end where nothing follows, and what was before it is missing")
  func nothingFollows() {
    #expect(Self.run { Self.reset(&$0, $1, ahead: 10) } == [.text("abc"), .gap(10, .lost), .reset])
  }

  @Test("It is nothing where what settles it ends both streams in good order")
  func isOvertaken() {
    let heard = Self.run {
      $0.fin($1, .server)
      $0.fin($1, .server)
      $0.rst($1, .server)
      $0.fin($1, .client)
    }
    #expect(heard == [.text("abc"), .fin])
  }

  @Test("A second one agrees with it, wherever in the window it lies", arguments: [0, 10, 20] as [UInt32])
  func isRepeated(ahead: UInt32) {
    let heard = Self.run {
      Self.reset(&$0, $1, ahead: 10)
      $0.ack($1, by: .client)
      Self.reset(&$0, $1, ahead: ahead)
      $0.send($1, .server, "never")
    }
    #expect(heard == [.text("abc")] + (ahead == 0 ? [] : [.gap(Int(ahead), .lost)]) + [.reset])
  }

  @Test("What the RST acknowledges of the other side and was not seen is missing there, if it can be so much")
  func acknowledgesTheUnseen() {
    for (count, pieces) in [(4, [.gap(4, .lost), .reset]), (100_000, [.reset])] as [(Int, [Heard])] {
      var capture = CaptureBuilder()
      let socket = capture.connection()
      capture.connect(socket)
      capture.send(socket, .client, "abc")
      capture.lost { $0.send(socket, .server, [UInt8](repeating: 1, count: count)) }
      capture.rst(socket, .client)
      #expect(StreamHarness.run(capture).heard.first?.server == pieces.filter { $0 != .reset })
      #expect(StreamHarness.run(capture).heard.first?.client == [.text("abc"), .reset])
    }
  }

  @Test("The other side's acknowledgment of all before it shows that the capture lost that")
  func isAcknowledged() {
    let heard = Self.run {
      Self.reset(&$0, $1, ahead: 3)
      $0.lost { $0.send(0, .server, "def") }
      $0.ack($1, by: .client)
      $0.send($1, .server, "never")
    }
    #expect(heard == [.text("abc"), .gap(3, .lost), .reset])
  }
}
