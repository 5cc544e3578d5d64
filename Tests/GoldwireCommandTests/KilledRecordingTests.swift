import Foundation
import GoldwireCommand
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// What a recorder that is killed leaves: a trace that is readable up to its last whole line, at every cut.
@Suite struct KilledRecordingTests {
  private static let names = ["a.jsonl", "a.jsonl.gz"]

  /// A session of pings, a second apart.
  private static func pings(_ count: Int) -> CaptureBuilder {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(
      socket, .client,
      "GET /chat HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    capture.send(
      socket, .server,
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    for number in 0..<count {
      let byte = UInt8(number & 255)
      capture.send(socket, .client, [0x89, 0x81, 0, 0, 0, 0, byte], at: capture.now + 997_000)
      capture.send(socket, .server, [0x8A, 1, byte])
    }
    return capture
  }

  /// Reads a file as all verbs that read traces do; gives the events, or nil where it is refused.
  private static func read(_ path: String, to part: String) throws -> [TraceLine]? {
    let show = TestRun(["show", path])
    let audit = TestRun(["audit", path])
    let cut = TestRun(["cut", "-r", path, "-w", part, "--from", "0s"])
    if show.status == .failed {
      #expect(cut.status == .failed && audit.status == .differs)
      #expect(show.errors.split(separator: "\n").count == 1)
      return nil
    }
    #expect(show.status == .expected && cut.status == .expected)
    // What an audit finds is the torn end, and nothing else.
    let findings = audit.output.split(separator: "\n").filter { $0.hasPrefix(path) }
    let trace = try Trace.load(path: path)
    #expect(findings.isEmpty || audit.status == .differs)
    let places = Set(
      findings.compactMap { $0.dropFirst(path.count + 1).split(separator: ":").first.map(String.init) })
    #expect(
      places.isSubset(of: ["\(trace.lines.count + 1)", "\(trace.lines.count + 2)"]) && places.count <= 1)
    return trace.lines
  }

  @Test("Each prefix that a kill can leave is the trace up to there", arguments: names)
  func prefixes(name: String) throws {
    let folder = try RecordVerbTests.Folder()
    let file = try folder.write(Self.pings(150).bytes, "a.pcap")
    #expect(TestRun(["record", "-r", file, "-w", folder.path + "/" + name]).status == .expected)
    let path = folder.path + "/" + name
    let whole = try Trace.load(path: path).lines
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var random = SeededGenerator(seed: 17)
    var refused = 0
    var before = 0
    let cuts =
      (0..<60).map { _ in Int.random(in: 0...bytes.count, using: &random) } + [0, 1, 9, 10, bytes.count]
    for count in cuts.sorted() {
      let torn = try folder.write(Array(bytes.prefix(count)), "torn-" + name)
      guard let lines = try Self.read(torn, to: folder.path + "/part.jsonl") else {
        refused = count
        continue
      }
      #expect(lines == Array(whole.prefix(lines.count)))
      #expect(lines.count >= before)
      before = lines.count
    }
    #expect(before == whole.count)
    // Nothing can be read of a header that is torn, and of nothing else.
    #expect(refused < 300)
  }

  /// Records what is fed into a pipe with a name, reads there until enough is readable, and kills the recorder.
  private static func kill(
    _ fed: [UInt8], _ name: String, in folder: RecordVerbTests.Folder, when isEnough: (Trace) -> Bool
  ) throws -> Trace {
    let pipe = folder.path + "/" + name
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let command = try BuiltCommand(["record", "-r", "-", "-w", pipe])
    // Without its end, as if more were to come.
    try command.write(fed)
    let reader = try #require(FileHandle(forReadingAtPath: pipe))
    var bytes: [UInt8] = []
    while case let piece = reader.availableData, !piece.isEmpty {
      bytes += piece
      let left = try folder.write(bytes, "left-" + name)
      guard let trace = try? Trace.load(path: left), isEnough(trace) else { continue }
      command.signal(SIGKILL)
      #expect(try command.wait().status == -SIGKILL)
      #expect(try Self.read(left, to: folder.path + "/part.jsonl") == trace.lines)
      return trace
    }
    throw CocoaError(.fileReadUnknown)
  }

  @Test("The header is a trace before any event is written", arguments: names)
  func header(name: String) throws {
    let folder = try RecordVerbTests.Folder()
    let trace = try Self.kill(Array(Self.pings(1).bytes.prefix(100)), name, in: folder) { _ in true }
    #expect(trace.lines.isEmpty)
  }

  @Test(
    "What came by standard input is readable but for the last seconds, whatever the feeder's pace",
    arguments: names)
  func piped(name: String) throws {
    let folder = try RecordVerbTests.Folder()
    let trace = try Self.kill(Self.pings(100).bytes, name, in: folder) { $0.lines.last?.t ?? 0 > 97_000_000 }
    #expect(trace.lines.count >= 195)
  }

  @Test("Equal input by standard input is equal bytes, however it comes")
  func pieces() throws {
    let folder = try RecordVerbTests.Folder()
    let bytes = Self.pings(40).bytes
    var made: [Data] = []
    for size in [bytes.count, 1_000] {
      let path = folder.path + "/\(size).jsonl.gz"
      let command = try BuiltCommand(["record", "-r", "-", "-w", path])
      for start in stride(from: 0, to: bytes.count, by: size) {
        try command.write(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      try command.closeInput()
      #expect(try command.wait().status == 0)
      made.append(try Data(contentsOf: URL(filePath: path)))
    }
    #expect(made[0] == made[1])
  }
}
