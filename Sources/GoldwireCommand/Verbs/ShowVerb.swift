/// `goldwire show`.
package struct ShowVerb: Verb {
  package static let name = "show"
  package static let summary = "draw a trace as a time line"
  package static let flags: [Flag] = [.read, .write]
  package static let help = """
    usage: goldwire show

    """

  package init(_ arguments: Arguments) throws(UsageError) {}

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    throw CommandError("'show' is not available yet")
  }
}
