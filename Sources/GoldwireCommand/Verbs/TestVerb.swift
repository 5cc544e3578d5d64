/// `goldwire test`.
package struct TestVerb: Verb {
  package static let name = "test"
  package static let summary = "hold a folder's traces against their golden files"
  package static let flags: [Flag] = [.read, .write]
  package static let help = """
    usage: goldwire test

    """

  package init(_ arguments: Arguments) throws(UsageError) {}

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    throw CommandError("'test' is not available yet")
  }
}
