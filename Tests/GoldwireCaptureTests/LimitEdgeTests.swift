@testable import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Each limit of a recording: what lies just within it is read, and what lies beyond it is told in the trace.
@Suite struct LimitEdgeTests {
  private static let ask = "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  private static let forgot = #""ev":"rec.note","note":"idForgot""#
  private static let gap = #""ev":"rec.gap","dir":"in","why":"limit""#

  /// The lines of event streams, each on a connection and channel of its own.
  private static func streams(
    _ bodies: [String], _ change: (inout RecordSettings) -> Void
  ) throws -> [String] {
    var capture = CaptureBuilder()
    for (index, body) in bodies.enumerated() {
      let socket = capture.open(UInt8(2 + index))
      capture.send(socket, .client, ask)
      capture.send(socket, .server, head + body)
    }
    return try Recording(capture, change).plain
  }

  /// The lines of requests and their answers on one connection.
  private static func requests(
    _ all: [(request: String, answer: String)], _ change: (inout RecordSettings) -> Void
  ) throws -> [String] {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for (request, answer) in all {
      capture.send(socket, .client, request)
      capture.send(socket, .server, answer)
    }
    return try Recording(capture, change).plain
  }

  @Test("Unfinished heads of all connections", arguments: [400, 399])
  func unfinishedHeads(limit: Int) throws {
    var pressure = Pressure(keeping: { $0.channel != nil }) { $0.limits.httpBytesInAll = limit }
    var capture = CaptureBuilder(link: .raw(101))
    let sockets = [capture.open(2), capture.open(3)]
    let half = "GET / HTTP/1.1\r\nHost: a\r\nX: "
    for socket in sockets {
      capture.send(socket, .client, half + String(repeating: "x", count: 200 - half.utf8.count))
    }
    try pressure.take(capture)
    pressure.finish()
    #expect(pressure.peak.httpBytes <= limit)
    #expect(pressure.kept.count { $0.contains(#""rec.opaque","at":"open""#) } == (limit == 400 ? 0 : 1))
  }

  @Test("Requests that wait, in all", arguments: [4 * 256, 4 * 256 - 1])
  func waitingRequests(limit: Int) throws {
    let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let lines = try Self.requests([(get + get + get + get, "")]) { $0.limits.httpBytesInAll = limit }
    #expect(lines.count { $0.contains("http.send") } == 4)
    #expect(lines.contains { $0.contains(#""rec.gap","why":"limit""#) } == (limit < 4 * 256))
    #expect(lines.contains { $0.contains(#""rec.opaque","at":"open""#) } == (limit < 4 * 256))
  }

  @Test("Requests that wait on one connection", arguments: [4_096, 4_097])
  func outstanding(count: Int) throws {
    let get = Array(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: count).joined()
    let lines = try Self.requests([(get, "")]) { _ in }
    #expect(lines.count { $0.contains("http.send") } == count)
    #expect(lines.contains { $0.contains(#""rec.gap","dir":"out","why":"limit""#) } == (count > 4_096))
  }

  @Test("Event ids of a channel, and of all", arguments: [2, 3], [true, false])
  func eventIDs(limit: Int, inAll: Bool) throws {
    let lines = try Self.streams(["id:a\ndata\n\nid:b\ndata\n\nid:c\ndata\n\nid:a\ndata\n\n"]) {
      if inAll { $0.limits.eventIDsInAll = limit } else { $0.limits.eventIDs = limit }
    }
    #expect(lines.count { $0.contains(Self.forgot) } == (limit == 2 ? 1 : 0))
    #expect(lines.contains { $0.contains(#""id":"e4""#) } == (limit == 2))
  }

  @Test("Contents of an event id", arguments: [2, 3])
  func revisions(limit: Int) throws {
    let lines = try Self.streams(
      ["x", "y"].map { id in
        ["p", "q", "r", "r", "s"].prefix(limit == 2 ? 4 : 3).map { "id:\(id)\ndata:\($0)\n\n" }.joined()
      }
    ) { $0.limits.revisions = limit }
    #expect(lines.count { $0.contains(Self.forgot) } == (limit == 2 ? 2 : 0))
    #expect(lines.count { $0.contains(#""rev":3"#) } == (limit == 2 ? 4 : 2))
  }

  @Test("Contents of all event ids", arguments: [1, 2])
  func revisionsInAll(limit: Int) throws {
    let body = "id:a\ndata:p\n\nid:a\ndata:q\n\n"
    let lines = try Self.streams([body, body]) { $0.limits.revisionsInAll = limit }
    #expect(lines.count { $0.contains(Self.forgot) } == (limit == 1 ? 1 : 0))
    #expect(lines.count { $0.contains(#""rev":2"#) } == 2)
  }

