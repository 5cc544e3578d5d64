import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Event streams inside responses.
@Suite struct StreamTests {
  private static func ask(_ cursor: String? = nil) -> String {
    "GET /events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n"
      + (cursor.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "\r\n"
  }
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
  private static func chunk(_ text: String) -> String {
    "\(String(text.utf8.count, radix: 16));ext=1\r\n\(text)\r\n"
  }

  @Test(arguments: everyCut) func eventsIDsAndTheirRevisions(size: Int) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.ask("zz"), size: size)
    let body =
      ": hi\nretry: 250\nid: 7\ndata: a\ndata: b\n\nid: 7\ndata: c\n\nid: 7\ndata: a\ndata: b\n\n"
      + "data: d\n\nid\ndata: e\n\nid: 8\n\nid: 9\ndata: lo"
    capture.send(
      socket, .server,
      Self.head + "\r\n" + Self.chunk(String(body.prefix(31)))
        + Self.chunk(String(body.dropFirst(31))), size: size)
    capture.rst(socket, .server)
    #expect(
      try Recording(capture).plain == [
        #""ch":"sse1","gen":1,"ev":"sse.connect","cursor":"e1""#,
        #""ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream""#,
        #""ch":"sse1","gen":1,"ev":"sse.comment""#, #""ch":"sse1","gen":1,"ev":"sse.retry","ms":250"#,
        #""ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e2","bytes":3"#,
        #""ch":"sse1","gen":1,"ev":"sse.event","n":2,"id":"e2","rev":2,"bytes":1"#,
        #""ch":"sse1","gen":1,"ev":"sse.event","n":3,"id":"e2","bytes":3"#,
        #""ch":"sse1","gen":1,"ev":"sse.event","n":4,"bytes":1"#,
        #""ch":"sse1","gen":1,"ev":"sse.event","n":5,"id":"","bytes":1"#,
        #""ch":"sse1","gen":1,"ev":"sse.id","id":"e3""#,
        #""ch":"sse1","gen":1,"ev":"sse.cut","cause":"reset","dir":"in","partial":14"#,
      ])
  }

  @Test func requestsOnOneConnectionAreGenerations() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    for cursor in [nil, "7"] as [String?] {
      capture.send(socket, .client, Self.ask(cursor))
      capture.send(socket, .server, Self.head + "\r\n" + Self.chunk("id: 7\ndata: a\n\n") + "0\r\n\r\n")
    }
    let events = try Recording(capture).plain
    #expect(events[3] == #""ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0"#)
    #expect(events[4] == #""ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e1""#)
    #expect(events[6] == #""ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e1","bytes":1"#)
  }

  @Test func anAnswerThatTurnsOutToBeAStreamStandsForConnectAndOpen() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "POST /v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
    capture.send(socket, .server, Self.head + "\r\n" + Self.chunk("data: a\n\n") + "0\r\n\r\n")
    #expect(
      try Recording(capture).plain.suffix(4)
        == [
          #""ch":"http1","gen":1,"ev":"http.response","req":1,"try":1,"status":200,"type":"text/event-stream","sse":1"#,
          #""ch":"sse1","gen":1,"ev":"sse.event","n":1,"bytes":1"#,
          #""ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0"#,
          #""ch":"http1","gen":1,"ev":"http.body","req":1,"try":1,"dir":"in","bytes":9,"done":true"#,
        ].map { $0.replacing(#""sse":1"#, with: #""sse":"sse1""#) })
  }

  @Test func theClientThatLeavesCutsLocally() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.ask())
    capture.send(socket, .server, Self.head + "\r\n" + Self.chunk("data: a"))
    capture.close(socket)
    #expect(
      try Recording(capture).plain.last
        == #""ch":"sse1","gen":1,"ev":"sse.cut","cause":"local","dir":"out","partial":7"#)
  }

  @Test func noStreamIsNoCut() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.ask())
    capture.send(socket, .server, "HTTP/1.1 204 No\r\n\r\n")
    capture.close(socket)
    #expect(try Recording(capture).plain.last == #""ch":"sse1","gen":1,"ev":"sse.open","status":204"#)
  }

  @Test(arguments: everyCut) func compressedStreamsAreRead(size: Int) throws {
    let body: [UInt8] =
      [
        // gzip of "id: 1\ndata: a\n\n" as one stored block.
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1, 15, 0, 0xF0, 0xFF,
      ] + Array("id: 1\ndata: a\n\n".utf8)
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.ask())
    capture.send(
      socket, .server,
      Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n".utf8)
        + body,
      size: size)
    #expect(
      try Recording(capture).plain.last == #""ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":1"#)
  }

  @Test func forgottenIDsComeBackAsNew() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.ask())
    let events = [1, 2, 3, 1].map { "id: \($0)\ndata: a\n\n" }.joined()
    capture.send(socket, .server, Self.head + "\r\n" + Self.chunk(events))
    let plain = try Recording(capture) { $0.limits.eventIDs = 2 }.plain
    #expect(plain.last == #""ch":"sse1","gen":1,"ev":"sse.event","n":4,"id":"e4","bytes":1"#)
    #expect(plain.contains(#""ch":"sse1","gen":1,"ev":"rec.note","note":"idForgot""#))
  }

  @Test func afterAHoleReadingGoesOnAtTheNextBlock() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.ask())
    let body = "data: one\n\ndata: two\n\ndata: three\n\ndata: four\n\n"
    let bytes = Array((Self.head + "\r\n" + Self.chunk(body)).utf8)
    let cut = bytes.count - 36
    capture.send(socket, .server, Array(bytes[..<cut]))
    capture.lost { $0.send(socket, .server, Array(bytes[cut..<(cut + 8)])) }
    capture.send(socket, .server, Array(bytes[(cut + 8)...]))
    capture.close(socket, .server)
    let events = try Recording(capture).plain
    #expect(events.contains(#""ch":"sse1","gen":1,"ev":"rec.gap","dir":"in","bytes":8,"why":"lost""#))
    #expect(events.contains { $0.contains("sse.event") && $0.hasSuffix(#""bytes":4"#) })
  }

  @Test func whatNamesItsLastEventAsksForAStreamWhateverItsMethod() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(
      socket, .client, "POST /e HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 4\r\nContent-Length: 0\r\n\r\n")
    capture.send(socket, .server, "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
    #expect(
      try Recording(capture).plain == [
        #""ch":"sse1","gen":1,"ev":"sse.connect","cursor":"e1""#,
        #""ch":"sse1","gen":1,"ev":"sse.open","status":503"#,
      ])
  }
}
