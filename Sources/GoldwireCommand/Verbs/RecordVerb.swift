/// `goldwire record`.
package struct RecordVerb: Verb {
  package static let name = "record"
  package static let summary = "make a trace of a capture file or of a live interface"
  package static let flags: [Flag] = [.read, .write]
  package static let help = """
    usage: goldwire record

    """

  package init(_ arguments: Arguments) throws(UsageError) {}

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    throw CommandError("'record' is not available yet")
  }
}
