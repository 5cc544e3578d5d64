@testable import GoldwireCapture
import GoldwirePackets
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// What a peer cannot make a recording grow to.
@Suite struct LimitTests {
  private static let ask = "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n"

  /// A compressed stream of one unit, many times; with the size of its body.
  private static func bomb(_ unit: String, _ count: Int) throws -> (capture: CaptureBuilder, bytes: Int) {
    var body: [UInt8] = []
    var writer = try GzipWriter()
    for _ in 0..<count { writer.write(Array(unit.utf8).span, to: &body) }
    writer.finish(to: &body)
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, ask)
    capture.send(socket, .server, head)
    capture.send(socket, .server, body)
    capture.close(socket, .server)
    return (capture, body.count)
  }

  @Test(
    "A compressed stream has only so many items for its size", arguments: [":\n", "retry:1\n", "data\n\n"])
  func items(unit: String) throws {
    let (capture, bytes) = try Self.bomb(unit, 20_000)
    let recording = try Recording(capture) { $0.limits.streamItemAllowance = 100 }
    let items = recording.plain.filter {
      $0.contains("comment") || $0.contains("retry") || $0.contains("event\"")
    }
    #expect((100...(100 + bytes)).contains(items.count))
    #expect(
      recording.plain.suffix(2) == [
        #""ch":"sse1","gen":1,"ev":"rec.gap","dir":"in","why":"limit""#,
        #""ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0"#,
      ])
  }

  @Test("Below that each item has its line")
  func everyItem() throws {
    let events = try Recording(Self.bomb(":\n", 4_000).capture).plain
    #expect(events.count { $0.contains("sse.comment") } == 4_000)
    #expect(!events.contains { $0.contains("rec.gap") })
  }

  @Test("A stream that inflates beyond all measure is given up, and said to be")
  func ratio() throws {
    let unit = ":" + String(repeating: "x", count: 9_999)
    let events = try Recording(Self.bomb(unit, 300).capture).plain
    #expect(events.contains(#""ch":"sse1","gen":1,"ev":"rec.gap","dir":"in","why":"limit""#))
  }

  @Test("Lines that wait hold the reader up")
  func backpressure() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    for _ in 0..<200 { capture.frame(socket, .server, 0x89, []) }
    var settings = RecordSettings(tool: "goldwire 0.0.0", seed: 7)
    settings.limits.heldLines = 8
    var recorder = CaptureRecorder(settings)
    var file = try CaptureFile(bytes: capture.bytes)
    var pings = 0
    while try file.step(into: &recorder) {
      #expect(recorder.lines.count <= 12)
      while let line = recorder.nextLine() { if case .wsPing = line.event { pings += 1 } }
    }
    recorder.finish(.eof)
    while let line = recorder.nextLine() { if case .wsPing = line.event { pings += 1 } }
    #expect(pings == 200)
  }

  @Test("A flood of SYNs that makes connections give way loses nothing, and says nothing")
  func flood() throws {
    var capture = CaptureBuilder()
    for _ in 0..<50 { capture.syn(capture.connection()) }
    let recording = try Recording(capture) { $0.packetLimits.connections = 8 }
    #expect(recording.events.isEmpty)
    #expect(recording.texts.last?.contains("gaps") == false)
  }

  @Test("Each gap that is counted stands as a line")
  func evictions() throws {
    var capture = CaptureBuilder()
    for server: UInt8 in 2..<22 {
      let socket = capture.open(server)
      capture.upgrade(socket)
    }
    let recording = try Recording(capture) { $0.packetLimits.connections = 8 }
    let lines = recording.events.count { $0.contains("rec.gap") }
    #expect(lines == 12)
    #expect(recording.texts.last?.contains(#""gaps":12"#) == true)
  }

  @Test("Attempts agree with a plain list")
  func attempts() {
    struct Plain { var connection, first, latest, pause, count: Int }
    var generator = SeededGenerator(seed: 11)
    var list = AttemptList()
    var model: [Plain] = []
    var slots: [Int: Int] = [:]
    for step in 0..<5_000 {
      let now = step * 40_000
      while let due = list.removeDue(at: now) {
        let first = model.min { ($0.latest + 2 * $0.pause) < ($1.latest + 2 * $1.pause) }
        #expect(due.deadline <= now && due.deadline == first.map { $0.latest + 2 * $0.pause + 1_000_000 })
        model.removeAll { $0.connection == due.connection }
      }
      #expect(!model.contains { $0.latest + 2 * $0.pause + 1_000_000 <= now })
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        let (slot, displaced) = list.add(step, ticket: 0, at: now, limit: 20)
        let oldest = model.count == 20 ? model.removeFirst() : nil
        #expect(displaced?.connection == oldest?.connection)
        slots[step] = slot
        model.append(Plain(connection: step, first: now, latest: now, pause: 1_000_000, count: 1))
      case 2 where !model.isEmpty:
        let index = Int.random(in: model.indices, using: &generator)
        list.again(slots[model[index].connection] ?? -1, at: now)
        model[index].pause = max(model[index].pause, now - model[index].latest)
        model[index].latest = now
      case 3 where !model.isEmpty:
        let gone = model.remove(at: Int.random(in: model.indices, using: &generator))
        #expect(list.remove(slots[gone.connection] ?? -1)?.connection == gone.connection)
      default: break
      }
      #expect(list.count == model.count)
    }
  }

  @Test("A pong to a ping that was forgotten cannot be told")
  func forgottenPings() {
    var pings = PingList()
    for hash: UInt64 in 1...4 { _ = pings.add(hash, limit: 4) }
    #expect(pings.latest(9) == 0)
    _ = pings.add(5, limit: 4)
    #expect(pings.latest(1) == nil)
    #expect(pings.latest(9) == nil)
    #expect(pings.latest(5) == 5)
  }
}
