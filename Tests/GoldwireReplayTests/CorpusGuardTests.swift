import Foundation
import GoldwireReplay
import Testing

/// No golden and no trace of the corpus can go away unseen.
@Suite struct CorpusGuardTests {
  /// A copy of the corpus.
  private static func copy() throws -> Folder {
    let folder = try Folder()
    try folder.remove("")
    try FileManager.default.copyItem(atPath: CorpusConformanceTests.folder, toPath: folder.path)
    return folder
  }

  private static func files(_ folder: Folder, _ isWanted: (String) -> Bool) -> [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).filter(isWanted)
      .sorted()
  }

  /// The run over the scenario of a file that was taken away for its time.
  private static func run(without file: String, in folder: Folder) throws -> GoldwireReplay.TestRun {
    let (path, aside) = (folder.path + "/" + file, folder.path + "/aside")
    try FileManager.default.moveItem(atPath: path, toPath: aside)
    defer { try? FileManager.default.moveItem(atPath: aside, toPath: path) }
    return try folder.run(String(file.prefix { $0 != "/" }))
  }

  @Test func eachGoldenIsMissed() throws {
    let folder = try Self.copy()
    let goldens = Self.files(folder) { $0.hasSuffix(".golden.jsonl") }
    #expect(goldens.count >= 50)
    #expect(try folder.run().sums == "\(goldens.count) goldens: \(goldens.count) same")
    for golden in goldens {
      let run = try Self.run(without: golden, in: folder)
      #expect(run.status == .differs, "\(golden)")
      let missing = run.results.filter { $0.verdict == .missing }
      #expect(missing.map(\.golden) == [folder.path + "/" + golden])
    }
  }

  @Test func eachTraceIsMissed() throws {
    let folder = try Self.copy()
    let traces = Self.files(folder) { $0.hasSuffix("/trace.jsonl") }
    #expect(traces.count >= 40)
    for trace in traces {
      let run = try Self.run(without: trace, in: folder)
      #expect(run.status == .differs, "\(trace)")
      #expect(!run.results.isEmpty)
      #expect(run.results.allSatisfy { $0.verdict == .orphan && $0.trace == folder.path + "/" + trace })
    }
  }

  @Test func theLockKnowsEachGolden() throws {
    let folder = try Self.copy()
    let lock = try Lock(bytes: Array(folder.read("goldwire.lock").utf8))
    #expect(lock.entries.keys.sorted() == Self.files(folder) { $0.hasSuffix(".golden.jsonl") })
  }
}
