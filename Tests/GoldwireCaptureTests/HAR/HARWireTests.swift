import GoldwireCapture
import GoldwireTrace
import Testing

/// Only what was on the wire is a request; browsers write more into a HAR than that.
@Suite struct HARWireTests {
  private static let again = HARFixture.entry("GET", "https://a.example/x", at: 1_500)
  private static let refused = HARFixture.entry(
    "GET", "https://a.example/x", status: 503, response: [("Retry-After", "1")])

  @Test(
    "Out of a cache, or from a service worker, nothing is sent",
    arguments: [
      #","_fromCache":"disk""#, #","_fromCache":"memory""#, #","_fetchType":"Disk Cache""#,
      #","_fetchType":"Memory Cache""#, #","_fetchedViaServiceWorker":true"#,
    ])
  func cached(extra: String) throws {
    let cached = HARFixture.entry("GET", "https://a.example/x", at: 1_500, extra: extra)
    let har = try HARFixture(HARFixture.log([Self.refused, cached], creator: "WebInspector"))
    #expect(har.unsent == 1)
    #expect(har.lines.map { $0.contains("http.send") } == [true, false])
  }

  @Test(
    "What the network answered is no cache's",
    arguments: [
      #","_fromCache":"""#, #","_fromCache":null"#, #","_fetchedViaServiceWorker":false"#,
      #","_fetchType":"Network Load""#,
    ])
  func network(extra: String) throws {
    let har = try HARFixture(HARFixture.log([HARFixture.entry("GET", "https://a.example/x", extra: extra)]))
    #expect(har.unsent == 0)
    #expect(har.lines.first?.contains("http.send") == true)
  }

  @Test("A request that the browser holds back is none; one that the network blocks is")
  func blocked() throws {
    func lines(_ error: String) throws -> [String] {
      try HARFixture(
        HARFixture.log([
          HARFixture.entry("GET", "https://a.example/x", status: 0, extra: #","_error":"\#(error)""#)
        ])
      ).lines
    }
    #expect(try lines("net::ERR_BLOCKED_BY_CLIENT") == [])
    #expect(try lines("net::ERR_BLOCKED_BY_ADMINISTRATOR") == [])
    #expect(try lines("net::ERR_BLOCKED_BY_RESPONSE").count == 2)
  }

  @Test("A redirect that the browser makes itself is no exchange with the server")
  func internalRedirect() throws {
    let inside = HARFixture.entry(
      "GET", "http://a.example/x", status: 307,
      response: [("Location", "https://a.example/x"), ("Non-Authoritative-Reason", "HSTS")])
    let har = try HARFixture(HARFixture.log([inside, Self.again], creator: "WebInspector"))
    #expect(har.unsent == 1)
    #expect(har.lines.filter { $0.contains("http.send") }.count == 1)
    #expect(!har.lines.contains { $0.contains("307") })
  }

  @Test("A request that is still under way has not failed, and what follows is no retry of it")
  func open() throws {
    let open = HARFixture.entry("GET", "https://a.example/x", receive: 0, status: 0)
    for (creator, sends, errors) in [("WebInspector", 2, 0), ("Firefox", 2, 1)] {
      let har = try HARFixture(HARFixture.log([open, Self.again], creator: creator))
      #expect(har.lines.filter { $0.contains("http.send") }.count == sends, "\(creator)")
      #expect(har.lines.filter { $0.contains("http.error") }.count == errors, "\(creator)")
      #expect(har.lines.contains { $0.contains(#""try":2"#) } == (errors > 0), "\(creator)")
    }
  }

  @Test("A WebSocket of which only a failure is told was never open")
  func socket() throws {
    for (text, cause) in [
      ("Error during WebSocket handshake: Unexpected response code: 403", "status"),
      ("Error in connection establishment: net::ERR_CONNECTION_REFUSED", "refused"), ("", "other"),
    ] {
      let entry = HARFixture.entry(
        "GET", "wss://a.example/chat", status: 0,
        extra: #","_resourceType":"websocket","_webSocketMessages":[{"type":"error","time":1772368200.2,"#
          + #""opcode":-1,"data":"\#(text)"}]"#)
      let har = try HARFixture(HARFixture.log([entry], creator: "WebInspector"))
      #expect(
        har.lines.map { $0.drop { $0 != "w" } } == [
          #"ws1","gen":1,"ev":"ws.connect""#, #"ws1","gen":1,"ev":"ws.refused","cause":"\#(cause)""#,
        ])
    }
  }
}
