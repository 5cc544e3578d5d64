import Foundation
import GoldwireCommand
import Testing

@Suite struct AuditVerbTests {
  private static let header =
    #"{"goldwire":1,"tool":"goldwire 0.1.0","source":"written","unit":"ms","clock":"virtual","at":"client"}"#
  private static let traces = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces").path

  @Test func theCorpusIsClean() {
    let run = TestRun(["audit", Self.traces])
    #expect(run.status == .expected)
    #expect(run.output.hasSuffix(" files, 0 findings\n"))
    #expect(run.errors == "")
  }

  @Test func findingsHaveTheirPlaceAndAreNotQuoted() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "goldwire-audit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a.jsonl").path
    let text = Self.header + "\n{\"t\":1,\"ev\":\"app.background\",\"token\":\"s3cret\"}\n"
    try Data(text.utf8).write(to: URL(filePath: file))
    let run = TestRun(["audit", folder.path])
    #expect(run.status == .differs)
    #expect(run.output == "\(file):2:30: has a key or an event that the format does not have\n")
    #expect(run.errors == "goldwire: 1 file, 1 finding\n")
    let json = TestRun(["audit", "--json", file])
    #expect(json.status == .differs)
    #expect(
      json.output.hasSuffix(
        #","line":2,"column":30,"finding":"unknown"}"# + "\n" + #"{"files":1,"findings":1}"# + "\n"))
    let other = TestRun(["audit", file, folder.appending(path: "none.jsonl").path])
    #expect(other.status == .failed)
    #expect(other.errors.contains("none.jsonl: "))
  }

  @Test("a capture is one finding that says what it is", arguments: ["pcap", "reversed", "pcapng", "long"])
  func captures(_ kind: String) throws {
    let path = FileManager.default.temporaryDirectory.path + "/goldwire-audit-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let magic: [UInt8] =
      switch kind {
      case "pcap": [0xA1, 0xB2, 0x3C, 0x4D]
      case "pcapng": [0x0A, 0x0D, 0x0D, 0x0A]
      default: [0xD4, 0xC3, 0xB2, 0xA1]
      }
    // A first line that is longer than a trace's may be.
    let rest = [UInt8](repeating: 0x20, count: kind == "long" ? 200_000 : 40) + Array("\nx\ny\n".utf8)
    try Data(magic + rest).write(to: URL(filePath: path))
    let run = TestRun(["audit", path])
    #expect(run.status == .differs)
    #expect(run.output.hasPrefix("\(path):1:1: cannot be read: this is a capture of packets"))
    #expect(run.output.hasSuffix("goldwire record makes a trace of it\n"))
    #expect(run.output.split(separator: "\n").count == 1)
    try Data([magic[0], 0, 0, 0] + rest).write(to: URL(filePath: path))
    #expect(!TestRun(["audit", path]).output.contains("capture"))
  }

  @Test func aPoolThatNamesWhatIsNotThereIsSaid() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "goldwire.json")
    try Data(#"{"goldwire":1,"pools":{"prod":["days"]}}"#.utf8).write(to: file)
    let run = TestRun(["audit", file.path])
    #expect(run.status == .failed)
    #expect(
      run.errors.contains(
        "goldwire.json: the pool 'prod' names 'days', which is no trace and no folder; mend its paths"))
    try FileManager.default.createDirectory(
      at: folder.appending(path: "days"), withIntermediateDirectories: true)
    #expect(TestRun(["audit", file.path]).status == .expected)
  }

  @Test func nothingToLookAtIsNoSuccess() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "goldwire-audit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(TestRun(["audit", folder.path]).status == .failed)
    #expect(
      TestRun(["audit"]).errors == "goldwire: a file or a folder is missing; see `goldwire audit --help`\n")
  }
}
