import Foundation
import Testing

@testable import GoldwireCommand

@Suite("What shells and man are given") struct ShellTests {
  /// What bash offers for a line whose last word is being typed.
  private static func offered(_ words: String...) throws -> [String] {
    let script = """
      eval "$1"; shift
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _goldwire
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["--norc", "-c", script, "bash", Completions.bash.script] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func bashCompletesVerbsAndFlags() throws {
    #expect(try Self.offered("goldwire", "re") == ["record", "replay"])
    #expect(try Self.offered("goldwire", "replay", "--ca") == ["--causal"])
    #expect(try Self.offered("goldwire", "help", "sw") == ["sweep"])
    #expect(try Self.offered("goldwire", "--completions", "z") == ["zsh"])
    // Files are the shell's own.
    #expect(try Self.offered("goldwire", "replay", "tr") == [])
    for verb in Verbs.all {
      let flags = (verb.flags + [.json, .help]).map { "--\($0.name)" }
      let offered = try Self.offered("goldwire", verb.name, "--")
      #expect(Set(offered) == Set(flags))
    }
  }

  @Test func everyFlagSaysWhatItDoes() {
    for verb in Verbs.all {
      for entry in FlagHelp.entries(of: verb) {
        #expect(!entry.text.isEmpty, "\(verb.name) --\(entry.flag.name)")
        #expect((entry.value == nil) == (entry.flag.argument != .value), "\(verb.name) --\(entry.flag.name)")
      }
    }
    let entries = FlagHelp.entries(of: RecordVerb.self)
    let read = entries.first { $0.flag.name == "read" }
    #expect(read?.value == "FILE" && read?.takesFile == true)
    #expect(read?.text == "a capture, pcap or pcapng, gzip or not")
    let port = FlagHelp.entries(of: ShowVerb.self).first { $0.flag.name == "model" }
    #expect(
      port?.text == "instead, print what causal replays infer of the peer and the path, and from which lines")
  }

  @Test(arguments: Completions.allCases) func everyVerbAndFlagIsThere(_ shell: Completions) {
    for verb in Verbs.all {
      #expect(shell.script.contains(verb.name))
      for flag in verb.flags {
        #expect(shell.script.contains(shell == .fish ? "-l \(flag.name)" : "--\(flag.name)"))
      }
    }
    for word in ["help", "version", "completions", "man"] {
      #expect(shell.script.contains(shell == .fish ? "__fish_use_subcommand -l \(word)" : " --\(word)"))
    }
    #expect(shell.script.contains("bash zsh fish") && shell.script.contains("help"))
    #expect(TestRun(["--completions", shell.rawValue]).output == shell.script)
  }

  @Test func noColonOfAValueEndsAFieldOfZsh() {
    #expect(Completions.zsh.script.contains(#"]:exec\:COMMAND:'"#))
    #expect(!Completions.zsh.script.contains(":exec:COMMAND"))
  }

  @Test(arguments: [(Completions.zsh, "/usr/bin/zsh"), (.fish, "/usr/bin/fish")])
  func itsShellReadsIt(_ shell: Completions, _ path: String) throws {
    guard FileManager.default.isExecutableFile(atPath: path) else { return }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-n", "/dev/stdin"]
    let pipe = Pipe()
    process.standardInput = pipe
    try process.run()
    try pipe.fileHandleForWriting.write(contentsOf: Data(shell.script.utf8))
    try pipe.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func theManualPageHoldsAllHelpAndNoRequest() {
    let text = ManualPage.text
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.hasPrefix(".TH GOLDWIRE 1 "))
    let requests = Set(
      text.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        .map { String($0.prefix { $0 != " " }) })
    #expect(requests.count == 8)
    #expect(requests == [".TH", ".SH", ".B", ".I", ".RI", ".PP", ".nf", ".fi"])
    for verb in Verbs.all { #expect(text.contains(".SH GOLDWIRE \(verb.name.uppercased())\n")) }
    #expect(text.contains("goldwire replay \\-\\-causal chat.jsonl \\-\\-set heartbeat.interval=25s"))
    #expect(TestRun(["--man"]).output == text)
  }

  @Test func otherWordsAreRefused() {
    #expect(TestRun(["--completions"]).errors.contains("wants one of bash, zsh and fish"))
    #expect(TestRun(["--completions", "tcsh"]).status == .failed)
    #expect(TestRun(["--man", "show"]).status == .failed)
  }
}
