import Foundation
import GoldwireTestSupport
import GoldwireTrace
import Testing

@testable import GoldwireCommand

/// Recordings that are bounded, and that go on in further files.
@Suite struct RecordRotationTests {
  /// A WebSocket that pings every 30 seconds, `count` times.
  private static func capture(pings count: Int) -> CaptureBuilder {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(
      socket, .client,
      "GET / HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    capture.send(
      socket, .server,
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
    for number in 1...count {
      capture.send(socket, .client, [0x89, 0x81, 0, 0, 0, 0, UInt8(number)], at: number * 30_000_000 + 5_000)
      capture.send(socket, .server, [0x8A, 0x01, UInt8(number)], at: number * 30_000_000 + 40_000)
    }
    capture.close(socket, at: count * 30_000_000 + 1_000_000)
    return capture
  }

  private func record(_ folder: RecordVerbTests.Folder, _ words: [String]) throws -> (TestRun, [String]) {
    let file = try folder.write(Self.capture(pings: 20).bytes, "a.pcap")
    let run = TestRun(
      ["record", "-r", file, "-w", folder.path + "/t.jsonl", "--in-force"]
        + ["heartbeat.interval=30s,heartbeat.timeout=5s,heartbeat.cadence=fixed"] + words)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (run, names.filter { $0.hasPrefix("t") }.sorted { ($0.count, $0) < ($1.count, $1) })
  }

  @Test(arguments: [["-C", "1K"], ["-G", "100s"], ["-G", "2m", "-C", "1K"]])
  func eachFileIsATraceThatReplays(_ words: [String]) throws {
    let folder = try RecordVerbTests.Folder()
    let (run, names) = try record(folder, words)
    #expect(run.status == .expected)
    #expect(names.count > 3)
    #expect(names.prefix(3) == ["t.jsonl", "t1.jsonl", "t2.jsonl"])
    #expect(run.errors.hasSuffix(" in \(names.count) files\n"))
    var pings: Set<Int> = []
    var headers: Set<String> = []
    for (index, name) in names.enumerated() {
      let path = folder.path + "/" + name
      let trace = try Trace.load(path: path)
      #expect(try TraceAudit.findings(in: AtomicFile.read(path)) == [])
      #expect(!trace.isTorn)
      guard case .recEnd(let why, _) = trace.lines.last?.event else {
        Issue.record("\(name) has no end")
        continue
      }
      #expect(why == (index == names.count - 1 ? .eof : .limit))
      for line in trace.lines { if case .wsPing(.out, let id?, _) = line.event { pings.insert(id) } }
      headers.insert(String(try folder.read(name).prefix { $0 != "\n" }))
      let conform = TestRun(["conform", path])
      // A file may hold too little to judge, but nothing that departs.
      #expect(
        [.expected, .inconclusive].contains(conform.status), "\(name): \(conform.output)\(conform.errors)")
    }
    #expect(pings == Set(1...20))
    #expect(headers.count == 1)
  }

