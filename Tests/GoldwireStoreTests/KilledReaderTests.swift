import Foundation
import GoldwireLive
import GoldwireServer
import GoldwireStore
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// A reader that is killed again and again: every event has exactly one effect, and every trace can be read.
///
/// `tools/endure stream` does it at length.
@Suite(.timeLimit(.minutes(1))) struct KilledReaderTests {
  /// Where the build put the reader that is made to be killed.
  private static let path: String? = {
    let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    let beside = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let usual = source.deletingLastPathComponent().appending(path: ".build/debug")
    return ([beside] + bundles + [usual]).map { $0.appending(path: "stream-endure").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  @Test func everyEventHasExactlyOneEffect() async throws {
    let folder = try Folder()
    let events = 300
    let script = #"{"script":1,"rules":[{"path":"/events","events":{"generate":{"count":\#(events)}}}]}"#
    let server = try FaultServer(script: FaultScript(json: Array(script.utf8)))
    let url = "http://127.0.0.1:\(server.port)/events"
    var random = SeededGenerator(seed: 11)
    var deaths = 0
    for life in 1...10 {
      let count = Int.random(in: 1...40, using: &random)
      let trace = folder.path(life.isMultiple(of: 2) ? "\(life).jsonl" : "\(life).jsonl.gz")
      let (wasKilled, told) = try await Self.run(
        [url, folder.path("a.db"), String(events), trace], killAfter: count)
      if wasKilled { deaths += 1 }
      try Self.expectReadable(trace, events: told, isWhole: !wasKilled)
    }
    #expect(deaths >= 5)
    #expect(
      try await Self.run([url, folder.path("a.db"), String(events)], killAfter: nil).wasKilled == false)
    await server.stop()
    let store = try SQLiteCursorStore(path: folder.path("a.db"), stream: "endure")
    let seen = try await store.database.transaction { try await $0.run("SELECT id FROM seen ORDER BY rowid") }
    #expect(seen == (1...events).map { [.text(String($0))] })
    #expect(try await store.load().cursor == Array(String(events).utf8))
  }

  /// Expects a trace of a tap whose process is gone to hold at least so many events, and nothing that it should not.
  private static func expectReadable(_ path: String, events: Int, isWhole: Bool) throws {
    let trace = try Trace.load(path: path)
    let count = trace.lines.count { line in
      guard case .sseEvent = line.event else { return false }
      return true
    }
    #expect(count >= events, "\(path)")
    #expect((trace.lines.last?.event == .recEnd(why: .stopped, counts: nil)) == isWhole)
    if isWhole { #expect(try TraceAudit.findings(in: ByteInput(path: path)) == []) }
  }

  /// Runs the reader, and kills it once it has told of so many events; whether it was, and of how many it told.
  private static func run(
    _ words: [String], killAfter count: Int?
  ) async throws -> (wasKilled: Bool, told: Int) {
    let process = Process()
    process.executableURL = URL(filePath: try #require(path, "stream-endure is not built"))
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // On a thread of its own, since it waits.
    let told = await withCheckedContinuation { continuation in
      DispatchQueue(label: "reader").async {
        var told = 0
        while case let bytes = output.fileHandleForReading.availableData.count, bytes > 0 {
          if let count, told < count, told + bytes >= count { kill(process.processIdentifier, SIGKILL) }
          told += bytes
        }
        process.waitUntilExit()
        continuation.resume(returning: told)
      }
    }
    return (process.terminationReason == .uncaughtSignal, told)
  }
}
