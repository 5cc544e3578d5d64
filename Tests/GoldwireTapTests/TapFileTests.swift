import Foundation
import GoldwireTap
import GoldwireTrace
import Synchronization
import Testing

/// Recordings in files: private, readable at any instant, and no burden where nothing can be written.
@Suite struct TapFileTests {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/goldwire-tap-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test("whoever kills the app finds every line that was flushed", arguments: ["a.jsonl", "a.jsonl.gz"])
  func killed(name: String) throws {
    try inFolder { folder in
      let path = folder + "/" + name
      let tap = try Tap(writingTo: path)
      #expect(try Trace.load(path: path).lines.isEmpty)
      let connection = tap.socket().connect()
      for count in 1...20 {
        connection.message(.in, .text, bytes: count)
        tap.flush()
        // What is in the file now stays there, whatever becomes of the process.
        let trace = try Trace.load(path: path)
        #expect(trace.lines.count == count + 1)
        #expect(trace.isTorn == name.hasSuffix(".gz"))
      }
      tap.finish()
      let whole = try Trace.load(path: path)
      #expect(!whole.isTorn)
      #expect(whole.lines.last?.event == .recEnd(why: .stopped, counts: nil))
      #expect(try TraceAudit.findings(in: ByteInput(path: path)) == [])
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("a tap that goes away ends its trace")
  func goesAway() throws {
    try inFolder { folder in
      let path = folder + "/a.jsonl"
      do {
        let tap = try Tap(writingTo: path)
        tap.app(.background)
      }
      #expect(
        try Trace.load(path: path).lines.map(\.event) == [
          .appBackground, .recEnd(why: .stopped, counts: nil),
        ])
    }
  }

  @Test("a file that has reached its bound ends there, and says so")
  func bound() throws {
    let recording = try Recording(mostBytes: 2_000)
    let connection = recording.tap.socket().connect(at: at(0))
    for t in 1...100 { connection.tick(at: at(t)) }
    let lines = recording.finish(200)
    let last = try #require(try Trace(bytes: recording.bytes).lines.last)
    #expect(last.event == .recEnd(why: .limit, counts: nil))
    #expect(lines.count > 20)
    #expect(recording.bytes.count < 2_200)
  }

  @Test("an output that fails is no burden: the tap says so, and what was written stays whole")
  func fails() throws {
    let limit = 400
    let count = Written()
    let tap = try Tap(
      sendingTo: { (bytes) throws(FileError) in
        guard count.add(bytes.count) <= limit else { throw FileError(path: "a.jsonl", .write, code: 28) }
      }, clocks: Recording.begin)
    let connection = tap.socket().connect(at: at(0))
    for t in 1...100 {
      connection.tick(at: at(t))
      tap.drain(at: at(t))
    }
    tap.finish(at: at(200))
    #expect(tap.failure == FileError(path: "a.jsonl", .write, code: 28))
  }

  @Test func aFolderThatIsNotThereIsAnError() {
    #expect(throws: FileError.self) { try Tap(writingTo: "/proc/none/a.jsonl") }
  }

  @Test("with a clock of its own a tap reads no other")
  func ownClock() throws {
    try inFolder { folder in
      let path = folder + "/a.jsonl"
      let tap = try Tap(writingTo: path, startingAt: at(0))
      tap.app(.foreground, at: at(77))
      tap.flush()
      #expect(try Trace.load(path: path).lines.map(\.t) == [77])
      tap.finish()
      #expect(try Trace.load(path: path).horizon == 77)
    }
  }
}

/// A sum that a closure adds to.
private final class Written: Sendable {
  private let sum = Mutex(0)
  func add(_ count: Int) -> Int {
    sum.withLock {
      $0 += count
      return $0
    }
  }
}
