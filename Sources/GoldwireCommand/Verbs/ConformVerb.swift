/// `goldwire conform`.
package struct ConformVerb: Verb {
  package static let name = "conform"
  package static let summary = "hold a recorded client against the machine"
  package static let flags: [Flag] = [.read, .write]
  package static let help = """
    usage: goldwire conform

    """

  package init(_ arguments: Arguments) throws(UsageError) {}

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    throw CommandError("'conform' is not available yet")
  }
}
