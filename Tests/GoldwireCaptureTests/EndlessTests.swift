@testable import GoldwireCapture
@testable import GoldwireProtocols
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// What never ends takes a bounded room: heads, chunk lines, chunks, fragments, lines, items.
@Suite struct EndlessTests {
  private static let ask = "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
  private static let post = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  /// Feeds a connection with one piece again and again, and gives what was held and written.
  private static func feed(
    _ begin: (inout CaptureBuilder, CaptureBuilder.Socket) -> Void, _ side: BuiltConnection.Side,
    _ piece: [UInt8], _ count: Int, _ change: (inout RecordSettings) -> Void = { _ in },
    watching watch: (borrowing CaptureRecorder) -> Void = { _ in }
  ) throws -> (peak: Pressure.Peak, kept: [String], count: Int) {
    var capture = CaptureBuilder(link: .raw(101))
    let socket = capture.open()
    begin(&capture, socket)
    var pressure = Pressure(keeping: { $0.channel != nil && $0.event != .sseComment }, change)
    for packet in capture.frames { pressure.take(packet) }
    // One packet with another number each time, since there are many.
    var packet = capture.state(of: socket).segment(side, flags: 24, piece).packet
    var sequence = capture.state(of: socket).next[side.rawValue]
    for number in 0..<count {
      for place in 0..<4 {
        packet[24 + place] = UInt8(truncatingIfNeeded: sequence >> (24 - 8 * UInt32(place)))
      }
      pressure.take(packet)
      sequence &+= UInt32(piece.count)
      if number % 64 == 0 { watch(pressure.recorder) }
    }
    watch(pressure.recorder)
    pressure.finish()
    return (pressure.peak, pressure.kept, pressure.count)
  }

  @Test("A head without end is given up at its limit, and a gap says so")
  func head() throws {
    let begin = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8)
    let made = try Self.feed(
      { $0.send($1, .client, begin) }, .client, [UInt8](repeating: 0x78, count: 8_192), 100)
    #expect(made.peak.httpBytes <= HTTP1Limits().headBytes)
    #expect(made.kept.count { $0.contains(#""rec.gap","dir":"out","why":"limit""#) } == 1)
  }

  @Test("A chunk extension without end is given up at its limit, and a gap says so")
  func chunkExtension() throws {
    let made = try Self.feed(
      { $0.send($1, .client, Self.post + "1;x=") }, .client, [UInt8](repeating: 0x78, count: 4_096), 50)
    #expect(made.peak.httpBytes < 1_024)
    #expect(made.kept.count { $0.contains(#""rec.gap","dir":"out","why":"limit""#) } == 1)
  }

  @Test("Chunks without end take no room")
  func chunks() throws {
    let made = try Self.feed(
      { $0.send($1, .client, Self.post) }, .client, Array("1\r\nx\r\n1;a\r\ny\r\n".utf8), 5_000)
    #expect(made.peak.httpBytes < 1_024)
    #expect(!made.kept.contains { $0.contains("rec.gap") })
  }

  @Test("Trailers without end are given up at their limit, and a gap says so")
  func trailers() throws {
    let made = try Self.feed(
      { $0.send($1, .client, Self.post + "0\r\n") }, .client, Array("A: bcdefgh\r\n".utf8), 10_000)
    #expect(made.peak.httpBytes <= HTTP1Limits().trailerBytes + 1_024)
    #expect(made.kept.count { $0.contains(#""rec.gap","dir":"out","why":"limit""#) } == 1)
  }

  @Test(
    "Fragments of a message without end keep what may be a heartbeat and no more", arguments: [false, true])
  func fragments(isCompressed: Bool) throws {
    let offer = isCompressed ? "permessage-deflate" : ""
    let payload: [UInt8] = isCompressed ? [0, 5, 0, 0xFA, 0xFF, 1, 2, 3, 4, 5] : [1, 2, 3, 4, 5]
    let first = CaptureBuilder.frame(.server, isCompressed ? 0x42 : 0x02, payload)
    var most = 0
    let made = try Self.feed(
      {
        $0.upgrade($1, extensions: offer)
        $0.send($1, .server, first)
      }, .server, CaptureBuilder.frame(.server, 0, payload), 10_000, { $0.beats = .phoenix },
      watching: { most = max(most, $0.sockets.first?.payload(.in).count ?? 0) })
    #expect(most <= CaptureLimits().beatBytes)
    #expect(made.kept.count { $0.contains("ws.") } == 2)
  }

  @Test(
    "A line without end keeps an id or a type up to its limit, and nothing else",
    arguments: [
      "id:", "event:", "data:", ":", "x:", "retry:", "",
    ])
  func line(field: String) throws {
    var most = 0
    let made = try Self.feed(
      {
        $0.send($1, .client, Self.ask)
        $0.send($1, .server, Self.stream + field)
      }, .server, [UInt8](repeating: 0x31, count: 8_192), 100,
      watching: {
        let parser = $0.streams.first?.parser
        most = max(most, (parser?.candidate.count ?? 0) + (parser?.block.type.count ?? 0))
        most = max(most, parser?.block.data.count ?? 0)
      })
    #expect(most <= (field == "id:" ? 4_096 : field == "event:" ? 1_024 : 0))
    #expect(
      made.kept.count { $0.contains(#""why":"limit""#) } == (field == "id:" || field == "event:" ? 1 : 0))
  }

  @Test("Millions of tiny events go out as they come")
  func tinyEvents() throws {
    let made = try Self.feed(
      {
        $0.send($1, .client, Self.ask)
        $0.send($1, .server, Self.stream)
      }, .server, Array(String(repeating: ":\n", count: 10_000).utf8), 20)
    #expect(made.count > 200_000)
    #expect(made.peak.lines <= CaptureLimits().heldLines + 10_001)
  }
}
