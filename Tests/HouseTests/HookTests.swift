import Foundation
import Testing

/// The pre-commit hook that CONTRIBUTING.md and the help of `audit` show, in a real repository.
@Suite struct HookTests {
  private static let clean = """
    {"goldwire":1,"tool":"goldwire 0.1.0","source":"written","unit":"ms","clock":"virtual","at":"client"}
    {"t":0,"ev":"app.background"}

    """
  private static let secret = clean.replacing("\"ev\":", with: "\"token\":\"Zq81x\",\"ev\":")
  private static let git = "git -c user.name=a -c user.email=a@example.com -c commit.gpgsign=false"

  /// The lines of the hook in a text, without what they are indented by.
  private static func hook(_ text: String) throws -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasSuffix("#!/bin/sh") })
    let indent = lines[start].prefix { $0 == " " }.count
    return lines[start...].prefix { $0.prefix(indent).allSatisfy { $0 == " " } && !$0.isEmpty }
      .map { $0.dropFirst(indent) + "\n" }.joined()
  }

  /// A repository with the hook, in which one clean trace is committed.
  private static func repository() throws -> Shell {
    var shell = try Shell()
    try FileManager.default.removeItem(at: shell.folder.appending(path: "traces"))
    try FileManager.default.removeItem(at: shell.folder.appending(path: "docs"))
    #expect(try shell.run("git init -q -b main . && mkdir -p traces/a other") == "")
    try write(hook(Repository.text("CONTRIBUTING.md")), ".git/hooks/pre-commit", shell)
    #expect(try shell.run("chmod +x .git/hooks/pre-commit") == "")
    try write(clean, "traces/a/trace.jsonl", shell)
    #expect(try shell.run("git add . && \(git) commit -q -m first && echo $?").hasSuffix("0\n"))
    return shell
  }

  private static func write(_ text: String, _ path: String, _ shell: Shell) throws {
    try Data(text.utf8).write(to: shell.folder.appending(path: path))
  }

  private static func commit(_ shell: inout Shell) throws -> (output: String, isDone: Bool) {
    let output = try shell.run("\(git) commit -q -m next")
    return (output, try shell.run("echo $?") == "0\n")
  }

  @Test func bothPlacesShowTheSameHook() throws {
    var shell = try Shell()
    defer { shell.remove() }
    let contributing = try Self.hook(Repository.text("CONTRIBUTING.md"))
    #expect(contributing.split(separator: "\n").count > 5)
    #expect(try Self.hook(shell.run("goldwire audit --help")) == contributing)
  }

  @Test func aStagedSecretIsRefusedThoughTheWorkingFileIsClean() throws {
    var shell = try Self.repository()
    defer { shell.remove() }
    for path in ["traces/a/trace.jsonl", "traces/a/new.jsonl"] {
      try Self.write(Self.secret, path, shell)
      #expect(try shell.run("git add \(path)") == "")
      try Self.write(Self.clean, path, shell)
      let refused = try Self.commit(&shell)
      #expect(!refused.isDone)
      #expect(refused.output.contains("\(path):2:"), "\(refused.output)")
      #expect(!refused.output.contains("Zq81x"))
      #expect(try shell.run("git reset -q") == "")
    }
  }

  @Test func aSecretThatIsNotStagedIsNoneOfTheCommits() throws {
    var shell = try Self.repository()
    defer { shell.remove() }
    try Self.write(Self.clean + "{\"t\":5,\"ev\":\"app.foreground\"}\n", "traces/a/trace.jsonl", shell)
    #expect(try shell.run("git add traces") == "")
    try Self.write(Self.secret, "traces/a/trace.jsonl", shell)
    #expect(try Self.commit(&shell).isDone)
  }

  @Test func deletionsAndForeignFilesPass() throws {
    var shell = try Self.repository()
    defer { shell.remove() }
    try Self.write(Self.clean, "traces/b c.jsonl", shell)
    try Self.write("{\"password\":\"x\"}\n", "other/rows.jsonl", shell)
    #expect(try shell.run("git add .") == "")
    #expect(try Self.commit(&shell).isDone)
    #expect(try shell.run("git rm -q -- 'traces/b c.jsonl'") == "")
    #expect(try Self.commit(&shell).isDone)
    #expect(try shell.run("git rm -q -r traces") == "")
    #expect(try Self.commit(&shell).isDone)
  }
}
