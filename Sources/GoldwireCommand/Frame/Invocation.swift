/// A command line, understood.
package enum Invocation {
  /// A verb to run.
  case verb(any Verb)
  /// Text to print: help or the version.
  case text(String)

  /// Understands the words after `goldwire`; nothing is opened or looked at.
  package init(_ words: [String]) throws(UsageError) {
    guard let first = words.first else { throw UsageError("a verb is missing") }
    let rest = Array(words.dropFirst())
    switch first {
    case "--version", "-V": self = .text("goldwire \(GoldwireCommand.version)\n")
    case "--help", "-h": self = .text(Help.overview)
    case "--man":
      guard rest.isEmpty else { throw UsageError("'--man' takes nothing") }
      self = .text(ManualPage.text)
    case "--completions":
      guard rest.count == 1, let shell = Completions(rawValue: rest[0]) else {
        throw UsageError("'--completions' wants one of bash, zsh and fish")
      }
      self = .text(shell.script)
    case "help":
      guard rest.count <= 1 else { throw UsageError("'help' takes one verb") }
      self = .text(
        try rest.first.map { (name) throws(UsageError) in try Verbs.named(name).help } ?? Help.overview)
    default:
      if first.hasPrefix("-") {
        let near = Spelling.hint(first, among: ["--help", "--version", "--completions", "--man"])
        throw UsageError("'\(first)' stands before a verb" + near)
      }
      let verb = try Verbs.named(first)
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        self = .text(verb.help)
      } else {
        self = .verb(try verb.init(Arguments(rest, verb: verb.name, flags: verb.flags)))
      }
    }
  }
}
