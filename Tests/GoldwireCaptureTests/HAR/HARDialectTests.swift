@testable import GoldwireCapture
import GoldwireTrace
import Testing

/// The dialects: how each tool writes WebSockets, event streams and what went wrong.
@Suite struct HARDialectTests {
  private static func socket(
    _ messages: String, creator: String = "WebInspector", url: String = "wss://a.example/chat?token=1",
    status: Int = 101, headers: [(String, String)] = [], extra: String = "", at start: Int = 0
  ) -> String {
    HARFixture.entry(
      "GET", url, at: start, receive: 0, headers: headers, status: status,
      extra: #","_resourceType":"websocket","_webSocketMessages":[\#(messages)]"# + extra)
  }

  private static func message(_ type: String, _ time: String, _ opcode: Int, _ data: String) -> String {
    #"{"type":"\#(type)","time":\#(time),"opcode":\#(opcode),"data":"\#(data)"}"#
  }

  /// 2026-03-01T12:30:00Z.
  private static let second = "1772368200"

  @Test func chromeWritesMessagesInSecondsAndBinaryInBase64() throws {
    let entry = Self.socket(
      [
        Self.message("send", Self.second + ".5", 1, "h\\u00e9llo\\ud83d"),
        Self.message("receive", Self.second + ".250001", 2, "AAECAw=="),
        Self.message("receive", "1.7723682017500000e9", 1, ""),
      ].joined(separator: ","))
    let har = try HARFixture(HARFixture.log([entry], creator: "WebInspector"))
    #expect(
      har.lines == [
        #""t":0,"ch":"ws1","gen":1,"ev":"ws.connect""#,
        #""t":11000,"ch":"ws1","gen":1,"ev":"ws.open","status":101"#,
        #""t":250001,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"binary","bytes":4"#,
        #""t":500000,"ch":"ws1","gen":1,"ev":"ws.message","dir":"out","kind":"text","bytes":9"#,
        #""t":1750000,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":0"#,
      ])
    #expect(har.header.contains(#""at":"client","blind":["ws.ping","ws.pong","ws.close","ws.end","#))
  }

  @Test func theNextConnectionIsTheNextGenerationAndAnOverlappingOneAnotherChannel() throws {
    let har = try HARFixture(
      HARFixture.log([
        Self.socket(Self.message("receive", Self.second + ".9", 1, "a")),
        Self.socket("", at: 500), Self.socket("", at: 2_000),
      ]))
    let connects = har.lines.filter { $0.contains("ws.connect") }.map {
      $0.split(separator: ",")[1...2].joined()
    }
    #expect(connects == [#""ch":"ws1""gen":1"#, #""ch":"ws2""gen":1"#, #""ch":"ws2""gen":2"#])
  }

