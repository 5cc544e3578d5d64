/// One thing that the command does: `record`, `show`, `test`.
package protocol Verb: Sendable {
  /// The word that stands after `goldwire`.
  static var name: String { get }
  /// What it does, in one line of at most sixty characters.
  static var summary: String { get }
  /// The whole help, written by hand, with an example; it ends in a line end.
  static var help: String { get }
  /// What it understands besides `--help` and `--json`, which every verb has.
  static var flags: [Flag] { get }

  /// Reads its arguments; nothing is opened or looked at.
  init(_ arguments: Arguments) throws(UsageError)

  /// Does it: results go to standard output, everything else to standard error.
  ///
  /// An error that is thrown becomes one line on standard error and exit status 2.
  func run(_ console: Console) throws(CommandError) -> ExitStatus
}

/// The verbs, in the order in which help lists them.
package enum Verbs {
  /// All of them.
  package static let all: [any Verb.Type] = [
    RecordVerb.self, ImportVerb.self, CutVerb.self, ShowVerb.self, DiffVerb.self, TestVerb.self,
    AuditVerb.self,
    ReplayVerb.self, ConformVerb.self, SweepVerb.self, PerturbVerb.self, ServeVerb.self,
  ]

  /// The verb of that name.
  package static func named(_ name: String) throws(UsageError) -> any Verb.Type {
    if let found = all.first(where: { $0.name == name }) { return found }
    throw UsageError("no verb '\(name)'" + Spelling.hint(name, among: all.map { $0.name }))
  }
}
