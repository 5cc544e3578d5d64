import Testing

/// The files that people read and run: they are there, and say what they must.
@Suite struct PaperTidyTests {
  @Test(arguments: [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", ".swift-format", ".ci/run",
    "docs/decisions/README.md",
  ])
  func isThere(_ path: String) throws { #expect(try !Repository.text(path).isEmpty) }

  @Test func toolsAreExecutable() throws {
    let scripts = try (Repository.files("tools") + [".ci/run"]).filter {
      try Repository.text($0).hasPrefix("#!")
    }
    #expect(scripts.count >= 5)
    #expect(scripts.filter { !Repository.isExecutable($0) } == [])
  }

  @Test func everyToolOfTheHouseIsAScript() throws {
    for name in ["setup", "demo", "test", "recipes/run", "fuzz/run", "fuzz/seeds"] {
      #expect(try Repository.text("tools/\(name)").hasPrefix("#!/usr/bin/env "), "\(name)")
    }
  }

  @Test func decisionsAreNumberedAndWhole() throws {
    let files = Repository.names("docs/decisions").filter { $0 != "README.md" }
    #expect(files.count >= 10)
    let index = try Repository.text("docs/decisions/README.md")
    for (number, file) in files.enumerated() {
      let digits = String(number + 1)
      let prefix = String(repeating: "0", count: 4 - digits.count) + digits + "-"
      #expect(file.hasPrefix(prefix), "\(file)")
      #expect(index.contains("(\(file))"), "\(file) is not listed")
      let text = try Repository.text("docs/decisions/\(file)")
      for section in ["## Context", "## Decision", "## Alternatives considered", "## Consequences"] {
        #expect(text.contains(section), "\(file) lacks \(section)")
      }
    }
  }

  @Test func theReadmeNamesItsTwoCommands() throws {
    let text = try Repository.text("README.md")
    #expect(text.contains("tools/demo"))
    #expect(text.contains("tools/test"))
  }

  @Test func ciRunsTheCommandOfTheReadme() throws {
    #expect(try Repository.text(".ci/run").contains("tools/test"))
  }
}
