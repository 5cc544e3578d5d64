import Testing

@testable import GoldwireTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Files that a recording is written to while it goes on.
@Suite struct RecordingFileTests {
  @Test("a compressed recording that was synced and never finished is readable up to there")
  func synced() throws {
    let folder = try FileTests.Folder()
    let path = folder.path + "/a.jsonl.gz"
    var random = RandomTrace(seed: 11)
    let trace = random.trace(rounds: 1)
    var writer = TraceWriter(to: try ByteOutput(path: path))
    try writer.write(trace.header)
    for (index, line) in trace.lines.enumerated() {
      try writer.write(line)
      if index % 20 == 0 {
        try writer.sync()
        #expect(try Trace.load(path: path).lines == Array(trace.lines.prefix(index + 1)))
      }
    }
    try writer.finish()
    let whole = try Trace.load(path: path)
    #expect(whole.lines == trace.lines && !whole.isTorn)
  }

  @Test("syncing where nothing came adds nothing")
  func idleSync() throws {
    var gzip = try GzipWriter()
    var output: [UInt8] = []
    gzip.sync(to: &output)
    #expect(output.isEmpty)
    gzip.write(Array("a line\n".utf8).span, to: &output)
    gzip.sync(to: &output)
    let count = output.count
    gzip.sync(to: &output)
    #expect(output.count == count)
  }

  @Test("what is read is not written over by any name, and stays as it is", arguments: ["a", "soft", "hard"])
  func input(name: String) throws {
    let folder = try FileTests.Folder()
    let path = folder.path + "/a"
    try AtomicFile.write(Array("packets".utf8), to: path)
    unsafe chmod(path, 0o640)
    try #require(unsafe symlink("a", folder.path + "/soft") == 0)
    try #require(unsafe link(path, folder.path + "/hard") == 0)
    let input = try ByteInput(path: path)
    let target = folder.path + "/" + name
    #expect(throws: FileError(path: target, .overwrite, code: 0)) {
      try ByteOutput(path: target, apartFrom: input.identity)
    }
    #expect(try AtomicFile.read(path) == Array("packets".utf8))
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
    #expect(FileIdentity(reading: path) == FileIdentity(writing: target))
    #expect(
      "\(FileError(path: "a", .overwrite, code: 0))" == "cannot overwrite a: it is the file that is read")
  }

  @Test("another file is emptied, and devices have no identity")
  func others() throws {
    let folder = try FileTests.Folder()
    try AtomicFile.write(Array("packets".utf8), to: folder.path + "/a")
    try AtomicFile.write(Array("old".utf8), to: folder.path + "/b")
    _ = try ByteOutput(path: folder.path + "/b", apartFrom: FileIdentity(reading: folder.path + "/a"))
    #expect(try AtomicFile.read(folder.path + "/b") == [])
    #expect(FileIdentity(reading: "/dev/null") == nil)
    #expect(FileIdentity(reading: folder.path + "/none") == nil)
  }
}
