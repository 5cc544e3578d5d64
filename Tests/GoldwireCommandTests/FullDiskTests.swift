import Foundation
import GoldwireCommand
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// A disk that is full: one line that says so, exit status 2, and what was written stays readable.
@Suite(.enabled(if: BuiltCommand.path != nil)) struct FullDiskTests {
  /// Runs the command where no file may be longer than so many blocks of 512 bytes; gives its status and what it says.
  private static func run(_ words: [String], blocks: Int, in folder: String) throws -> (Int32, String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", #"ulimit -f \#(blocks); exec "$0" "$@""#, BuiltCommand.path ?? ""] + words
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardError = errors
    process.standardOutput = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return (process.terminationStatus * (isSignal ? -1 : 1), String(decoding: said, as: UTF8.self))
  }

  /// Many small answers on one connection.
  private static var capture: CaptureBuilder {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    for number in 0..<2_000 {
      capture.send(socket, .client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
      capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
    }
    return capture
  }

  private static let har: String = {
    let entry =
      #"{"startedDateTime":"2026-01-31T12:00:00.000Z","time":1,"request":{"method":"GET","url":"http://a.example/","#
      + #""httpVersion":"HTTP/1.1","headers":[]},"response":{"status":200,"httpVersion":"HTTP/1.1","headers":[],"#
      + #""content":{"size":0}},"timings":{"send":0,"wait":1,"receive":0}}"#
    return #"{"log":{"entries":["# + Array(repeating: entry, count: 2_000).joined(separator: ",") + "]}}"
  }()

  struct Case: CustomTestStringConvertible {
    let words: [String]
    let file: String
    var testDescription: String { words.joined(separator: " ") }
  }

  static let cases = ["out.jsonl", "out.jsonl.gz"].flatMap { name in
    [
      Case(words: ["record", "-r", "in.pcap", "-w", name], file: name),
      Case(words: ["import", "har", "in.har", "-w", name], file: name),
      Case(words: ["cut", "-r", "in.jsonl", "-w", name, "--from", "0s"], file: name),
    ]
  }

  @Test(arguments: cases) func aTraceIsReadableUpToWhereTheDiskWasFull(_ test: Case) throws {
    let folder = try RecordVerbTests.Folder()
    let capture = try folder.write(Self.capture.bytes, "in.pcap")
    _ = try folder.write(Array(Self.har.utf8), "in.har")
    #expect(TestRun(["record", "-r", capture, "-w", folder.path + "/in.jsonl"]).status == .expected)
    let (status, said) = try Self.run(test.words, blocks: 4, in: folder.path)
    #expect(status == 2)
    #expect(said == "goldwire: \(test.file): cannot write: the file would be too large\n")
    let trace = try Trace.load(path: folder.path + "/" + test.file)
    #expect(trace.isTorn && trace.lines.count > (test.file.hasSuffix(".gz") ? 50 : 10))
  }

  @Test func ofRotatedFilesAllAreReadable() throws {
    let folder = try RecordVerbTests.Folder()
    _ = try folder.write(Self.capture.bytes, "in.pcap")
    // Each file is ended a little behind the size that was asked for, and here that is too far.
    let (status, said) = try Self.run(
      ["record", "-r", "in.pcap", "-w", "out.jsonl", "-C", "2k"], blocks: 4, in: folder.path)
    #expect(status == 2)
    #expect(said == "goldwire: out.jsonl: cannot write: the file would be too large\n")
    #expect(try Trace.load(path: folder.path + "/out.jsonl").lines.count > 10)
  }

  @Test func aGoldenThatFindsNoRoomStaysAsItWas() throws {
    let folder = try RecordVerbTests.Folder()
    var trace =
      #"{"goldwire":1,"tool":"goldwire 0.1.0","source":"written","unit":"ms","clock":"virtual","at":"client"}"#
      + "\n"
    for session in 1...40 {
      let t = session * 1_000
      trace += #"{"t":\#(t),"ch":"ws\#(session)","gen":1,"ev":"ws.connect"}"# + "\n"
      trace += #"{"t":\#(t),"ch":"ws\#(session)","gen":1,"ev":"ws.open","status":101}"# + "\n"
    }
    trace += #"{"t":90000,"ev":"rec.end","why":"written"}"# + "\n"
    _ = try folder.write(Array(trace.utf8), "trace.jsonl")
    let golden =
      #"{"golden":1,"trace":"trace.jsonl","machine":"heartbeat","parameters":{"interval":"5s","timeout":"1s"},"#
      + #""mode":"recorded","tick":"exact","unit":"ms"}"# + "\n" + #"{"t":1,"do":"end"}"# + "\n"
    _ = try folder.write(Array(golden.utf8), "trace.heartbeat.golden.jsonl")
    let (status, said) = try Self.run(
      ["test", "--update=outcome", "."], blocks: 1, in: folder.path)
    #expect(status == 2)
    #expect(said.contains("trace.heartbeat.golden.jsonl: the file would be too large"))
    #expect(try folder.read("trace.heartbeat.golden.jsonl") == golden)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }
}
