@testable import GoldwireCapture
import GoldwirePackets
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// What lies beyond a hole: how much of it is held, and that letting it go holds no more.
@Suite struct ReleaseTests {
  private static let ask = "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  /// Streams with a hole, behind which small events wait.
  private static func streams(_ count: Int, events: Int, size: Int = 1_460) -> (CaptureBuilder, [Int]) {
    var capture = CaptureBuilder(link: .raw(101))
    let sockets = (0..<count).map { _ in capture.open() }
    for socket in sockets {
      capture.send(socket, .client, ask)
      capture.send(socket, .server, head)
    }
    for socket in sockets {
      capture.lost { $0.send(socket, .server, "data\n\n") }
      capture.send(
        socket, .server, Array(repeating: Array("data\n\n".utf8), count: events).flatMap { $0 }, size: size)
    }
    return (capture, sockets)
  }

  @Test(
    "The recording's end lets go of what is held piece by piece, in the same order and at the same instant")
  func atTheEnd() throws {
    let (capture, _) = Self.streams(8, events: 3_000)
    var pressure = Pressure(keeping: { _ in true }) { $0.limits.heldLines = 100 }
    try pressure.take(capture)
    pressure.finish()
    #expect(pressure.peak.heldBytes > 8 * 18_000)
    #expect(pressure.peak.lines < 100 + 1_460)
    #expect(pressure.kept == (try Recording(capture).texts))
    // The first block behind the hole is not known to be whole.
    #expect(pressure.kept.count { $0.contains("sse.event") } == 8 * 2_999)
  }

  @Test("Lines that are handed on in place are those that are taken one by one, to the last")
  func inPlace() throws {
    let (capture, _) = Self.streams(8, events: 3_000)
    func lines(_ take: (inout CaptureRecorder, inout [TraceLine]) -> Void) throws -> [TraceLine] {
      var settings = RecordSettings(tool: "goldwire 0.1.0", seed: 7)
      settings.limits.heldLines = 100
      var recorder = CaptureRecorder(settings)
      var file = try CaptureFile(bytes: capture.bytes)
      var all: [TraceLine] = []
      while try file.step(into: &recorder) { take(&recorder, &all) }
      recorder.finish(.eof)
      take(&recorder, &all)
      return all
    }
    let inPlace = try lines { recorder, all in recorder.takeLines { all.append($0) } }
    let oneByOne = try lines { recorder, all in while let line = recorder.nextLine() { all.append(line) } }
    #expect(inPlace == oneByOne)
    #expect(inPlace.last?.event.kind == .recEnd)
  }

  @Test(
    "So does a packet that fills the hole, or ends the connection",
    arguments: ["fills", "acks", "reset", "reuse"])
  func inTheMiddle(how: String) throws {
    var (capture, sockets) = Self.streams(1, events: 6_000)
    let offset = Self.head.utf8.count
    switch how {
    case "fills": capture.resend(sockets[0], .server, Array("data\n\n".utf8), from: offset)
    case "acks": capture.ack(sockets[0], by: .client)
    case "reset": capture.rst(sockets[0], .server)
    default:
      // The same ports once more: the old connection has to come out before the new one.
      let old = capture.state(of: sockets[0])
      let again = capture.connection(
        client: old.hosts[0], server: old.hosts[1], clientStart: 90_000_000, serverStart: 80_000_000)
      capture.connect(again)
      capture.send(again, .client, Self.ask)
    }
    let after = capture.open(3)
    capture.send(after, .client, Self.ask)
    capture.send(after, .server, Self.head + "data: 1\n\n")
    var pressure = Pressure(keeping: { _ in true }) { $0.limits.heldLines = 100 }
    try pressure.take(capture)
    pressure.finish()
    #expect(pressure.peak.lines < 100 + 1_460)
    #expect(pressure.kept == (try Recording(capture).texts))
    #expect(pressure.kept.count { $0.contains("sse.event") } >= 6_000)
    #expect(pressure.peak.heldBytes > 36_000 && pressure.recorder.table.heldBytes == 0)
  }

  @Test("Small segments weigh what they take", arguments: [64, 65])
  func smallSegments(count: Int) throws {
    var pressure = Pressure(keeping: { $0.channel != nil }) { $0.packetLimits.heldBytesInAll = 64 * 65 }
    let (capture, _) = Self.streams(1, events: 0)
    var stream = capture
    stream.send(0, .server, [UInt8](repeating: 0x0A, count: count), size: 1)
    try pressure.take(stream)
    let gaps = pressure.recorder.counts.gaps
    pressure.finish()
    #expect(gaps == (count > 64 ? 1 : 0))
    #expect(pressure.peak.heldBytes <= 64 * 65)
    #expect(
      pressure.kept.contains { $0.contains(#""rec.gap","dir":"in","bytes":6,"why":"limit""#) } == (count > 64)
    )
  }

  @Test("Segments that are never acknowledged are given up at the limits, and a gap says so")
  func neverAcknowledged() throws {
    var pressure = Pressure(keeping: { $0.channel != nil }) {
      $0.packetLimits.heldBytes = 20_000
      $0.packetLimits.heldBytesInAll = 60_000
    }
    let (capture, _) = Self.streams(20, events: 5_000)
    try pressure.take(capture)
    pressure.finish()
    #expect(pressure.peak.heldBytes <= 60_000)
    #expect(pressure.kept.count { $0.contains(#""bytes":6,"why":"limit""#) } == 20)
  }
}
