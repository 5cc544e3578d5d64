import GoldwireTrace
import Testing

/// The schema of the conversation with machines of another language, held against the page that explains it.
@Suite struct MachineSchemaTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  private func validator() throws -> SchemaValidator {
    SchemaValidator(root: try .parse(AtomicFile.read(Self.folder + "/traces/schema/machine.schema.json")))
  }

  @Test func theLinesOfThePaperAreValid() throws {
    let paper = String(decoding: try AtomicFile.read(Self.folder + "/docs/machines.md"), as: UTF8.self)
    var count = 0
    for span in paper.split(separator: "`") where span.hasPrefix("{\"") {
      count += 1
      #expect(try validator().fault(.parse(Array(span.utf8))) == nil, "\(span)")
    }
    #expect(count >= 10)
  }

  @Test(arguments: [
    "[]", #"{"goldwire":2}"#, #"{"goldwire":1,"machine":"toaster"}"#,
    #"{"new":0,"unit":"us","parameters":{}}"#,
    #"{"new":1,"unit":"s","parameters":{}}"#, #"{"to":1,"at":5}"#, #"{"do":[{"gen":1}]}"#,
    #"{"do":[{"do":"ping","t":1}]}"#, #"{"do":[{"do":"a long word of many"}]}"#, #"{"wake":"soon"}"#,
    #"{"wake":1.5}"#,
    #"{"do":[{"do":"commit","cursor":"5"}]}"#, #"{"more":1}"#,
  ])
  func whatIsNoLineIsRefused(_ text: String) throws {
    #expect(try validator().fault(.parse(Array(text.utf8))) != nil)
  }
}
