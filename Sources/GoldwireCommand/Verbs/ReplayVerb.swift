/// `goldwire replay`.
package struct ReplayVerb: Verb {
  package static let name = "replay"
  package static let summary = "feed a trace to a machine and print its actions"
  package static let flags: [Flag] = [.read, .write]
  package static let help = """
    usage: goldwire replay

    """

  package init(_ arguments: Arguments) throws(UsageError) {}

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    throw CommandError("'replay' is not available yet")
  }
}