  @Test func proxiesMayWriteHandshakesAsHTTPAndControlFrames() throws {
    let entry = Self.socket(
      [
        Self.message("send", Self.second + "250", 9, "aGk="),
        Self.message("receive", Self.second + "300", 10, "aGk="),
        #"{"type":"receive","time":"2026-03-01T12:30:00.4Z","opcode":8,"data":"","code":1001}"#,
        #"{"type":"send","time":\#(Self.second)500,"opcode":8,"data":"A+g="}"#,
      ].joined(separator: ","), url: "https://a.example/chat",
      headers: [("Connection", "Upgrade"), ("Upgrade", "websocket")])
    let har = try HARFixture(HARFixture.log([entry], creator: "Proxyman"))
    #expect(
      har.lines.dropFirst(2) == [
        #""t":250000,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":2"#,
        #""t":300000,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":2"#,
        #""t":400000,"ch":"ws1","gen":1,"ev":"ws.close","dir":"in","code":1001"#,
        #""t":500000,"ch":"ws1","gen":1,"ev":"ws.close","dir":"out","code":1000,"by":"unknown""#,
      ])
    #expect(har.header.contains(#""at":"middle","blind":["ws.end","app","handler","tick","unit"]"#))
  }

  @Test func beatsAreMarked() throws {
    let entry = Self.socket(
      Self.message("send", Self.second + ".1", 1, "2") + ","
        + Self.message("receive", Self.second + ".2", 1, "3"))
    let har = try HARFixture(HARFixture.log([entry])) { $0.beats = .engineIO }
    #expect(har.lines.suffix(2).map { $0.contains(#""beat":"ping","id":1"#) } == [true, false])
    #expect(har.lines.last?.contains(#""beat":"pong","id":1"#) == true)
  }

  @Test func aRefusedHandshakeAndAFailedSocket() throws {
    let refused = try HARFixture(HARFixture.log([Self.socket("", status: 503)]))
    #expect(refused.lines.last?.hasSuffix(#""ev":"ws.refused","cause":"status","status":503"#) == true)
    let failed = try HARFixture(
      HARFixture.log([Self.socket("", status: 0, extra: #","_error":"net::ERR_CONNECTION_REFUSED""#)]))
    #expect(failed.lines.last?.hasSuffix(#""ev":"ws.refused","cause":"refused""#) == true)
    let broken = try HARFixture(
      HARFixture.log([
        Self.socket(#"{"type":"error","time":\#(Self.second).7,"opcode":-1,"data":"x"}"#, status: 0)
      ]))
    #expect(broken.lines.last == #""t":700000,"ch":"ws1","gen":1,"ev":"ws.refused","cause":"other""#)
  }

  @Test func messagesWithoutInstantsStandWithTheOneBeforeAndAreNoted() throws {
    let har = try HARFixture(HARFixture.log([Self.socket(#"{"type":"send","opcode":1,"data":"x"}"#)]))
    #expect(har.lines.suffix(2).first?.hasSuffix(#""ev":"rec.note","note":"timesLost""#) == true)
    #expect(har.lines.last?.hasPrefix(#""t":11000,"#) == true)
    #expect(har.header.contains(#""unit","times"]"#))
  }

  // MARK: Event streams

  private static let body =
    #": hi\n\nid: a\nretry: 250\ndata: 1\n\nid: b\n\ndata: 2\n\nid: a\ndata: 3\n\ndata: lost"#

  private static func stream(
    at start: Int = 0, content: String = body,
    headers: [(String, String)] = [("accept", "text/event-stream")],
    extra: String = ""
  ) -> String {
    HARFixture.entry(
      "GET", "https://a.example/feed", at: start, receive: 2_000, headers: headers,
      response: [("content-type", "text/event-stream")], content: content, extra: extra)
  }

  @Test func aStreamsEventsStandAtItsEndAndTheirInstantsAreNotedAsLost() throws {
    let har = try HARFixture(
      HARFixture.log(
        [
          Self.stream(),
          Self.stream(at: 5_000, headers: [("accept", "text/event-stream"), ("last-event-id", "b")]),
        ], creator: "mitmproxy"))
    let lines = har.lines.prefix(11).map { $0.replacing(#""ch":"sse1","gen":1,"ev":"#, with: "") }
    #expect(
      lines == [
        #""t":0,"sse.connect""#, #""t":11000,"sse.open","status":200,"type":"text/event-stream""#,
        #""t":2011000,"rec.note","note":"timesLost""#, #""t":2011000,"sse.comment""#,
        #""t":2011000,"sse.retry","ms":250"#, #""t":2011000,"sse.event","n":1,"id":"e1","bytes":1"#,
        #""t":2011000,"sse.id","id":"e2""#, #""t":2011000,"sse.event","n":2,"bytes":1"#,
        #""t":2011000,"sse.event","n":3,"id":"e1","rev":2,"bytes":1"#,
        #""t":2011000,"sse.cut","cause":"eof","dir":"in","partial":10"#,
        #""t":5000000,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2""#,
      ])
    #expect(har.header.contains(#""unit","times"]"#))
  }

  @Test func aBodyInBase64IsRead() throws {
    let entry = Self.stream(content: "ZGF0YTogMQoKZGF0YTogMgoK").replacing(
      #""mimeType":"x-unknown""#, with: #""encoding":"base64","mimeType":"x-unknown""#)
    let har = try HARFixture(HARFixture.log([entry]))
    #expect(har.lines.filter { $0.contains("sse.event") }.count == 2)
  }

  @Test func chromesOwnNoteOfEventsHasTheirInstants() throws {
    let events =
      #","_eventSourceMessages":[{"time":\#(Self.second).5,"eventName":"message","eventId":"a","data":"1"},"#
      + #"{"time":\#(Self.second).75,"eventName":"message","eventId":"a","data":"22"}]"#
    for content in [#"id: a\ndata: 1\n\ndata: 22\n\n"#, ""] {
      let har = try HARFixture(
        HARFixture.log([Self.stream(content: content, extra: events)], creator: "WebInspector"))
      #expect(
        har.lines.dropFirst(2) == [
          #""t":500000,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":1"#,
          #""t":750000,"ch":"sse1","gen":1,"ev":"sse.event","n":2,"bytes":2"#,
        ], "a stream that may still be open is not cut")
      #expect(!har.header.contains("times"))
    }
  }

  @Test func anOrdinaryRequestsResponseMayTurnOutToBeAStream() throws {
    let har = try HARFixture(HARFixture.log([Self.stream(headers: [])]))
    #expect(
      har.lines[1].hasSuffix(
        #""ev":"http.response","req":1,"try":1,"status":200,"type":"text/event-stream","sse":"sse1""#))
    #expect(har.lines.contains { $0.contains(#""ch":"sse1","gen":1,"ev":"sse.cut""#) })
  }

  @Test func aBrokenStreamIsCutByItsCause() throws {
    for (words, cut) in [
      ("net::ERR_CONNECTION_RESET", #""cause":"reset","dir":"in""#),
      ("net::ERR_ABORTED", #""cause":"local","dir":"out""#),
      ("net::ERR_HTTP2_PROTOCOL_ERROR", #""cause":"error","dir":"in""#),
    ] {
      let har = try HARFixture(
        HARFixture.log([Self.stream(extra: #","_error":"\#(words)""#)], creator: "WebInspector"))
      #expect(har.lines.last?.contains(cut) == true, "\(words)")
    }
  }

  // MARK: Times

  @Test func mitmproxyCountsFromTheRequestsFirstByte() throws {
    let entry = HARFixture.entry("GET", "https://a.example/x").replacing(
      #""connect":-1"#, with: #""connect":100.5"#)
    #expect(try HARFixture(HARFixture.log([entry], creator: "mitmproxy")).instants[1] == 11_000)
    #expect(try HARFixture(HARFixture.log([entry], creator: "Firefox")).instants[1] == 111_500)
  }

  @Test func withoutPhasesAllIsAtTheEnd() throws {
    let entry =
      #"{"startedDateTime":"2026-03-01T13:30:00+01:00","time":12.5,"request":{"method":"GET","url":"http://a/"},"#
      + #""response":{"status":200}}"#
    let har = try HARFixture(HARFixture.log([entry], creator: "Charles Proxy"))
    #expect(har.instants == [0, 12_500, 12_500])
    #expect(har.header.contains(#""grain":1000000,"wall":45000000000,"at":"middle""#))
  }

  @Test func charlesSaysHowItWent() throws {
    for (state, count) in [("COMPLETE", 0), ("EXCEPTION", 1), ("FAILED", 1)] {
      let entry = HARFixture.entry("GET", "https://a.example/x").replacing(
        #""status":200"#, with: #""_charlesStatus":"\#(state)","status":200"#)
      let har = try HARFixture(HARFixture.log([entry], creator: "Charles Proxy"))
      #expect(har.lines.filter { $0.contains("http.error") }.count == count)
    }
  }

  @Test func aByteOrderMarkAndNullsAreRead() throws {
    let text = HARFixture.log([
      #"{"startedDateTime":"2026-03-01T12:30:00Z","request":{"method":"GET","url":"http://a/","headers":null,"postData":null},"#
        + #""response":{"status":"200","content":null,"_error":null},"timings":null,"connection":null,"_webSocketMessages":null}"#
    ])
    let har = try HARFixture([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(har.lines.count == 2)
  }
}
