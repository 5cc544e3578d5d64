@testable import GoldwireCapture
import GoldwireTrace
import Testing

/// What becomes of a HAR's entries: order, tries, hops, bodies, failures.
@Suite struct HARImportTests {
  @Test func aRequestIsSentAnsweredAndReceived() throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry(
          "POST", "https://a.example/p?q=1", headers: [("Content-Length", "3"), ("Idempotency-Key", "x")],
          response: [("Date", "Sun, 01 Mar 2026 12:30:01 GMT"), ("age", "7"), ("Content-Type", "text/html")],
          body: "abc", size: 9)
      ]))
    #expect(
      har.lines == [
        #""t":0,"ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"POST","key":"k1","bytes":3"#,
        #""t":1000,"ch":"http1","gen":1,"ev":"http.body","req":1,"try":1,"dir":"out","bytes":3,"done":true"#,
        #""t":11000,"ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":200,"date":45001,"age":7,"type":"other""#,
        #""t":16000,"ch":"http1","gen":1,"ev":"http.body","req":1,"try":1,"dir":"in","bytes":9,"done":true"#,
      ])
    #expect(
      har.header
        == #"{"goldwire":1,"tool":"goldwire 0.0.0","source":"har","unit":"us","clock":"wall","grain":1000,"#
        + #""wall":45000000000,"at":"unknown","blind":["ws.ping","ws.pong","ws.close","ws.end","app","handler","tick","unit"]}"#
    )
    #expect(har.texts.last == #"{"t":16000,"ev":"rec.end","why":"eof"}"#)
  }

  @Test func entriesOutOfOrderAreOrderedByTheirOwnInstants() throws {
    let entries = [
      HARFixture.entry("GET", "https://a.example/b", at: 5, wait: 2),
      HARFixture.entry("GET", "https://a.example/a", at: 0, wait: 20),
      HARFixture.entry("GET", "https://b.example/c", at: 3, wait: 50),
    ]
    let har = try HARFixture(HARFixture.log(entries))
    #expect(har.instants == [0, 3_000, 5_000, 8_000, 21_000, 54_000, 59_000])
    #expect(har.lines[3].contains(#""req":2"#))
    #expect(har.lines[1].contains("http2"))
    for order in [[1, 0, 2], [2, 1, 0], [0, 2, 1]] {
      let other = try HARFixture(HARFixture.log(order.map { entries[$0] }))
      #expect(other.texts == har.texts)
    }
  }

  @Test func theSameRequestAfterA503IsItsNextTry() throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry("GET", "https://a.example/x", at: 0, status: 503, response: [("Retry-After", "2")]),
        HARFixture.entry("GET", "https://a.example/y", at: 100, status: 200),
        HARFixture.entry("GET", "https://A.example:443/x", at: 2_100, status: 429),
        HARFixture.entry("GET", "https://a.example/x", at: 60_000, status: 200),
      ]))
    let sends = har.lines.filter { $0.contains("http.send") }
    let numbers = [#""req":1,"try":1,"#, #""req":2,"try":1,"#, #""req":1,"try":2,"#, #""req":3,"try":1,"#]
    #expect(zip(sends, numbers).allSatisfy { $0.contains($1) })
    #expect(sends.count == numbers.count)
    #expect(har.lines.contains { $0.contains(#""status":503,"retryAfter":2"#) })
  }

  @Test func aBodyThatDiffersFromTheFirstTryIsSaid() throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry("POST", "http://a.example/x", at: 0, status: 503, body: "abc"),
        HARFixture.entry("POST", "http://a.example/x", at: 1_000, status: 503, body: "abc"),
        HARFixture.entry("POST", "http://a.example/x", at: 2_000, status: 200, body: "abd"),
      ]))
    let bodies = har.lines.filter { $0.contains(#""dir":"out""#) }
    #expect(bodies.map { $0.contains("differs") } == [false, false, true])
    #expect(har.lines.contains { $0.contains(#""try":3"#) })
  }

  @Test(
    arguments: [
      (location: "/y", isHop: true), (location: "https://a.example/y", isHop: true),
      (location: "y", isHop: true),
      (location: "https://b.example/y", isHop: false), (location: "http://a.example/y", isHop: false),
    ] as [(location: String, isHop: Bool)])
  func aRedirectWithinTheOriginIsAHop(_ sample: (location: String, isHop: Bool)) throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry(
          "GET", "https://a.example/x", at: 0, status: 302, response: [("location", sample.location)]),
        // The begin is written in whole ms: it stands before the response that led to it.
        HARFixture.entry("GET", "https://a.example/y", at: 11),
      ]))
    let sends = har.lines.filter { $0.contains("http.send") }
    #expect(sends.count == 2)
    #expect(sends.last?.contains(#""req":1,"try":1,"hop":1"#) == sample.isHop)
  }

  @Test func aBeginWithinAGrainOfItsCauseComesAfterIt() throws {
    let first = HARFixture.entry("GET", "https://a.example/x", status: 503).replacing(
      #""send":1"#, with: #""send":1.75"#)
    let har = try HARFixture(
      HARFixture.log([HARFixture.entry("GET", "https://a.example/x", at: 11), first]))
    #expect(har.instants.prefix(3) == [0, 11_750, 11_750])
    #expect(har.lines[1].contains("503"))
    #expect(har.lines[2].contains(#""try":2"#))
  }

  struct Failed: CustomTestStringConvertible {
    var words: String
    var event: String
    var testDescription: String { words }
  }

  @Test(arguments: [
    Failed(
      words: "net::ERR_CONNECTION_REFUSED", event: #""ev":"http.error","req":1,"try":1,"cause":"refused""#),
    Failed(words: "NS_ERROR_UNKNOWN_HOST", event: #""ev":"http.error","req":1,"try":1,"cause":"dns""#),
    Failed(words: "net::ERR_CERT_DATE_INVALID", event: #""ev":"http.error","req":1,"try":1,"cause":"tls""#),
    Failed(words: "net::ERR_TIMED_OUT", event: #""ev":"http.error","req":1,"try":1,"cause":"timeout""#),
    Failed(words: "server closed connection", event: #""ev":"http.error","req":1,"try":1,"cause":"fin""#),
    Failed(
      words: "net::ERR_INTERNET_DISCONNECTED", event: #""ev":"http.error","req":1,"try":1,"cause":"unreach""#),
    Failed(words: "hunter2", event: #""ev":"http.error","req":1,"try":1,"cause":"other""#),
    Failed(words: "net::ERR_ABORTED", event: #""ev":"http.cancel","req":1"#),
  ])
  func aFailureHasItsCause(_ sample: Failed) throws {
    for place in [#","_error":"\#(sample.words)""#, ""] {
      var entry = HARFixture.entry("GET", "https://a.example/x", wait: 30, status: 0, extra: place)
      if place.isEmpty {
        entry = entry.replacing(#""status":0"#, with: #""status":0,"_error":"\#(sample.words)""#)
      }
      let har = try HARFixture(HARFixture.log([entry]))
      #expect(har.lines.last == #""t":36000,"ch":"http1","gen":1,"# + sample.event)
    }
  }

  @Test func aBodyThatBrokeOffIsNotDone() throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry(
          "GET", "https://a.example/x", size: 4, extra: #","_error":"net::ERR_CONNECTION_RESET""#)
      ]))
    #expect(har.lines.suffix(2).map { $0.contains(#""done":true"#) } == [false, false])
    #expect(har.lines.last?.hasSuffix(#""cause":"reset","sent":true"#) == true)
  }

  @Test func whatIsNeitherHTTPNorWebSocketIsPassedOver() throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry("GET", "data:text/plain,secret"),
        HARFixture.entry("GET", "chrome-extension://abc/x"),
        HARFixture.entry("GET", "blob:https://a.example/1"), HARFixture.entry("GET", "about:blank"),
      ]))
    #expect(har.ignored == 4)
    #expect(har.texts == [#"{"t":0,"ev":"rec.end","why":"eof"}"#])
  }

  @Test func anUnusualStatusIsLeftOutAndNoted() throws {
    let har = try HARFixture(HARFixture.log([HARFixture.entry("GET", "https://a.example/x", status: 999)]))
    #expect(har.lines[1].hasSuffix(#""ev":"http.response","req":1,"try":1"#))
    #expect(har.lines[2].hasSuffix(#""ev":"rec.note","note":"statusOut""#))
  }

  @Test func splittingMakesEachConnectionAChannel() throws {
    let har = try HARFixture(
      HARFixture.log([
        HARFixture.entry("GET", "https://a.example/x", at: 0, extra: #","connection":"17""#),
        HARFixture.entry("GET", "https://a.example/x", at: 100, extra: #","connection":"18""#),
        HARFixture.entry("GET", "https://a.example/x", at: 200, extra: #","connection":"17""#),
      ])
    ) { $0.splits = true }
    let channels = har.lines.filter { $0.contains("send") }.map { $0.split(separator: "\"")[4] }
    #expect(channels == ["http1", "http2", "http1"])
  }

  @Test func moreChannelsThanAllowedAreAGap() throws {
    let har = try HARFixture(
      HARFixture.log((0..<4).map { HARFixture.entry("GET", "https://a\($0).example/x", at: $0) })
    ) { $0.limits.channels = 2 }
    #expect(har.lines.filter { $0.contains(#""ev":"rec.gap","why":"limit""#) }.count == 1)
    #expect(!har.texts.contains { $0.contains("http3") })
  }

  @Test func equalInputIsEqualBytesWhateverTheSeed() throws {
    let text = HARFixture.log([
      HARFixture.entry("GET", "https://a.example/x", status: 503),
      HARFixture.entry("GET", "https://a.example/x", at: 900),
    ])
    #expect(try HARFixture(text).bytes == HARFixture(text) { $0.seed = 99 }.bytes)
  }
}