  @Test("Contents that are forgotten with their id leave room for others")
  func revisionsAreGivenBack() {
    var limits = CaptureLimits()
    limits.eventIDs = 1
    limits.revisionsInAll = 2
    var pseudonyms = Pseudonyms(limits: limits)
    for id: UInt64 in 1...5 {
      for content: UInt64 in 1...3 {
        #expect(pseudonyms.identify(.hash(id), content: content, in: 0).revision == Int(content))
      }
      #expect(pseudonyms.revisionCount == 2 && pseudonyms.idCount == 1)
    }
  }

  @Test("Idempotency keys of a channel, and of all", arguments: [1, 2], [true, false])
  func keys(limit: Int, inAll: Bool) throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    let all = ["a", "b", "a"].map { key in
      ("POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: \(key)\r\nContent-Length: 0\r\n\r\n", answer)
    }
    let lines = try Self.requests(all) {
      if inAll { $0.limits.keysInAll = limit } else { $0.limits.keys = limit }
    }
    #expect(lines.contains { $0.contains(#""key":"k3""#) } == (limit == 1))
    #expect(lines.contains { $0.contains(Self.forgot) } == (limit == 1))
  }

  @Test("Failed requests of a channel: what followed the oldest is a new request", arguments: [1, 2])
  func failures(limit: Int) throws {
    let busy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    let all = ["/a", "/b", "/a"].map { ("GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n", busy) }
    let lines = try Self.requests(all) { $0.limits.failures = limit }
    #expect(lines.contains { $0.contains(#""req":3,"try":1"#) } == (limit == 1))
    #expect(lines.contains { $0.contains(#""req":1,"try":2"#) } == (limit == 2))
  }

  @Test(
    "An id or a type that is too long is left out, and a gap says so",
    arguments: [
      ("id:", 4_096), ("id:", 4_097), ("event:", 1_024), ("event:", 1_025),
    ])
  func longValues(field: String, count: Int) throws {
    let value = String(repeating: "x", count: count)
    let isOver = count % 2 == 1
    for rest in ["data\n\n", "\n"] {
      let lines = try Self.streams([field + value + "\n" + rest + "data\n\n"]) { _ in }
      #expect(lines.contains { $0.contains(Self.gap) } == isOver)
      #expect(lines.count { $0.contains("sse.event") } == (rest == "\n" ? 1 : 2))
      #expect(lines.contains { $0.contains(#""id":"e1""#) } == (field == "id:" && !isOver))
    }
  }

  @Test("Items of a compressed stream", arguments: [50, 51])
  func streamItems(count: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.ask)
    capture.send(
      socket, .server, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n")
    capture.send(socket, .server, Coded.gzip(Array(String(repeating: ":\n", count: count).utf8)))
    let lines = try Recording(capture) {
      $0.limits.streamItemAllowance = 50
      $0.limits.streamItemRatio = 0
    }.plain
    #expect(lines.count { $0.contains("sse.comment") } == 50)
    #expect(lines.contains { $0.contains(Self.gap) } == (count > 50))
  }

  @Test("Bytes of a message that may be an application's heartbeat", arguments: [1, 0])
  func beats(limit: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.upgrade(socket)
    capture.frame(socket, .server, 0x81, Array("2".utf8))
    let lines = try Recording(capture) {
      $0.beats = .engineIO
      $0.limits.beatBytes = limit
    }.plain
    #expect(lines.contains { $0.contains(#""beat":"ping""#) } == (limit == 1))
    #expect(lines.contains { $0.contains("ws.message") })
  }

  @Test("Channels that are asked whether they fell silent", arguments: [1, 0])
  func silentChannels(limit: Int) throws {
    var capture = CaptureBuilder()
    let old = capture.open()
    capture.upgrade(old)
    capture.ack(old, by: .client)
    capture.frame(old, .client, 0x89, [1])
    capture.upgrade(capture.open(at: capture.now + 5_000_000))
    let lines = try Recording(capture) { $0.limits.silentChannels = limit }.plain
    #expect(lines.contains { $0.contains(#""ch":"ws1","gen":2,"ev":"ws.open""#) } == (limit == 1))
    #expect(lines.contains { $0.contains(#""ch":"ws2","gen":1,"ev":"ws.open""#) } == (limit == 0))
  }
}
