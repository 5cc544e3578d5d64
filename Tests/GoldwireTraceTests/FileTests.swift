import Testing

@testable import GoldwireTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Files: private recordings, whole replacements, faults that are errors.
@Suite struct FileTests {
  /// A folder that goes away with its last user.
  final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/goldwire-test-XXXXXX".utf8CString)
      let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
        unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
      }
      guard made else { throw TraceError("no temporary folder") }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      for name in CorpusTests.names(in: path) { unsafe unlink(path + "/" + name) }
      unsafe rmdir(path)
    }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private func write(_ trace: Trace, to path: String, _ flushing: TraceWriter.Flushing) throws {
    var writer = TraceWriter(to: try ByteOutput(path: path), flushing: flushing)
    try writer.write(trace.header)
    for line in trace.lines { try writer.write(line) }
    try writer.finish()
  }

  @Test(
    "a recording is private, is what was written, and replaces what was there",
    arguments: ["a.jsonl", "a.jsonl.gz"])
  func recording(name: String) throws {
    let folder = try Folder()
    let path = folder.path + "/" + name
    try AtomicFile.write([UInt8](repeating: 0x20, count: 100_000), to: path)
    var random = RandomTrace(seed: 1)
    let trace = random.trace()
    try write(trace, to: path, .whenFull)
    #expect(mode(path) == 0o600)
    let read = try Trace.load(path: path)
    #expect(read.header == trace.header && read.lines == trace.lines && !read.isTorn)
  }

  @Test("with each line flushed, a recorder that was killed leaves a readable trace")
  func killed() throws {
    let folder = try Folder()
    let path = folder.path + "/a.jsonl"
    var random = RandomTrace(seed: 2)
    let trace = random.trace(rounds: 1)
    let output = try ByteOutput(path: path)
    var writer = TraceWriter(to: output, flushing: .eachLine)
    try writer.write(trace.header)
    for (index, line) in trace.lines.enumerated() {
      try writer.write(line)
      if index % 10 == 0 { #expect(try Trace.load(path: path).lines.count == index + 1) }
    }
  }

  @Test("a large trace is loaded whole, whatever its first lines promise of the others")
  func large() throws {
    // First lines that are far longer, then far shorter than the rest, so that the room is guessed wrong.
    for (first, rest) in [(TraceLimits.number, 1), (1, TraceLimits.number)] {
      var trace = Trace(
        header: TraceHeader(
          tool: "goldwire 0.1.0", source: .written, unit: .us, clock: .virtual, at: .client), lines: [])
      for index in 0..<60_000 {
        let number = index < 5_000 ? first : rest
        trace.lines.append(
          TraceLine(
            t: index, channel: Channel(.ws, number), generation: number,
            event: .wsPing(dir: .out, id: number, bytes: number)))
      }
      #expect(try Trace(bytes: trace.bytes()) == trace)
    }
  }

  @Test("blocks are whole lines, and as many as fit")
  func blocks() throws {
    var blocks: [[UInt8]] = []
    var ends = 0
    var random = RandomTrace(seed: 4)
    let trace = random.trace(rounds: 100)
    var writer = TraceWriter(
      send: { (bytes) throws(FileError) in
        blocks.append(
          [UInt8](capacity: bytes.count) { for index in bytes.indices { $0.append(bytes[index]) } })
      }, end: { ends += 1 })
    try writer.write(trace.header)
    for line in trace.lines { try writer.write(line) }
    try writer.finish()
    #expect(ends == 1)
    #expect(blocks.count > 1)
    #expect(blocks.allSatisfy { $0.last == 0x0A && $0.count < TraceWriter.blockBytes + 1_000 })
    #expect(Array(blocks.joined()) == trace.bytes())
  }

  @Test("a full disk is an error in plain words")
  func fullDisk() throws {
    guard unsafe access("/dev/full", W_OK) == 0 else { return }
    var random = RandomTrace(seed: 5)
    let trace = random.trace()
    do {
      try write(trace, to: "/dev/full", .whenFull)
      Issue.record("nothing was thrown")
    } catch { #expect("\(error)" == "cannot write /dev/full: no space left") }
  }

  @Test("a pipe without a reader is an error, not the end")
  func brokenPipe() throws {
    let folder = try Folder()
    let path = folder.path + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    let output = try ByteOutput(path: path)
    close(reader)
    do {
      try output.write(Array("x".utf8).span)
      Issue.record("nothing was thrown")
    } catch { #expect(error.isBrokenPipe) }
  }

  @Test("a file that is replaced keeps its mode and its link, and leaves nothing beside it")
  func replaced() throws {
    let folder = try Folder()
    let path = folder.path + "/golden.jsonl"
    try AtomicFile.write(Array("one".utf8), to: path)
    unsafe chmod(path, 0o640)
    let link = folder.path + "/link"
    try #require(unsafe symlink("golden.jsonl", link) == 0)
    try AtomicFile.write(Array("two".utf8), to: link)
    #expect(try AtomicFile.read(path) == Array("two".utf8))
    #expect(mode(path) == 0o640)
    #expect(CorpusTests.names(in: folder.path).sorted() == ["golden.jsonl", "link"])
  }

  @Test("a link that leads nowhere yet stays, and what it leads to is made")
  func danglingLink() throws {
    let folder = try Folder()
    let link = folder.path + "/link"
    try #require(unsafe symlink("golden.jsonl", link) == 0)
    try AtomicFile.write(Array("one".utf8), to: link)
    #expect(try AtomicFile.read(folder.path + "/golden.jsonl") == Array("one".utf8))
    var status = stat()
    #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test("a device or a pipe is written to, never replaced")
  func notRegular() throws {
    let folder = try Folder()
    let path = folder.path + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try AtomicFile.write(Array("one".utf8), to: path)
    var status = stat()
    #expect(unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Int(read(reader, $0.baseAddress, $0.count)) }
    #expect(bytes.prefix(max(0, count)) == Array("one".utf8)[...])
    guard unsafe access("/dev/full", W_OK) == 0 else { return }
    let link = folder.path + "/full"
    try #require(unsafe symlink("/dev/full", link) == 0)
    do {
      try AtomicFile.write(Array("x".utf8), to: link)
      Issue.record("nothing was thrown")
    } catch { #expect("\(error)" == "cannot write \(link): no space left") }
    #expect(CorpusTests.names(in: folder.path).sorted() == ["full", "pipe"])
  }

  @Test("faults of the system are told in words")
  func faults() throws {
    let folder = try Folder()
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch { return "\(error)" }
    }
    let missing = folder.path + "/none/a.jsonl"
    #expect(message { _ = try Trace.load(path: missing) } == "cannot open \(missing): no such file or folder")
    #expect(
      message { try AtomicFile.write([], to: missing) } == "cannot replace \(missing): no such file or folder"
    )
    #expect(message { _ = try ByteOutput(path: missing) } == "cannot open \(missing): no such file or folder")
    #expect(message { _ = try Trace.load(path: folder.path) } == "cannot read \(folder.path): it is a folder")
    let big = folder.path + "/big"
    try AtomicFile.write([UInt8](repeating: 1, count: 100), to: big)
    #expect(
      message { _ = try AtomicFile.read(big, atMost: 99) }
        == "cannot read \(big): the file would be too large")
  }

  @Test("the zone and the locale change nothing")
  func environment() throws {
    var random = RandomTrace(seed: 6)
    let trace = random.trace()
    let bytes = trace.bytes()
    unsafe setlocale(LC_ALL, "de_DE.UTF-8")
    unsafe setenv("TZ", "Asia/Kathmandu", 1)
    defer {
      unsafe setlocale(LC_ALL, "C")
      unsafe unsetenv("TZ")
    }
    #expect(trace.bytes() == bytes)
    #expect(try Trace(bytes: bytes).lines == trace.lines)
    #expect(try JSONValue.parse(Array("1.5".utf8)).content == .decimal(1.5))
  }
}
