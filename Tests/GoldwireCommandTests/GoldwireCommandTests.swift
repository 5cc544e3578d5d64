import Foundation
import GoldwireCommand
import GoldwireTrace
import Testing

@Suite struct GoldwireCommandTests {
  @Test func theVersionIsOneLine() {
    let run = TestRun(["--version"])
    #expect(run.output == "goldwire \(GoldwireCommand.version)\n")
    #expect(run.status == .expected)
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]]) func helpIsPrinted(_ words: [String]) {
    let run = TestRun(words)
    #expect(run.status == .expected)
    #expect(run.errors == "")
    for verb in Verbs.all {
      #expect(run.output.contains("  \(verb.name) "), "\(verb.name)")
      #expect(run.output.contains(verb.summary), "\(verb.name)")
    }
  }

  @Test func everyVerbHasHelpWithAnExample() throws {
    for verb in Verbs.all {
      let run = TestRun([verb.name, "--help"])
      #expect(run.output == verb.help, "\(verb.name)")
      #expect(run.output == TestRun(["help", verb.name]).output, "\(verb.name)")
      #expect(verb.help.hasPrefix("usage: goldwire \(verb.name)"), "\(verb.name)")
      #expect(verb.help.contains("\nexample"), "\(verb.name)")
      #expect(verb.help.hasSuffix("\n") && !verb.help.hasSuffix("\n\n\n"), "\(verb.name)")
      #expect(verb.summary.count <= 60, "\(verb.name)")
      for flag in verb.flags + [.json] {
        #expect(verb.help.contains("--\(flag.name)"), "\(verb.name) does not explain --\(flag.name)")
      }
      for line in verb.help.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }

  /// Help is held by Tests/Drawings; run with GOLDWIRE_RECORD=1 to write it anew, and read the difference.
  @Test func helpIsAsItWas() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Drawings")
    for (name, words) in [("help", ["help"])] + Verbs.all.map({ ("help-\($0.name)", ["help", $0.name]) }) {
      let file = folder.appending(path: name + ".txt")
      let text = TestRun(words).output
      if ProcessInfo.processInfo.environment["GOLDWIRE_RECORD"] == "1" { try Data(text.utf8).write(to: file) }
      #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self), "\(name)")
    }
  }

  @Test func helpIsPrintedWhateverElseStandsThere() {
    #expect(TestRun(["show", "--bogus", "--help"]).output == TestRun(["show", "--help"]).output)
    #expect(TestRun(["show", "--", "--help"]).status == .failed)
  }

  struct Wrong: CustomTestStringConvertible {
    var words: [String]
    var line: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Wrong(words: [], line: "a verb is missing; see `goldwire --help`"),
    Wrong(words: ["shwo"], line: "no verb 'shwo'; did you mean 'show'?; see `goldwire --help`"),
    Wrong(words: ["help", "shwo"], line: "no verb 'shwo'; did you mean 'show'?; see `goldwire --help`"),
    Wrong(words: ["help", "show", "cut"], line: "'help' takes one verb; see `goldwire --help`"),
    Wrong(
      words: ["--hlep"], line: "'--hlep' stands before a verb; did you mean '--help'?; see `goldwire --help`"),
    Wrong(
      words: ["show", "--chanel=ws1", "a"],
      line: "unknown flag '--chanel'; did you mean '--channel'?; see `goldwire show --help`"),
  ])
  func aWrongLineIsOneLineAndStatusTwo(_ wrong: Wrong) {
    let run = TestRun(wrong.words)
    #expect(run.status == .failed)
    #expect(run.output == "")
    #expect(run.errors == "goldwire: \(wrong.line)\n")
  }

  @Test func aMissingFileIsNamedWithTheRemedy() {
    let run = TestRun(["show", "no/such/file.jsonl"])
    #expect(run.errors == "goldwire: no/such/file.jsonl: cannot open: no such file or folder\n")
    #expect(run.status == .failed)
  }

  @Test(arguments: ["-", "standard output"]) func aClosedPipeIsSaidInOneLine(_ name: String) {
    let errors = Collected()
    let console = Console(
      output: Output { _ throws(FileError) in throw FileError(path: name, .write, code: 32) },
      errors: errors.output())
    #expect(GoldwireCommand.run(["--help"], console) == .failed)
    #expect(errors.text == "goldwire: standard output: cannot write: the reader has gone\n")
  }

  @Test func aFullDiskIsSaid() {
    let errors = Collected()
    let console = Console(
      output: Output { _ throws(FileError) in throw FileError(path: "standard output", .write, code: 28) },
      errors: errors.output())
    #expect(GoldwireCommand.run(["--help"], console) == .failed)
    #expect(errors.text == "goldwire: standard output: cannot write: no space left\n")
  }

  @Test func theWorseStatusWins() {
    let all: [CommandStatus] = [.failed, .differs, .inconclusive, .expected]
    for (index, left) in all.enumerated() {
      for right in all[index...] {
        #expect(left.and(right) == left)
        #expect(right.and(left) == left)
      }
    }
  }

  @Test func colourIsForTerminalsThatWantIt() {
    func hasColor(_ environment: [String: String], isTerminal: Bool = true) -> Bool {
      let none = Collected().output()
      return Console(output: none, errors: none, environment: environment, isTerminal: isTerminal).hasColor
    }
    #expect(hasColor(["TERM": "xterm"]))
    #expect(hasColor(["NO_COLOR": ""]))
    #expect(!hasColor(["NO_COLOR": "1"]))
    #expect(!hasColor(["TERM": "dumb"]))
    #expect(!hasColor([:], isTerminal: false))
  }
}
