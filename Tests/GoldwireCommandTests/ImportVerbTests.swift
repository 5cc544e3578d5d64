import Foundation
import GoldwireCommand
import GoldwireTrace
import Testing

@Suite struct ImportVerbTests {
  private static let har =
    #"{"log":{"entries":[{"startedDateTime":"2026-03-01T12:30:00.000Z","request":{"method":"GET","url":"https://a/s3cret"},"#
    + #""response":{"status":503,"headers":[{"name":"Retry-After","value":"1"}]},"timings":{"send":1,"wait":2,"receive":3}},"#
    + #"{"startedDateTime":"2026-03-01T12:30:01.500Z","request":{"method":"GET","url":"data:x"}}]}}"#

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "goldwire-import-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func aHARBecomesATrace() throws {
    try inFolder { folder in
      let (source, target) = (folder.appending(path: "a.har").path, folder.appending(path: "a.jsonl").path)
      try Data(Self.har.utf8).write(to: URL(filePath: source))
      let run = TestRun([
        "import", "har", source, "-w", target, "--in-force", "retry.count=3", "--at", "client", "--beats",
        "stomp",
      ])
      #expect(run.status == .expected)
      #expect(run.output == "")
      #expect(
        run.errors
          == "goldwire: imported 1 entry, 1 channel, 3 events, 1 ignored: neither HTTP nor WebSocket\n")
      let trace = try Trace.load(path: target)
      #expect(trace.lines.count == 3)
      #expect(trace.header.at == .client)
      #expect(trace.header.beats == .stomp)
      #expect(trace.header.inForceBy == .stated)
      #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o600)
      #expect(TestRun(["audit", target]).status == .expected)
      #expect(TestRun(["import", "har", source, "--json"]).output.hasPrefix(#"{"goldwire":1,"#))
      #expect(TestRun(["import", "har", source]).output.contains("GET"))
    }
  }

  @Test func aBrokenFileIsOneLineWithPlaceAndRemedyAndMakesNoTrace() throws {
    try inFolder { folder in
      let (source, target) = (folder.appending(path: "a.har").path, folder.appending(path: "a.jsonl").path)
      try Data(Self.har.utf8.prefix(100)).write(to: URL(filePath: source))
      let run = TestRun(["import", "har", source, "-w", target])
      #expect(run.status == .failed)
      #expect(run.output == "")
      #expect(
        run.errors
          == "goldwire: \(source):1:101: expected the end of the string; export the HAR again, whole and with content\n"
      )
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }

  @Test(
    arguments: [
      ([], "what to import? write 'har FILE'"),
      (["pcap", "x"], "'pcap' is no format that can be imported; write 'har FILE'"),
      (["har"], "the HAR's file is missing after 'har'"), (["har", "a", "b"], "'b' is one operand too many"),
      (["har", "a", "--at", "x"], "--at wants one of client, server, middle, unknown"),
    ] as [([String], String)])
  func wrongWords(_ words: [String], _ line: String) {
    let run = TestRun(["import"] + words)
    #expect(run.status == .failed)
    #expect(run.errors == "goldwire: \(line); see `goldwire import --help`\n")
  }

  @Test func aMissingFileIsNamed() {
    #expect(
      TestRun(["import", "har", "no/such.har"]).errors
        == "goldwire: no/such.har: cannot open: no such file or folder\n")
  }
}
