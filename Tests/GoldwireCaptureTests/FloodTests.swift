@testable import GoldwireCapture
import GoldwirePackets
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// What floods of packets make a recording hold: a bounded number of everything, whatever their number.
@Suite struct FloodTests {
  /// A SYN of the n-th of many hosts; made from one, since there are many of them.
  private static func syn(_ number: Int) -> [UInt8] {
    var packet = first
    let port = 1_024 + number % 60_000
    for (place, value) in [(12, 198), (13, 18), (14, number >> 8), (15, number), (20, port >> 8), (21, port)]
    {
      packet[place] = UInt8(truncatingIfNeeded: value)
    }
    for place in 0..<4 {
      packet[24 + place] = UInt8(truncatingIfNeeded: number &* 2_654_435_761 >> (8 * place))
    }
    return packet
  }

  private static let first: [UInt8] = {
    var segment = BuiltSegment(from: .v4(9, port: 0), to: .v4(2, port: 80), sequence: 0)
    segment.flags = 2
    return segment.packet
  }()

  /// Sessions whose pings are all answered, with a part for each of so many stretches of time.
  private struct Sessions {
    var capture = CaptureBuilder(link: .raw(101))
    private var sockets: [CaptureBuilder.Socket] = []
    private var handed = 0

    init(_ count: Int) {
      for number in 0..<count {
        let port = UInt16(30_000 + number)
        let socket = capture.connection(client: .v4(1, port: port), server: .v4(2, port: 80))
        capture.connect(socket)
        capture.upgrade(socket)
        sockets.append(socket)
      }
    }

    mutating func ping() {
      for socket in sockets {
        capture.frame(socket, .client, 0x89, [1, 2, 3])
        capture.frame(socket, .server, 0x8A, [1, 2, 3])
      }
    }

    /// The packets that were not handed out yet.
    mutating func take() -> ArraySlice<[UInt8]> {
      defer { handed = capture.frames.count }
      return capture.frames[handed...]
    }
  }

  @Test("A hundred thousand half-open connections leave real sessions alone")
  func halfOpen() throws {
    var sessions = Sessions(5)
    var pressure = Pressure(keeping: { $0.channel != nil })
    for packet in sessions.take() { pressure.take(packet) }
    for number in 0..<100_000 {
      pressure.take(Self.syn(number), after: 10)
      guard number % 25_000 == 20_000 else { continue }
      sessions.ping()
      for packet in sessions.take() { pressure.take(packet) }
    }
    sessions.ping()
    for packet in sessions.take() { pressure.take(packet) }
    pressure.finish()
    let limits = RecordSettings(tool: "", seed: 0)
    #expect(pressure.peak.connections <= limits.packetLimits.connections + 1)
    #expect(pressure.peak.attempts <= limits.limits.attempts)
    #expect(pressure.peak.channels == 5)
    #expect(pressure.kept.count { $0.contains("ws.open") } == 5)
    #expect(pressure.kept.count { $0.contains("ws.pong") && $0.contains(#""id":"#) } == 25)
    #expect(!pressure.kept.contains { $0.contains("rec.gap") || $0.contains("ws.end") })
    // Each whose answer could not be waited for is counted.
    #expect(pressure.recorder.counts.opaque == 100_000 - limits.limits.attempts)
  }

  @Test("A flood makes way for itself: what has said nothing goes before an old session that is silent")
  func evictions() throws {
    var sessions = Sessions(3)
    var pressure = Pressure(keeping: { $0.channel != nil }) { $0.packetLimits.connections = 20 }
    for packet in sessions.take() { pressure.take(packet) }
    for number in 0..<2_000 { pressure.take(Self.syn(number)) }
    sessions.ping()
    for packet in sessions.take() { pressure.take(packet) }
    pressure.finish()
    #expect(pressure.peak.connections <= 21)
    #expect(pressure.kept.count { $0.contains("ws.pong") } == 3)
    #expect(!pressure.kept.contains { $0.contains("rec.gap") })
  }

  @Test("A scan of ports has only so many channels, and what is said after it is written", arguments: [4, 5])
  func scan(limit: Int) throws {
    var pressure = Pressure(keeping: { $0.channel != nil }) { $0.limits.refusedChannels = limit }
    for number in 0..<5 {
      let socket = BuiltSegment(
        from: .v4(9, port: 1_024), to: .v4(2, port: UInt16(100 + number)), sequence: 7)
      var answer = BuiltSegment(from: socket.destination, to: socket.source, sequence: 0)
      var syn = socket
      syn.flags = 2
      answer.flags = 20
      answer.acknowledgment = 8
      pressure.take(syn.packet)
      pressure.take(answer.packet)
    }
    var sessions = Sessions(1)
    sessions.ping()
    for packet in sessions.take() { pressure.take(packet) }
    pressure.finish()
    #expect(
      pressure.kept.count { $0.contains(#""rec.opaque","at":"end","why":"other","cause":"refused""#) }
        == limit)
    #expect(pressure.recorder.counts.opaque == 5)
    #expect(pressure.recorder.counts.gaps == 0)
    #expect(pressure.kept.contains { $0.contains("ws.pong") })
  }

  @Test(
    "Attempts beyond the limit are counted, since what became of them will not be told", arguments: [9, 10])
  func attempts(limit: Int) {
    var pressure = Pressure(keeping: { _ in true }) { $0.limits.attempts = limit }
    for number in 0..<10 { pressure.take(Self.syn(number), after: 1) }
    pressure.finish()
    #expect(pressure.peak.attempts == limit)
    #expect(pressure.recorder.counts.opaque == 10 - limit)
  }

  @Test("Fragments without end take a fixed room, and are counted")
  func fragments() {
    var pressure = Pressure(keeping: { _ in true })
    for number in 0..<5_000 {
      pressure.take(
        BuiltSegment.fragment(
          from: .v4(9, port: 1), to: .v4(2, port: 2), [UInt8](repeating: 1, count: 24),
          offset: number * 8 % 8_000,
          isLast: false, identification: UInt32(number)), after: 1)
    }
    pressure.finish()
    #expect(pressure.peak.datagrams == PacketLimits().datagrams)
    #expect(pressure.kept.last?.contains(#""datagrams":5000"#) == true)
  }

  @Test(
    "Channels beyond the limit are not written, and a gap of all channels says so once", arguments: [2, 3])
  func channels(limit: Int) throws {
    var pressure = Pressure(keeping: { _ in true }) { $0.limits.channels = limit }
    var capture = CaptureBuilder(link: .raw(101))
    for server: UInt8 in 2..<5 { capture.upgrade(capture.open(server)) }
    for packet in capture.frames { pressure.take(packet) }
    pressure.finish()
    #expect(pressure.kept.count { $0.contains("ws.open") } == limit)
    #expect(pressure.kept.count { $0.hasSuffix(#""ev":"rec.gap","why":"limit"}"#) } == (limit < 3 ? 1 : 0))
  }
}
