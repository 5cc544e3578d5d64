import GoldwireTestSupport
import Testing

@testable import GoldwireTrace

/// What the reader refuses, what it reads over, and how it says so.
@Suite struct TraceReaderTests {
  static let header =
    "{\"goldwire\":1,\"tool\":\"goldwire 0.1.0\",\"source\":\"written\",\"unit\":\"ms\",\"clock\":\"virtual\",\"at\":\"client\"}\n"

  static func fault(_ text: String, limits: TraceLimits = TraceLimits()) -> TraceError? {
    do {
      _ = try Trace(bytes: Array(text.utf8), limits: limits)
      return nil
    } catch { return error as? TraceError }
  }

  struct Bad: CustomTestStringConvertible {
    var line: String
    var column: Int
    var message: String
    var testDescription: String { message + " in " + line }
    init(_ line: String, _ column: Int, _ message: String) {
      self.line = line
      self.column = column
      self.message = message
    }
  }

  static let bad: [Bad] = [
    Bad("", 1, "expected an object"),
    Bad("[]", 1, "expected an object"),
    Bad("{}", 1, "expected the key \"t\""),
    Bad("{\"t\":1}", 1, "expected the key \"ev\""),
    Bad("{\"t\":1,\"ev\":5}", 13, "expected for \"ev\" a string"),
    Bad(
      "{\"t\":-1,\"ev\":\"app.background\"}", 6,
      "expected for \"t\" a whole number from 0 to 9007199254740991"),
    Bad(
      "{\"t\":1.0,\"ev\":\"app.background\"}", 6,
      "expected for \"t\" a whole number from 0 to 9007199254740991"),
    Bad(
      "{\"t\":9007199254740992,\"ev\":\"app.background\"}", 6,
      "expected for \"t\" a whole number from 0 to 9007199254740991"),
    Bad("{\"t\":01,\"ev\":\"app.background\"}", 6, "expected a value"),
    Bad("{\"t\":1,\"t\":1,\"ev\":\"app.background\"}", 8, "expected each key once"),
    Bad("{\"t\":1,\"ev\":\"app.background\",\"x\":1,\"\\u0078\":2}", 36, "expected each key once"),
    Bad("{\"t\":1,\"ev\":\"app.background\"} {}", 31, "expected the end of the line"),
    Bad("{\"t\":1,\"ev\":\"app.background\",}", 30, "expected a key"),
    Bad("{\"t\":1 \"ev\":\"app.background\"}", 8, "expected a comma or the end of the object"),
    Bad(
      "{\"t\":1,\"ev\":\"app.background\",\"x\":\"\u{1}\"}", 35, "expected no control character in a string"),
    Bad("{\"t\":1,\"ev\":\"app.background\",\"x\":\"\\q\"}", 35, "expected a valid escape"),
    Bad("{\"t\":1,\"ev\":\"app.background\",\"x\":\"\\ud800\"}", 35, "expected a valid escape"),
    Bad("{\"t\":1,\"ev\":\"app.background\",\"x\":[1 2]}", 37, "expected a comma or the end of the array"),
    Bad("{\"t\":1,\"ev\":\"app.background\",\"x\":tru}", 34, "expected a value"),
    Bad("{\"t\":1,\"ev\":\"app.background\",\"x\":1.}", 36, "expected a digit"),
    Bad("{\"t\":1,\"ch\":\"ws1\",\"ev\":\"ws.connect\"}", 1, "expected the key \"gen\""),
    Bad("{\"t\":1,\"gen\":1,\"ev\":\"ws.connect\"}", 1, "expected the key \"ch\""),
    Bad(
      "{\"t\":1,\"ch\":\"ws0\",\"gen\":1,\"ev\":\"ws.connect\"}", 13,
      "expected for \"ch\" a channel as \"ws1\", \"http1\" or \"sse1\""),
    Bad(
      "{\"t\":1,\"ch\":\"sse1\",\"gen\":1,\"ev\":\"ws.connect\"}", 13,
      "expected for \"ch\" a channel as \"ws1\""),
    Bad(
      "{\"t\":1,\"ch\":\"ws1\",\"gen\":0,\"ev\":\"ws.connect\"}", 25,
      "expected for \"gen\" a whole number from 1 to 9007199254740991"),
    Bad(
      "{\"t\":1,\"ch\":\"ws1\",\"ev\":\"app.background\"}", 13,
      "expected for \"ch\" nothing: \"app.background\" has no channel"),
    Bad(
      "{\"t\":1,\"gen\":1,\"ev\":\"rec.gap\",\"why\":\"lost\"}", 14, "expected no \"gen\" without a channel"),
    Bad(
      "{\"t\":1,\"ch\":\"ws1\",\"gen\":1,\"ev\":\"ws.open\",\"status\":99}", 51,
      "expected for \"status\" a whole number from 100 to 599"),
    Bad(
      "{\"t\":1,\"ch\":\"ws1\",\"gen\":1,\"ev\":\"ws.open\",\"deflate\":1}", 52,
      "expected for \"deflate\" true or false"),
    Bad("{\"t\":1,\"ch\":\"ws1\",\"gen\":1,\"ev\":\"ws.ping\"}", 1, "expected the key \"dir\""),
    Bad(
      "{\"t\":1,\"ch\":\"ws1\",\"gen\":1,\"ev\":\"ws.pinged\",\"result\":\"maybe\"}", 53,
      "expected for \"result\" \"ok\", \"error\" or \"cancelled\""),
    Bad(
      "{\"t\":1,\"ch\":\"sse1\",\"gen\":1,\"ev\":\"sse.id\",\"id\":\"e0\"}", 47,
      "expected for \"id\" a pseudonym as \"e1\", or \"\""),
    Bad(
      "{\"t\":1,\"ch\":\"http1\",\"ev\":\"http.send\",\"req\":1,\"try\":1,\"method\":\"GET\",\"key\":\"\"}",
      75, "expected for \"key\" a pseudonym as \"k1\""),
    Bad(
      "{\"t\":1,\"ev\":\"rec.note\",\"note\":\"protocol\",\"rule\":\"rfc1-\"}", 49,
      "expected for \"rule\" an RFC and its section as \"rfc6455-5.5\""),
    Bad(
      "{\"t\":1,\"ev\":\"rec.end\",\"why\":\"eof\",\"counts\":{}}", 44,
      "expected the key \"packets\" in \"counts\""),
    Bad(
      "{\"t\":1,\"ev\":\"rec.end\",\"why\":\"eof\",\"counts\":{\"packets\":1,\"packets\":1}}", 57,
      "expected each key once"),
    Bad(
      "{\"t\":1,\"ch\":\"http1\",\"ev\":\"http.body\",\"req\":1,\"try\":1,\"dir\":\"in\",\"bytes\":1,\"differs\":[]}",
      86, "expected \"key\" or \"body\", each at most once"),
    Bad("{\"t\":0,\"ev\":\"app.background\"}", 6, "expected \"t\" not to go down"),
  ]

