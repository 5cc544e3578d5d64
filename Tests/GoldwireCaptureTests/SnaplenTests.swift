import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Captures that hold only the begin of each packet.
@Suite struct SnaplenTests {
  /// A capture that keeps so many payload bytes of each packet: a request and its response, and a WebSocket.
  private func capture(keeping payload: Int) -> CaptureBuilder {
    var capture = CaptureBuilder()
    capture.snaplen = 14 + 20 + 20 + payload
    let long = String(repeating: "a", count: 200)
    let http = capture.open()
    capture.send(http, .client, "GET /0 HTTP/1.1\r\nHost: h\r\nUser-Agent: \(long)\r\n\r\n")
    capture.send(http, .server, "HTTP/1.1 200 OK\r\nX: \(long)\r\nContent-Length: 2\r\n\r\nok")
    capture.close(http)
    let socket = capture.open()
    capture.upgrade(socket, path: "/\(long)")
    capture.frame(socket, .server, 0x81, Array(long.utf8))
    capture.close(socket)
    return capture
  }

  @Test("Heads that are cut are told as gaps of their connections", arguments: [42, 74, 146])
  func cutHeads(payload: Int) throws {
    let recording = try Recording(capture(keeping: payload))
    let events = recording.plain
    #expect(
      events.first
        == #""ch":"http1","gen":1,"ev":"rec.gap","dir":"out","bytes":\#(242 - payload),"why":"snaplen""#)
    #expect(events.contains { $0.hasPrefix(#""ch":"http1","gen":2"#) && $0.contains("snaplen") })
    #expect(!events.contains { $0.contains("ws.connect") || $0.contains("rfc") })
  }

  @Test("Where not even the protocol can be told the connection is opaque, and the gap says why")
  func cutBeginnings() throws {
    let events = try Recording(capture(keeping: 2)).plain
    #expect(
      events == [
        #""ch":"tcp1","gen":1,"ev":"rec.opaque","at":"open","why":"other""#,
        #""ch":"tcp1","gen":1,"ev":"rec.gap","why":"snaplen""#,
        #""ch":"tcp1","gen":1,"ev":"rec.opaque","at":"end","why":"other","cause":"fin","dir":"out","out":2,"in":2"#,
        #""ch":"tcp1","gen":2,"ev":"rec.opaque","at":"open","why":"other""#,
        #""ch":"tcp1","gen":2,"ev":"rec.gap","why":"snaplen""#,
        #""ch":"tcp1","gen":2,"ev":"rec.gap","dir":"in","bytes":202,"why":"snaplen""#,
        #""ch":"tcp1","gen":2,"ev":"rec.opaque","at":"end","why":"other","cause":"fin","dir":"out","out":2,"in":4"#,
      ])
  }
}
