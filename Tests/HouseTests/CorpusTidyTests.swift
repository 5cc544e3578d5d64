import Foundation
import Testing

/// Every scenario of the corpus is listed, described and whole.
@Suite struct CorpusTidyTests {
  private struct Listed: Decodable {
    var name: String
    var origin: String
    var purpose: String
    var machines: [String]
  }

  private static func index() throws -> [Listed] {
    try JSONDecoder().decode([Listed].self, from: Data(Repository.text("traces/index.json").utf8))
  }

  private static let folders = Repository.names("traces").filter {
    Repository.isFolder("traces/\($0)") && $0 != "schema"
  }

  @Test func thereAreScenarios() throws {
    let index = try Self.index()
    #expect(index.count >= 15)
    #expect(index.count { $0.origin == "recorded" } >= 9)
  }

  @Test func indexAndFoldersAgree() throws {
    #expect(try Self.index().map(\.name).sorted() == Self.folders)
  }

  @Test func aReadmeHasThreeLinesAndBeginsWithThePurpose() throws {
    for listed in try Self.index() {
      let lines = try Repository.text("traces/\(listed.name)/README.md").split(separator: "\n")
      #expect(lines.count == 3, "\(listed.name)")
      #expect(lines.first.map(String.init) == listed.purpose, "\(listed.name)")
    }
  }

  @Test func everyScenarioHasATraceAndGoldens() throws {
    for listed in try Self.index() {
      let names = Repository.names("traces/\(listed.name)")
      #expect(names.contains("trace.jsonl"), "\(listed.name)")
      for machine in listed.machines {
        let golden = names.contains { $0.hasPrefix("trace.\(machine).") && $0.hasSuffix("golden.jsonl") }
        #expect(golden, "\(listed.name) has no golden of \(machine)")
      }
      #expect(names.contains("capture.pcap") == (listed.origin == "recorded"), "\(listed.name)")
    }
  }

  @Test func nothingUnknownLiesThere() {
    let loose: Set<String> = [
      "README.md", "index.json", "goldwire.json", "goldwire.lock",
    ]
    let strays = Repository.files("traces").filter { path in
      if path.hasPrefix("traces/schema/") { return !path.hasSuffix(".schema.json") }
      let parts = path.split(separator: "/").dropFirst()
      guard let name = parts.last else { return false }
      if parts.count == 1 { return !loose.contains(String(name)) }
      let known = [
        "README.md", "scenario.json", "trace.jsonl", "capture.pcap", "goldwire.json", "goldwire.lock",
      ]
      return !known.contains(String(name)) && !name.hasSuffix(".golden.jsonl")
    }
    #expect(strays == [])
  }

  @Test func capturesAreSmall() throws {
    for path in Repository.files("traces") {
      let size = try Data(contentsOf: Repository.root.appending(path: path)).count
      #expect(size < 200_000, "\(path)")
    }
  }
}
