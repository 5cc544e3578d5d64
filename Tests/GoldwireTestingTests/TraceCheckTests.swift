import Foundation
import GoldwireReplay
import GoldwireTesting
import GoldwireTrace
import Testing

@Suite struct TraceCheckTests {
  private static let corpus = "../../traces"

  @Test func aTraceIsHeldAgainstItsGoldenInOneLine() {
    let check = TraceCheck.goldens(Self.corpus + "/heartbeat-late-close/trace.jsonl")
    #expect(check.isSame, "\(check)")
  }

  @Test func aFolderOfTracesIsOneCall() {
    let check = TraceCheck.goldens(Self.corpus)
    #expect(check.isSame, "\(check)")
    #expect(check.description.contains("goldens: "))
  }

  @Test func aDifferenceIsToldInWords() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "goldwire-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: Self.corpus + "/heartbeat-late-close")
    for name in ["trace.jsonl", "trace.heartbeat.golden.jsonl"] {
      let text = try String(contentsOf: source.appending(path: name), encoding: .utf8)
      try text.replacing(#""interval":"30s""#, with: #""interval":"25s""#)
        .write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    let check = TraceCheck.goldens(folder.path)
    #expect(!check.isSame)
    #expect(check.status == .differs)
    #expect(check.description.contains("ping shifted by -5s"), "\(check)")
    #expect(check.description.contains("goldwire test --update"), "it says how to accept it")
  }

  @Test func whatIsNotThereIsNoPass() {
    #expect(!TraceCheck.goldens("no-such-folder").isSame)
    #expect(!TraceCheck.conformance("no-such-trace.jsonl", .retry).isSame)
  }

  @Test func aRecordedClientIsHeldAgainstItsMachine() {
    let path = Self.corpus + "/ws-late-close-of-old/trace.jsonl"
    let check = TraceCheck.conformance(path, .heartbeat)
    #expect(check.isSame, "\(check)")
  }
}