  @Test("a bad line is named by line, column and expectation", arguments: bad)
  func refuses(bad: Bad) {
    let text = Self.header + "{\"t\":1,\"ev\":\"app.foreground\"}\n" + bad.line + "\n"
    #expect(Self.fault(text) == TraceError(line: 3, column: bad.column, bad.message))
  }

  struct BadHeader: CustomTestStringConvertible {
    var text: String
    var error: TraceError
    var testDescription: String { error.description }
    init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
      self.text = text
      error = TraceError(line: line, column: column, message)
    }
  }

  static let badHeaders: [BadHeader] = [
    BadHeader("", 0, 0, "the trace is empty: expected a header line"),
    BadHeader("{\"goldwire\":1,\"to", 1, 0, "the trace is torn in its header: nothing can be read from it"),
    BadHeader("{\"t\":0,\"ev\":\"rec.tick\"}\n", 1, 1, "expected a trace's header with the key \"goldwire\""),
    BadHeader(
      header.replacing(":1,", with: ":2,"), 1, 13,
      "the trace was written by a newer goldwire: expected major version 1; update goldwire"),
    BadHeader(header.replacing("\"ms\"", with: "\"ns\""), 1, 65, "expected \"us\" or \"ms\""),
    BadHeader(header.replacing(",\"at\":\"client\"", with: ""), 1, 1, "expected the key \"at\""),
    BadHeader(
      header.replacing("goldwire 0.1.0", with: "se/cret"), 1, 22,
      "expected a tool and its version: 1 to 64 letters, digits, spaces, . - + or _"),
    BadHeader(
      header.replacing("\"client\"", with: "\"client\",\"blind\":[\"app\",\"app\"]"), 1, 117,
      "expected each kind once"),
  ]

  @Test("a header that is none is one clear error", arguments: badHeaders)
  func refusesHeader(bad: BadHeader) { #expect(Self.fault(bad.text) == bad.error) }

  @Test("unknown events are skipped and counted, unknown keys ignored and counted")
  func skips() throws {
    let text =
      Self.header.replacing("}\n", with: ",\"later\":{\"x\":[1]}}\n")
      + "{\"t\":1,\"ev\":\"app.background\"}\n{\"t\":2,\"ev\":\"new.thing\",\"x\":1}\n"
      + "{\"t\":3,\"ch\":\"ws1\",\"gen\":1,\"ev\":\"ws.ping\",\"dir\":\"out\",\"code\":1000,\"mood\":null}\n"
    let trace = try Trace(bytes: Array(text.utf8))
    #expect(trace.lines.map(\.t) == [1, 3])
    #expect(trace.lineNumber(at: 0) == 2)
    #expect(trace.lineNumber(at: 1) == 4)
    #expect(trace.skipped.events == 1)
    #expect(trace.skipped.keys == 3)
    #expect(trace.skipped.firstLine == 1)
  }

  @Test("limits are named")
  func limits() {
    let line = "{\"t\":1,\"ev\":\"app.background\",\"x\":\"" + String(repeating: "y", count: 300) + "\"}\n"
    #expect(
      Self.fault(Self.header + line, limits: TraceLimits(lineBytes: 300))
        == TraceError(line: 2, column: 301, "expected a line of at most 300 bytes"))
    let open = String(repeating: "[", count: 40), close = String(repeating: "]", count: 40)
    #expect(
      Self.fault(Self.header + "{\"t\":1,\"ev\":\"app.background\",\"x\":" + open + close + "}\n")
        == TraceError(line: 2, column: 65, "expected values nested at most 32 deep"))
    let two = "{\"t\":1,\"ev\":\"app.background\"}\n{\"t\":1,\"ev\":\"app.background\"}\n"
    #expect(
      Self.fault(Self.header + two, limits: TraceLimits(lines: 1))
        == TraceError(line: 3, "expected at most 1 lines"))
  }

  @Test("a last line without a line feed is read if it is whole, and is the end if it is torn")
  func lastLine() throws {
    let line = "{\"t\":1,\"ev\":\"app.background\"}"
    let whole = try Trace(bytes: Array((Self.header + line).utf8))
    #expect(whole.lines.count == 1 && !whole.isTorn)
    let torn = try Trace(bytes: Array((Self.header + line + "\n" + line.dropLast(3)).utf8))
    #expect(torn.lines.count == 1 && torn.isTorn && torn.horizon == 1)
    let wrong = Self.fault(Self.header + "{\"t\":1,\"ev\":\"app.network\",\"to\":\"moon\"}")
    #expect(wrong?.line == 2)
  }
}
