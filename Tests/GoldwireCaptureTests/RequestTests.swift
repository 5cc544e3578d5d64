import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Requests, responses, tries, hops.
@Suite struct RequestTests {
  private static let get = "GET /a?x=1 HTTP/1.1\r\nHost: a.example\r\n\r\n"
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
  private static let busy = "HTTP/1.1 503 No\r\nRetry-After: 40\r\nContent-Length: 0\r\n\r\n"

  @Test(arguments: everyCut) func oneExchangeIsThreeLines(size: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.get, size: size)
    capture.send(socket, .server, Self.ok, size: size)
    capture.close(socket)
    #expect(
      try Recording(capture).events == [
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET""#,
        #""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":200"#,
        #""ch":"http1","gen":1,"ev":"http.body","req":1,"try":1,"dir":"in","bytes":5,"done":true"#,
      ])
  }

  @Test func anyPortIsRead() throws {
    var capture = CaptureBuilder()
    let socket = capture.connection(client: .v4(1, port: 443), server: .v4(2, port: 22))
    capture.connect(socket)
    capture.send(socket, .client, Self.get)
    #expect(try Recording(capture).events.count == 1)
  }

  @Test(arguments: everyCut) func aRepetitionInTheWindowIsTheNextTry(size: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for (time, status) in [(0, "503 No\r\nRetry-After: 40"), (44_000_000, "429 No"), (60_000_000, "200 OK")] {
      capture.send(socket, .client, Self.get, size: size, at: 1_000_000 + time)
      capture.send(socket, .server, "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n", size: size)
    }
    #expect(
      try Recording(capture).events.filter { $0.contains("http.send") } == [
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET""#,
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":2,"method":"GET""#,
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":3,"method":"GET""#,
      ])
  }

  /// What must be equal for a request to be the next try, and how late it may come.
  struct Other: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let request: String
    let after: Int
  }

  @Test(arguments: [
    Other(testDescription: "another target", request: "GET /b HTTP/1.1\r\nHost: a.example\r\n\r\n", after: 1),
    Other(
      testDescription: "another query", request: "GET /a?x=2 HTTP/1.1\r\nHost: a.example\r\n\r\n", after: 1),
    Other(
      testDescription: "another host", request: "GET /a?x=1 HTTP/1.1\r\nHost: b.example\r\n\r\n", after: 1),
    Other(
      testDescription: "another method", request: "HEAD /a?x=1 HTTP/1.1\r\nHost: a.example\r\n\r\n", after: 1),
    Other(
      testDescription: "a key",
      request: "GET /a?x=1 HTTP/1.1\r\nHost: a.example\r\nIdempotency-Key: q\r\n\r\n",
      after: 1),
    Other(
      testDescription: "a length",
      request: "GET /a?x=1 HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n",
      after: 1),
    Other(testDescription: "too late", request: RequestTests.get, after: 46),
  ]) func whatDiffersIsANewRequest(other: Other) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.get, at: 1_000_000)
    capture.send(socket, .server, Self.busy)
    capture.send(socket, .client, other.request, at: 1_000_000 + other.after * 1_000_000)
    #expect(try Recording(capture).events.last?.contains(#""req":2,"try":1"#) == true)
  }

  @Test func aKeyIsAPseudonymAndAnotherBodyDiffers() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for body in ["abcd", "abcd", "abce"] {
      capture.send(
        socket, .client,
        "POST /a HTTP/1.1\r\nHost: a\r\nIdempotency-Key: 8e03978e\r\nContent-Length: 4\r\n\r\n\(body)")
      capture.send(socket, .server, Self.busy)
    }
    #expect(
      try Recording(capture).events.filter { !$0.contains("response") } == [
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"POST","key":"k1","bytes":4"#,
        #""ch":"http1","gen":1,"ev":"http.body","req":1,"try":1,"dir":"out","bytes":4,"done":true"#,
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":2,"method":"POST","key":"k1","bytes":4"#,
        #""ch":"http1","gen":1,"ev":"http.body","req":1,"try":2,"dir":"out","bytes":4,"done":true"#,
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":3,"method":"POST","key":"k1","bytes":4"#,
        #""ch":"http1","gen":1,"ev":"http.body","req":1,"try":3,"dir":"out","bytes":4,"done":true,"differs":["body"]"#,
      ])
  }

  /// A redirect, and whether it stays within the origin.
  struct Redirect: CustomTestStringConvertible, Sendable {
    let location: String
    let target: String
    let stays: Bool
    var testDescription: String { "\(location) to \(target)" }
  }

  @Test(arguments: [
    Redirect(location: "/new?y=2", target: "/new?y=2", stays: true),
    Redirect(location: "new", target: "/d/new", stays: true),
    Redirect(location: "http://A.example:80/new#top", target: "/new", stays: true),
    Redirect(location: "//a.example/new", target: "/new", stays: true),
    Redirect(location: "https://a.example/new", target: "/new", stays: false),
    Redirect(location: "http://b.example/new", target: "/new", stays: false),
    Redirect(location: "/other", target: "/new", stays: false),
  ]) func aRedirectWithinTheOriginIsAHop(redirect: Redirect) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "GET /d/old HTTP/1.1\r\nHost: a.example\r\n\r\n")
    capture.send(
      socket, .server, "HTTP/1.1 302 Found\r\nLocation: \(redirect.location)\r\nContent-Length: 0\r\n\r\n")
    capture.send(socket, .client, "GET \(redirect.target) HTTP/1.1\r\nHost: a.example\r\n\r\n")
    let last = try Recording(capture).events.last
    #expect(
      last?.contains(redirect.stays ? #""req":1,"try":1,"hop":1"# : #""req":2,"try":1,"method""#) == true)
  }

  @Test func authenticationIsAHop() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.get)
    capture.send(socket, .server, "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
    capture.send(
      socket, .client, "GET /a?x=1 HTTP/1.1\r\nHost: a.example\r\nAuthorization: Basic eDp5\r\n\r\n")
    #expect(try Recording(capture).events.last?.contains(#""req":1,"try":1,"hop":1"#) == true)
  }

  @Test func interimResponsesAndPipeliningKeepTheirRequests() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.get + "HEAD /b HTTP/1.1\r\nHost: a\r\n\r\n")
    capture.send(
      socket, .server,
      "HTTP/1.1 103 Early Hints\r\n\r\n\(Self.ok)HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
    #expect(
      try Recording(capture).events.filter { $0.contains("response") } == [
        #""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":103"#,
        #""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":200"#,
        #""ch":"http1","gen":1,"ev":"http.response","req":2,"try":1,"status":200"#,
      ])
  }

  @Test func aConnectionThatEndsTooSoonIsAnErrorAndMayBeRepeated() throws {
    var capture = CaptureBuilder()
    var socket = capture.open()
    capture.send(socket, .client, Self.get)
    capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
    capture.rst(socket, .server)
    socket = capture.open()
    capture.send(socket, .client, Self.get)
    capture.close(socket, .server)
    #expect(
      try Recording(capture).events == [
        #""ch":"http1","gen":1,"ev":"http.send","req":1,"try":1,"method":"GET""#,
        #""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":200"#,
        #""ch":"http1","gen":1,"ev":"http.body","req":1,"try":1,"dir":"in","bytes":3,"done":false"#,
        #""ch":"http1","gen":1,"ev":"http.error","req":1,"try":1,"cause":"reset","sent":true"#,
        #""ch":"http1","gen":2,"ev":"http.send","req":1,"try":2,"method":"GET""#,
        #""ch":"http1","gen":2,"ev":"http.error","req":1,"try":2,"cause":"fin","sent":true"#,
      ])
  }

  @Test func retryKeysCountFromTheMidnightBefore() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.get)
    // The captures begin on 14 November 2023 at 22:13:20.
    capture.send(
      socket, .server,
      "HTTP/1.1 503 No\r\nRetry-After: Wed, 15 Nov 2023 00:00:30 GMT\r\nDate: Tue, 14 Nov 2023 22:13:21 GMT\r\n"
        + "Age: 7\r\nContent-Length: 0\r\n\r\n")
    let recording = try Recording(capture)
    #expect(recording.header?.wall == 80_000_000_000)
    #expect(recording.events.last?.hasSuffix(#""status":503,"retryAt":86430,"date":80001,"age":7"#) == true)
  }

  @Test func aStatusOutOfRangeIsLeftOutAndNoted() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.get)
    capture.send(socket, .server, "HTTP/1.1 731 What\r\nContent-Length: 0\r\n\r\n")
    let events = try Recording(capture).events
    #expect(events.contains(#""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1"#))
    #expect(events.contains { $0.contains("statusOut") })
    #expect(!events.joined().contains("731"))
  }
}
