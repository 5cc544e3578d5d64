/// `goldwire cut`.
package struct CutVerb: Verb {
  package static let name = "cut"
  package static let summary = "take channels and a span of time out of a trace"
  package static let flags: [Flag] = [.read, .write]
  package static let help = """
    usage: goldwire cut

    """

  package init(_ arguments: Arguments) throws(UsageError) {}

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    throw CommandError("'cut' is not available yet")
  }
}
