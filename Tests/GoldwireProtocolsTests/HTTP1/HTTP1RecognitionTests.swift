import GoldwireProtocols
import Testing

/// Recognition by bytes alone.
@Suite struct HTTP1RecognitionTests {
  private func judge(_ text: String) -> HTTP1Recognition { HTTP1Recognition.judge(Array(text.utf8).span) }

  @Test(
    "What the first bytes say",
    arguments: [
      ("GET / HTTP/1.1\r\n", .request), ("\r\nPOST /x", .request), ("GET http://h/ HTTP/1.0\n", .request),
      ("CONNECT h:443 HTTP/1.1\r\n", .request), ("CCM_POST /sdk HTTP/1.1\r\n", .request),
      ("HTTP/1.1 200 OK\r\n", .response), ("HTTP/1.0", .response),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .http2),
      ("PRI * HTTP/2.0\r\n", .http2), ("", .undecided), ("\r\n", .undecided), ("HTT", .undecided),
      ("PRI *", .undecided),
      ("G", .undecided), ("GET", .undecided), ("CONNECT h:443 HTTP", .undecided), ("get key\r\n", .neither),
      ("GET key\r\n", .neither), ("SSH-2.0-x\r\n", .neither), ("OPTIONS rtsp://h/ RTSP/1.0\r\n", .neither),
      ("INVITE sip:a SIP/2.0\r\n", .neither), ("\u{16}\u{3}\u{1}", .neither),
      (" GET / HTTP/1.1\r\n", .neither),
      ("HTTP/2 200\r\n", .neither), ("EHLO example HTTP/1.", .undecided), ("EHLO example\r\n", .neither),
    ] as [(String, HTTP1Recognition)])
  func judges(_ text: String, _ expected: HTTP1Recognition) {
    #expect(judge(text) == expected)
  }

  @Test("Every prefix of a request or response is undecided until it is told for good") func prefixes() {
    for (text, final) in [
      ("POST /a HTTP/1.1\r\n", HTTP1Recognition.request), ("HTTP/1.1 200 OK\r\n", .response),
      ("CONNECT h:1 HTTP/1.1\r\n", .request),
    ] {
      var isDecided = false
      for count in 0...text.utf8.count {
        let found = judge(String(text.prefix(count)))
        #expect(found == final || (found == .undecided && !isDecided), "\(text) at \(count)")
        isDecided = found == final
      }
      #expect(isDecided)
    }
  }

  @Test("Bytes that never decide are given up at the limit") func limit() {
    #expect(judge("X " + String(repeating: "a", count: HTTP1Recognition.limit - 3)) == .undecided)
    #expect(judge("X " + String(repeating: "a", count: HTTP1Recognition.limit - 2)) == .neither)
    #expect(judge(String(repeating: "\n", count: HTTP1Recognition.limit)) == .neither)
  }
}
