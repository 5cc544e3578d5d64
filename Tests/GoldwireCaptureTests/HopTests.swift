import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Redirects among tries.
@Suite struct HopTests {
  /// Records exchanges on one connection, each a second after the last; gives the sends' numbers.
  private static func sends(_ exchanges: [(request: String, response: String)]) throws -> [String] {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for (step, (request, response)) in exchanges.enumerated() {
      let body = request.hasPrefix("POST") ? "Content-Length: 2\r\n\r\nab" : "\r\n"
      capture.send(
        socket, .client, "\(request) HTTP/1.1\r\nHost: a\r\n\(body)", at: (step + 1) * 1_000_000)
      capture.send(socket, .server, "HTTP/1.1 \(response)\r\nContent-Length: 0\r\n\r\n")
    }
    let events = try Recording(capture).events
    #expect(!events.contains { $0.contains("differs") })
    return events.filter { $0.contains("http.send") }.map { event in
      let start = event.firstRange(of: "\"req\"")?.lowerBound ?? event.startIndex
      return String(event[start..<(event.firstRange(of: ",\"method\"")?.lowerBound ?? event.endIndex)])
    }
  }

  @Test("A try that begins again where the redirect was belongs to the same request")
  func startsOver() throws {
    #expect(
      try Self.sends([
        ("GET /a", "503 No"), ("GET /a", "307 There\r\nLocation: /b"), ("GET /b", "503 No"),
        ("GET /a", "503 No"),
        ("GET /a", "200 OK"),
      ]) == [
        #""req":1,"try":1"#, #""req":1,"try":2"#, #""req":1,"try":2,"hop":1"#, #""req":1,"try":3"#,
        #""req":1,"try":4"#,
      ])
  }

  @Test("So does one that goes straight to where it led")
  func goesStraight() throws {
    #expect(
      try Self.sends([
        ("GET /a", "302 There\r\nLocation: /b"), ("GET /b", "503 No"), ("GET /b", "503 No"),
        ("GET /a", "302 There\r\nLocation: /b"), ("GET /b", "200 OK"),
      ]) == [
        #""req":1,"try":1"#, #""req":1,"try":1,"hop":1"#, #""req":1,"try":2"#, #""req":1,"try":3"#,
        #""req":1,"try":3,"hop":1"#,
      ])
  }

  @Test("A body that only the first hop had is no other body")
  func bodies() throws {
    #expect(
      try Self.sends([
        ("POST /a", "303 There\r\nLocation: /b"), ("GET /b", "503 No"), ("POST /a", "200 OK"),
      ]) == [#""req":1,"try":1"#, #""req":1,"try":1,"hop":1"#, #""req":1,"try":2"#])
  }

  @Test("A hop belongs to the redirect before it, not to an older request that failed there")
  func isNotStolen() throws {
    #expect(
      try Self.sends([
        ("GET /a", "302 There\r\nLocation: /b"), ("GET /b", "503 No"),
        ("GET /c", "302 There\r\nLocation: /b"), ("GET /b", "200 OK"),
      ]) == [
        #""req":1,"try":1"#, #""req":1,"try":1,"hop":1"#, #""req":2,"try":1"#, #""req":2,"try":1,"hop":1"#,
      ])
  }
}
