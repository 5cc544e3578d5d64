import GoldwireServer
import GoldwireTrace
import Testing

/// What a script may say, and what an error in it says.
@Suite struct FaultScriptTests {
  @Test(arguments: BuiltInScript.all.map(\.name)) func aBuiltInScriptIsRead(_ name: String) throws {
    let script = try #require(BuiltInScript.named(name))
    #expect(throws: Never.self) { try FaultScript(json: Array(script.text.utf8)) }
    #expect(script.summary.count <= 90)
  }

  @Test func timesAreScaled() throws {
    let text = #"{"script":1,"scale":0.01,"ends":{"after":"2s"},"rules":[]}"#
    #expect(try TestClient.script(text).ends.after == 20_000)
    #expect(try TestClient.script(text, scale: 2_000_000).ends.after == 4_000_000)
    #expect(
      try TestClient.script(#"{"script":1,"scale":0.001,"ends":{"after":"1us"},"rules":[]}"#).ends.after == 1)
  }

  @Test(arguments: [
    ("", 1, 1, "expected a value"), ("{}", 1, 1, "expected \"script\":1, the version of the language"),
    (#"{"script":2}"#, 1, 11, "expected a whole number from 1 to 1"),
    (#"{"script":1,"rule":[]}"#, 1, 13, "expected one of the keys script, seed,"),
    ("{\"script\":1,\n \"ends\":{\"after\":5}}", 2, 18, "expected a duration with a suffix"),
    (#"{"script":1,"rules":[{"path":"x","http":{}}]}"#, 1, 22, "expected a path that begins with /"),
    (#"{"script":1,"rules":[{"path":"/"}]}"#, 1, 22, "expected \"websocket\", \"http\" or \"events\""),
    (#"{"script":1,"rules":[{"websocket":{"steps":[{"at":"1s"}]}}]}"#, 1, 45, "expected one of send, ping"),
    (
      #"{"script":1,"rules":[{"websocket":{"steps":[{"at":"1s","beforePong":1,"ping":1}]}}]}"#, 1, 45,
      "expected one of at"
    ),
    (#"{"script":1,"rules":[{"websocket":{"pongs":["never"]}}]}"#, 1, 45, "expected \"answer\", \"drop\""),
    (#"{"script":1,"rules":[{"http":{"status":99}}]}"#, 1, 40, "expected a whole number from 200 to 599"),
    (
      #"{"script":1,"rules":[{"events":{"events":[{}]}}]}"#, 1, 43,
      "expected id, event, data, comment or retry"
    ),
    (
      #"{"script":1,"network":{"from":"2s","until":"1s"},"rules":[]}"#, 1, 23, "expected \"until\" not before"
    ),
    (#"{"script":1,"scale":0,"rules":[]}"#, 1, 21, "expected a number from 0.0001 to 1000"),
  ]) func anErrorNamesItsPlace(_ text: String, _ line: Int, _ column: Int, _ message: String) {
    do throws(TraceError) {
      _ = try FaultScript(json: Array(text.utf8))
      Issue.record("nothing was wrong")
    } catch {
      #expect((error.line, error.column) == (line, column))
      #expect(error.message.hasPrefix(message), "\(error.message)")
    }
  }
}
