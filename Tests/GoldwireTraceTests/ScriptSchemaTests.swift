import GoldwireServer
import GoldwireTrace
import Testing

/// The schema of the fault server's scripts, held against what its reader takes.
@Suite struct ScriptSchemaTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  private func validator() throws -> SchemaValidator {
    SchemaValidator(
      root: try .parse(AtomicFile.read(Self.folder + "/traces/schema/script.schema.json")))
  }

  @Test(arguments: BuiltInScript.all.map(\.name)) func aBuiltInScriptIsValid(_ name: String) throws {
    let script = try #require(BuiltInScript.named(name))
    #expect(try validator().fault(.parse(Array(script.text.utf8))) == nil)
  }

  @Test func theExamplesOfThePaperAreValid() throws {
    let paper = String(decoding: try AtomicFile.read(Self.folder + "/docs/server.md"), as: UTF8.self)
    for part in paper.split(separator: "```json\n").dropFirst() {
      let text = part.firstRange(of: "```").map { part[..<$0.lowerBound] } ?? part
      #expect(try validator().fault(.parse(Array(text.utf8))) == nil)
    }
  }

  /// What the reader refuses the schema refuses, and the other way round.
  @Test(arguments: [
    "{}", #"{"script":2}"#, #"{"script":1,"rule":[]}"#, #"{"script":1,"ends":{"after":5}}"#,
    #"{"script":1,"rules":[{"path":"x","http":{}}]}"#, #"{"script":1,"rules":[{"path":"/"}]}"#,
    #"{"script":1,"rules":[{"websocket":{"steps":[{"at":"1s"}]}}]}"#,
    #"{"script":1,"rules":[{"websocket":{"steps":[{"ping":1,"pong":1}]}}]}"#,
    #"{"script":1,"rules":[{"websocket":{"pongs":["never"]}}]}"#,
    #"{"script":1,"rules":[{"http":{"status":99}}]}"#,
    #"{"script":1,"rules":[{"events":{"events":[{}]}}]}"#, #"{"script":1,"rules":[{"events":{"body":1}}]}"#,
    #"{"script":1,"rules":[{"http":{"retryAfter":{"form":"imf"}}}]}"#,
    #"{"script":1,"rules":[{"websocket":{"idleLimit":{"kill":"reset"}}}]}"#,
    #"{"script":1,"accepts":"never"}"#,
  ]) func wrongScriptsAreWrongToBoth(_ text: String) throws {
    #expect(try validator().fault(.parse(Array(text.utf8))) != nil)
    #expect(throws: TraceError.self) { try FaultScript(json: Array(text.utf8)) }
  }
}
