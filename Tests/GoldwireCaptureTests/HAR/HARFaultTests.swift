import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Broken, truncated and hostile files: one clear line, and never a trap.
@Suite struct HARFaultTests {
  private static let small = HARFixture.log([
    HARFixture.entry(
      "POST", "https://a.example/x", headers: [("Accept", "text/event-stream")], status: 200,
      response: [("Content-Type", "text/event-stream")], body: "ab", content: #"id: 1\ndata: \u00e9\n\n"#),
    HARFixture.entry(
      "GET", "wss://a.example/c", status: 101,
      extra: #","_webSocketMessages":[{"type":"send","time":1772368200.5,"opcode":2,"data":"AAE="}]"#),
  ])

  @Test func aFileThatIsCutAnywhereIsAnErrorWithItsPlace() throws {
    let bytes = Array(Self.small.utf8)
    for end in bytes.indices {
      let error = #expect(throws: TraceError.self) { try HARFixture(Array(bytes[..<end])) }
      #expect(error.map { $0.line == 1 && $0.column >= 1 && $0.column <= end + 1 } == true, "cut at \(end)")
    }
    #expect(try HARFixture(bytes).texts.count == 10)
  }

  @Test func damagedBytesNeverTrapAndTimeNeverGoesDown() throws {
    var random = SeededGenerator(seed: 31)
    let alphabet = Array(#"{}[]",:0123456789.-+eEtfnul\u\"#.utf8) + [0, 0x0A, 0x80, 0xFF]
    for _ in 0..<1_500 {
      var bytes = Array(Self.small.utf8)
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        case 1: bytes.remove(at: place)
        default: bytes.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
        }
      }
      guard let har = try? HARFixture(bytes) else { continue }
      #expect(zip(har.instants, har.instants.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(try TraceAudit.findings(in: har.bytes) == [])
    }
  }

  @Test func hugeAndOddNumbersAreHeldToWhatATraceCanHold() throws {
    for number in [
      "1e308", "-1e308", "9007199254740993", "999999999999999999999", "-5", "0.0000001", "1e-400",
    ] {
      let entry = Self.small
        .replacing(#""wait":10"#, with: #""wait":\#(number)"#).replacing(
          #""time":99"#, with: #""time":\#(number)"#
        )
        .replacing(#""bodySize":2"#, with: #""bodySize":\#(number)"#)
        .replacing(#""status":200"#, with: #""status":\#(number)"#)
        .replacing(#""time":1772368200.5"#, with: #""time":\#(number)"#)
      let har = try HARFixture(entry)
      #expect(zip(har.instants, har.instants.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(try Trace(bytes: har.bytes).lines.count == har.texts.count)
    }
  }

  struct Wrong: CustomTestStringConvertible {
    var text: String
    var line: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Wrong(text: "", line: "line 1, column 1: expected a value"),
    Wrong(text: "[]", line: "line 1, column 1: expected an object with the key \"log\": this is no HAR"),
    Wrong(text: "{}", line: "line 1, column 1: expected an object with the key \"log\": this is no HAR"),
    Wrong(
      text: "{\n \"log\": [2]}",
      line: "line 2, column 9: expected an object with the key \"entries\": this is no HAR"),
    Wrong(
      text: "{\"log\":{}}",
      line: "line 1, column 8: expected an object with the key \"entries\": this is no HAR"),
    Wrong(text: "{\"log\":{\"entries\":{}}}", line: "line 1, column 19: expected an array of entries"),
    Wrong(
      text: "{\"log\":{\"entries\":[{}]}}",
      line: "line 1, column 20: expected an entry: an object with startedDateTime and request"),
    Wrong(
      text: "{\"log\":{\"entries\":[{\"startedDateTime\":\"s3cret\"}]}}",
      line: "line 1, column 39: expected a date such as 2026-01-31T12:00:00.000Z"),
    Wrong(text: "{\"log\":{\"entries\":[]}} s3cret", line: "line 1, column 24: expected the end of the file"),
    Wrong(text: "{\"log\":{\"entries\":[],}}", line: "line 1, column 22: expected a key"),
  ])
  func anErrorNamesItsPlaceAndQuotesNothing(_ sample: Wrong) {
    let error = #expect(throws: TraceError.self) { try HARFixture(sample.text) }
    #expect(error?.description == sample.line)
  }

  @Test func everyLimitIsRefusedWithItsName() throws {
    func error(_ text: String = Self.small, _ change: (inout HARLimits) -> Void) -> String? {
      var limits = HARLimits()
      change(&limits)
      let error = #expect(throws: TraceError.self) { try HARFixture(Array(text.utf8), limits: limits) }
      return error?.message
    }
    #expect(error { $0.entries = 1 } == "expected at most 1 entries")
    #expect(error { $0.items = 0 } == "expected at most 0 messages and events")
    #expect(error { $0.stringBytes = 20 } == "expected a string of at most 20 bytes")
    let deep = String(repeating: "[", count: 2_000)
    #expect(error(#"{"x":"# + deep) { $0.depth = 1_024 } == "expected values nested at most 1024 deep")
  }

  @Test func manyHeadersAndLongValuesAreCutOff() throws {
    let many = (0..<200).map { _ in ("Retry-After", "1") }
    let long = String(repeating: "9", count: 100_000)
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry("GET", "https://a.example/" + long, status: 503, response: many),
        HARFixture.entry(
          "GET", "https://a.example/" + long, at: 900, status: 503, response: [("Retry-After", long)]),
      ]))
    #expect(har.lines[1].contains(#""retryAfter":1"#))
    #expect(har.lines.contains { $0.contains(#""try":2,"status":503,"retryBad":"over""#) })
  }

  @Test func headerValuesCannotMakeHeaders() throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry(
          "GET", "https://a.example/x HTTP/1.1\\r\\nAccept: text/event-stream\\r\\n", status: 503,
          response: [("Location", #"/y\r\nRetry-After: 9"#), ("Retry-After", #"2\n3"#)])
      ]))
    #expect(har.lines[0].contains("http.send"))
    // A line end parts the lines that a tool joined: these two do not agree.
    #expect(har.lines[1].contains(#""retryBad":"differ""#))
  }
}
