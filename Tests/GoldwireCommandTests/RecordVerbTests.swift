import Foundation
import GoldwireCommand
import GoldwireTestSupport
import Testing

/// `goldwire record`, on files.
@Suite struct RecordVerbTests {
  /// A folder that goes away with the test.
  final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/record-\(UInt64.random(in: 0 ... .max))"
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
      try Data(bytes).write(to: URL(filePath: path + "/" + name))
      return path + "/" + name
    }
    func read(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: path + "/" + name)), as: UTF8.self)
    }
  }

  static var exchange: CaptureBuilder {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(
      socket, .client, "GET /Zq81secret42Xw HTTP/1.1\r\nHost: 70421953.example\r\nCookie: 9182736455\r\n\r\n")
    capture.send(socket, .server, "HTTP/1.1 200 Fine\r\nContent-Length: 10\r\n\r\n5019283746")
    capture.close(socket)
    return capture
  }

  @Test func aFileBecomesAPrivateTrace() throws {
    let folder = try Folder()
    let file = try folder.write(Self.exchange.bytes, "a.pcap")
    let run = TestRun(
      ["record", "-r", file, "-w", folder.path + "/a.jsonl", "--in-force", "retry.count=3,retry.base=1s"])
    #expect(run.status == .expected)
    #expect(run.output.isEmpty)
    #expect(run.errors == "goldwire: recorded 8 packets, 1 connection, 1 channel, 4 events\n")
    let trace = try folder.read("a.jsonl")
    #expect(trace.contains(#""inForce":{"retry":{"base":"1s","count":3}},"inForceBy":"stated""#))
    #expect(trace.split(separator: "\n").count == 5)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/a.jsonl")[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    for secret in ["secret", "70421953", "91827364", "50192837", "Fine"] {
      #expect(!(trace + run.errors).contains(secret))
    }
  }

  @Test func whereAllIsEncryptedItSaysWhatToDo() throws {
    let folder = try Folder()
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(socket, .client, [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])
    capture.send(socket, .server, [0x16, 3, 3, 0, 5, 2, 0, 0, 1, 0])
    capture.close(socket)
    let file = try folder.write(capture.bytes, "a.pcap")
    let run = TestRun(["record", "-r", file, "-w", folder.path + "/a.jsonl"])
    #expect(run.status == .expected)
    let said =
      "goldwire: all of it is encrypted: record in the app with a tap, or import a HAR; see docs/recording.md\n"
    #expect(run.errors.hasSuffix(", 1 opaque\n" + said))
    // One connection that can be read, and the sentence would be wrong.
    let clear = capture.connection()
    capture.connect(clear)
    capture.send(clear, .client, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
    capture.close(clear)
    let mixed = try folder.write(capture.bytes, "b.pcap")
    #expect(!TestRun(["record", "-r", mixed, "-w", folder.path + "/b.jsonl"]).errors.contains("encrypted"))
  }

  @Test func aCaptureOfCutPacketsIsSaidToBeOne() throws {
    let folder = try Folder()
    var capture = CaptureBuilder()
    capture.snaplen = 60
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
    capture.close(socket)
    let file = try folder.write(capture.bytes, "a.pcap")
    let run = TestRun(["record", "-r", file, "-w", folder.path + "/a.jsonl"])
    #expect(run.status == .expected)
    #expect(
      run.errors.hasPrefix(
        "goldwire: warning: the capture cut packets short (snaplen), so bytes are missing in 1 place; capture"
      ))
    #expect(try folder.read("a.jsonl").contains(#""why":"snaplen""#))
  }

  @Test func standardOutputAndJSONAreTheSame() throws {
    let folder = try Folder()
    let file = try folder.write(Self.exchange.bytes, "a.pcap")
    let written = TestRun(["record", "-r", file, "-w", "-"])
    #expect(written.output.hasPrefix(#"{"goldwire":1,"#))
    #expect(TestRun(["record", "-r", file, "--json"]).output == written.output)
  }

  @Test func withoutATargetTheTimeLineIsDrawn() throws {
    let folder = try Folder()
    let file = try folder.write(Self.exchange.bytes, "a.pcap")
    let run = TestRun(["record", "-r", file])
    #expect(run.status == .expected)
    #expect(run.output.contains("http1") && !run.output.hasPrefix("{"))
    #expect(!(run.output + run.errors).contains("secret"))
  }

  @Test func aTornCaptureIsRecordedAndWarnedOf() throws {
    let folder = try Folder()
    let file = try folder.write(Array(Self.exchange.bytes.dropLast(9)), "torn.pcap")
    let run = TestRun(["record", "-r", file, "-w", "-"])
    #expect(run.status == .expected)
    #expect(run.errors.contains("torn.pcap: warning: torn at byte"))
    #expect(run.output.contains("rec.end"))
  }

  @Test func countAndFilterTakeLess() throws {
    let folder = try Folder()
    let file = try folder.write(Self.exchange.bytes, "a.pcap")
    let run = TestRun(["record", "-r", file, "-w", "-", "-c", "4"])
    #expect(run.output.contains(#""why":"limit","counts":{"packets":4,"#))
    #expect(TestRun(["record", "-r", file, "-w", "-", "tcp", "port", "9"]).output.contains(#""packets":0"#))
  }

  /// A call that fails with one line, and a word of that line.
  struct Failing: CustomTestStringConvertible, Sendable {
    let words: [String]
    let says: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Failing(words: [], says: "-r FILE"), Failing(words: ["-r", "a", "-i", "b"], says: "exclude"),
    Failing(words: ["-r", "/nowhere/a.pcap"], says: "no such file"),
    Failing(words: ["-r", "/dev/null"], says: "empty"),
    Failing(words: ["-r", "x", "--in-force", "heartbeat.interval=30"], says: "in-force"),
    Failing(
      words: ["-r", "x", "--in-force", "heartbeat.interval=1s,heartbeat.interval=2s"],
      says: "heartbeat.interval is given twice"),
    Failing(
      words: ["-r", "x", "--in-force", "retry.count=1", "--in-force", "retry.count=1"],
      says: "retry.count is given twice"),
    Failing(
      words: ["-r", "x", "--in-force", "heartbeat.interval=30s"],
      says: "--in-force: heartbeat.timeout is missing, and has no default"),
    Failing(words: ["-r", "x", "-c", "-1"], says: "--count wants a whole number of at least 1"),
    Failing(words: ["-r", "x", "--beats", "morse"], says: "beats"),
    Failing(words: ["-r", "x", "--duration", "3s"], says: "live"),
    Failing(words: ["-i", "x", "--duration", "3"], says: "unit"),
    Failing(words: ["-r", "/dev/null", "not", "a", "filter"], says: "filter"),
  ]) func mistakesAreOneLine(failing: Failing) {
    let run = TestRun(["record"] + failing.words)
    #expect(run.status == .failed)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(failing.says))
    #expect(run.errors.hasSuffix("\n") && run.errors.count { $0 == "\n" } == 1)
  }

  @Test(arguments: ["same", "symbolic", "hard"]) func theCaptureIsNotWrittenOver(_ kind: String) throws {
    let folder = try Folder()
    let bytes = Self.exchange.bytes
    let file = try folder.write(bytes, "a.pcap")
    let name = folder.path + "/" + (kind == "same" ? "a.pcap" : "link")
    if kind == "symbolic" {
      try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: file)
    }
    if kind == "hard" { try FileManager.default.linkItem(atPath: file, toPath: name) }
    let run = TestRun(["record", "-r", file, "-w", name])
    #expect(run.status == .failed)
    #expect(run.errors == "goldwire: \(name): cannot overwrite: it is the file that is read\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(bytes))
  }

  @Test func aFilterThatTookNothingIsSaid() throws {
    let folder = try Folder()
    let file = try folder.write(Self.exchange.bytes, "a.pcap")
    let plain = TestRun(["record", "-r", file, "-w", "-", "tcp port 9"])
    #expect(plain.status == .expected)
    #expect(plain.errors.hasPrefix("goldwire: \(file): the filter took 0 of 8 packets\ngoldwire: recorded"))
    var tagged = CaptureBuilder(link: .tagged([0x8100]))
    let socket = tagged.connection()
    tagged.connect(socket)
    let other = try folder.write(tagged.bytes, "b.pcap")
    let hint = "the filter took 0 of 3 packets; 3 carry a VLAN tag: try 'vlan and (tcp port 9)'"
    #expect(TestRun(["record", "-r", other, "-w", "-", "tcp port 9"]).errors.contains(hint))
    #expect(!TestRun(["record", "-r", other, "-w", "-"]).errors.contains("filter"))
  }

  @Test func whatIsNoCaptureLeavesTheTargetAlone() throws {
    let folder = try Folder()
    let file = try folder.write(Array("no capture, but 8675309 and such".utf8), "a.txt")
    let old = try folder.write([0x6F], "old.jsonl")
    let run = TestRun(["record", "-r", file, "-w", old])
    #expect(run.status == .failed)
    #expect(try folder.read("old.jsonl") == "o")
    #expect(!run.errors.contains("8675309"))
  }
}