  @Test("Where more must be told again than a file may hold, files grow, and not their number")
  func manyLivingConnections() throws {
    let folder = try RecordVerbTests.Folder()
    var capture = CaptureBuilder()
    let sockets = (0..<40).map { _ in capture.connection() }
    for socket in sockets {
      capture.connect(socket)
      capture.send(
        socket, .client, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
      capture.send(
        socket, .server, "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
      capture.send(socket, .client, [0x89, 0x81, 0, 0, 0, 0, 1])
    }
    for _ in 0..<20 { for socket in sockets { capture.send(socket, .server, [0x82, 0x01, 7]) } }
    let file = try folder.write(capture.bytes, "a.pcap")
    #expect(TestRun(["record", "-r", file, "-w", folder.path + "/one.jsonl"]).status == .expected)
    #expect(TestRun(["record", "-r", file, "-w", folder.path + "/t.jsonl", "-C", "1K"]).status == .expected)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("t") }
    let whole = try folder.read("one.jsonl").utf8.count
    let all = try names.reduce(0) { try $0 + folder.read($1).utf8.count }
    #expect(names.count > 1)
    #expect(all <= whole * 3, "\(names.count) files of \(all) bytes, not \(whole)")
  }

  @Test func aFileOfTimeEndsAtTheLastWholeStretch() throws {
    let folder = try RecordVerbTests.Folder()
    let (_, names) = try record(folder, ["-G", "100s"])
    #expect(names.count == 7)
    #expect(try folder.read("t.jsonl").hasSuffix("{\"t\":100000000,\"ev\":\"rec.end\",\"why\":\"limit\"}\n"))
  }

  @Test func aLargestSizeEndsTheRecording() throws {
    let folder = try RecordVerbTests.Folder()
    let (run, names) = try record(folder, ["--max-size", "1K"])
    #expect(run.status == .expected)
    #expect(names == ["t.jsonl"])
    let text = try folder.read("t.jsonl")
    #expect((1_024...1_400).contains(text.utf8.count))
    let trace = try Trace(bytes: Array(text.utf8))
    #expect(trace.lines.dropLast().last?.t == trace.lines.last?.t)
    #expect(text.split(separator: "\n").last?.contains(#""ev":"rec.end","why":"limit","counts""#) == true)
    #expect(TestRun(["conform", folder.path + "/t.jsonl"]).status == .expected)
  }

  @Test(
    arguments: [
      ("chat.jsonl", "chat3.jsonl"), ("a.b/chat.jsonl.gz", "a.b/chat3.jsonl.gz"), ("a.b/chat", "a.b/chat3"),
      (".hidden", ".hidden3"), ("x.gz", "x3.gz"), ("/a/b.c.jsonl", "/a/b.c3.jsonl"),
    ] as [(String, String)])
  func theNumberStandsBeforeTheSuffix(_ name: String, _ numbered: String) {
    #expect(RecordBounds.name(name, 3) == numbered)
    #expect(RecordBounds.name(name, 0) == name)
  }

  @Test(
    arguments: [("1", 1_000_000), ("3K", 3_072), ("3k", 3_072), ("2M", 2 << 20), ("1g", 1 << 30)]
      as [(String, Int)])
  func sizesAreThoseOfTcpdump(_ text: String, _ bytes: Int) throws {
    let verb = try RecordVerb(
      Arguments(["-r", "a", "-w", "b", "-C", text], verb: "record", flags: RecordVerb.flags))
    #expect(verb.bounds.fileBytes == bytes)
  }

  @Test(
    arguments: [
      (["-C", "0"], "wants a size"), (["-C", "1.5M"], "wants a size"), (["-C", "K"], "wants a size"),
      (["-C", "99999999999999999999"], "wants a size"), (["-C", "9999999999999G"], "wants a size"),
      (["-G", "60"], "has no unit; write 60s"), (["-G", "10ms"], "a second or more"),
      (["-w", "-", "-C", "1"], "name the first by '-w FILE'"), (["-G", "1s"], "name the first by '-w FILE'"),
      (["--max-size", "1"], "write one by '-w FILE'"), (["-B", "64"], "--buffer is for a live interface"),
    ] as [([String], String)])
  func wrongBoundsAreSaid(_ words: [String], _ message: String) {
    let needsFile = message.contains("-w FILE")
    let run = TestRun(["record", "-r", "a"] + (needsFile ? [] : ["-w", "b"]) + words)
    #expect(run.status == .failed)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func progressIsToldOnceASecond() {
    var progress = RecordProgress()
    var counts = Counts()
    counts.packets = 1
    #expect(progress.text(counts, events: 0, width: 80, at: 5_000_000) == nil)
    #expect(progress.clear() == nil)
    #expect(progress.text(counts, events: 0, width: 80, at: 5_999_999) == nil)
    counts.packets = 12
    counts.dropped = 3
    #expect(
      progress.text(counts, events: 7, width: 80, at: 6_000_000)
        == "\r\u{1B}[K12 packets, 0 connections, 7 events, 3 dropped")
    #expect(progress.text(counts, events: 7, width: 80, at: 6_000_001) == nil)
    #expect(progress.text(counts, events: 7, width: 11, at: 8_000_000) == "\r\u{1B}[K12 packets")
    #expect(
      progress.text(counts, events: 7, width: 80, at: 1)
        == "\r\u{1B}[K12 packets, 0 connections, 7 events, 3 dropped")
    #expect(progress.clear() == "\r\u{1B}[K")
    #expect(progress.clear() == nil)
  }
}
