import GoldwireMachines
import GoldwireProtocols
import GoldwireTap
import GoldwireTrace
import Testing

/// Each event that a tap can see, written and read back.
@Suite struct EveryEventTests {
  private func lines(_ record: (Tap) -> Void) throws -> [String] {
    let recording = try Recording()
    record(recording.tap)
    let lines = recording.finish(1_000_000)
    #expect(try TraceAudit.findings(in: recording.bytes) == [])
    let trace = try Trace(bytes: recording.bytes)
    #expect(trace.bytes() == recording.bytes)
    return lines.dropLast()
  }

  @Test func sockets() throws {
    let lines = try lines { tap in
      let chat = tap.socket()
      let old = chat.attach(at: at(0))
      old.ended(.fin, at: at(1))
      chat.connect(at: at(2)).refused(.dns, at: at(3))
      chat.connect(at: at(4)).refused(
        .status, answer: Answer(status: 503, retryAfter: .seconds(7)), at: at(5))
      let connection = chat.connect(at: at(6))
      connection.opened(status: 101, deflate: false, at: at(7))
      connection.opened(status: nil, at: at(8))
      let ping = connection.pingSent(at: at(9))
      connection.pongReceived(.unmatched, bytes: 5, at: at(10))
      connection.pongReceived(at: at(11))
      connection.pinged(ping, result: .ok, at: at(12))
      connection.pinged(result: .error, cause: .reset, at: at(13))
      connection.pinged(result: .cancelled, at: at(14))
      connection.pongSent(connection.pingReceived(bytes: 0, at: at(15)), bytes: 0, at: at(16))
      connection.message(.in, .text, bytes: 12, since: at(4), at: at(17))
      connection.message(.out, .binary, bytes: -5, since: at(40), at: at(18))
      connection.tick(at: at(19))
      connection.closeSent(code: 1_000, by: .user, at: at(20))
      connection.closeSent(by: .machine, at: at(21))
      connection.closeReceived(code: 4_999, at: at(22))
      connection.ended(.timeout, .out, at: at(23))
    }
    #expect(
      lines == [
        #"{"t":0,"ch":"ws1","gen":1,"ev":"ws.attach"}"#,
        #"{"t":1,"ch":"ws1","gen":1,"ev":"ws.end","cause":"fin"}"#,
        #"{"t":2,"ch":"ws1","gen":2,"ev":"ws.connect"}"#,
        #"{"t":3,"ch":"ws1","gen":2,"ev":"ws.refused","cause":"dns"}"#,
        #"{"t":4,"ch":"ws1","gen":3,"ev":"ws.connect"}"#,
        #"{"t":5,"ch":"ws1","gen":3,"ev":"ws.refused","cause":"status","status":503,"retryAfter":7}"#,
        #"{"t":6,"ch":"ws1","gen":4,"ev":"ws.connect"}"#,
        #"{"t":7,"ch":"ws1","gen":4,"ev":"ws.open","status":101,"deflate":false}"#,
        #"{"t":8,"ch":"ws1","gen":4,"ev":"ws.open"}"#,
        #"{"t":9,"ch":"ws1","gen":4,"ev":"ws.ping","dir":"out","id":1}"#,
        #"{"t":10,"ch":"ws1","gen":4,"ev":"ws.pong","dir":"in","id":0,"bytes":5}"#,
        #"{"t":11,"ch":"ws1","gen":4,"ev":"ws.pong","dir":"in"}"#,
        #"{"t":12,"ch":"ws1","gen":4,"ev":"ws.pinged","id":1,"result":"ok"}"#,
        #"{"t":13,"ch":"ws1","gen":4,"ev":"ws.pinged","result":"error","cause":"reset"}"#,
        #"{"t":14,"ch":"ws1","gen":4,"ev":"ws.pinged","result":"cancelled"}"#,
        #"{"t":15,"ch":"ws1","gen":4,"ev":"ws.ping","dir":"in","id":1,"bytes":0}"#,
        #"{"t":16,"ch":"ws1","gen":4,"ev":"ws.pong","dir":"out","id":1,"bytes":0}"#,
        #"{"t":17,"ch":"ws1","gen":4,"ev":"ws.message","dir":"in","kind":"text","bytes":12,"since":4}"#,
        #"{"t":18,"ch":"ws1","gen":4,"ev":"ws.message","dir":"out","kind":"binary","bytes":0,"since":18}"#,
        #"{"t":19,"ch":"ws1","gen":4,"ev":"rec.tick"}"#,
        #"{"t":20,"ch":"ws1","gen":4,"ev":"ws.close","dir":"out","code":1000,"by":"user"}"#,
        #"{"t":21,"ch":"ws1","gen":4,"ev":"ws.close","dir":"out","by":"machine"}"#,
        #"{"t":22,"ch":"ws1","gen":4,"ev":"ws.close","dir":"in","code":4999}"#,
        #"{"t":23,"ch":"ws1","gen":4,"ev":"ws.end","cause":"timeout","dir":"out"}"#,
      ])
  }

  @Test func requests() throws {
    let lines = try lines { tap in
      let request = tap.origin().request(.put, replayable: true, key: tap.key(), bytes: 9)
      let first = request.sent(at: at(0))
      first.body(.out, bytes: 9, done: true, at: at(1))
      first.answered(Answer(status: 503, retryAfter: .seconds(2), age: 4), type: .other, at: at(2))
      request.waits(microseconds: 2_000_000, unit: 1_000_000, at: at(3))
      let second = request.sent(at: at(4))
      let hop = second.followed(at: at(5))
      hop.answered(Answer(status: 200), at: at(6))
      hop.body(.in, bytes: 3, done: false, differs: [.key, .body], at: at(7))
      hop.failed(.tls, sent: true, at: at(8))
      second.failed(.unreach, at: at(9))
      request.cancelled(at: at(10))
      request.stopped(.notReplayable, at: at(11))
      let stream = tap.stream()
      tap.origin().request(.other).sent(at: at(12))
        .answered(Answer(status: 200), type: .eventStream, stream: stream, at: at(13))
    }
    #expect(
      lines == [
        #"{"t":0,"ch":"http1","ev":"http.send","req":1,"try":1,"method":"PUT","replayable":true,"key":"k1","bytes":9}"#,
        #"{"t":1,"ch":"http1","ev":"http.body","req":1,"try":1,"dir":"out","bytes":9,"done":true}"#,
        #"{"t":2,"ch":"http1","ev":"http.response","req":1,"try":1,"status":503,"retryAfter":2,"age":4,"type":"other"}"#,
        #"{"t":3,"ch":"http1","ev":"http.wait","req":1,"try":2,"for":2000000,"unit":1000000}"#,
        #"{"t":4,"ch":"http1","ev":"http.send","req":1,"try":2,"method":"PUT","replayable":true,"key":"k1","bytes":9}"#,
        #"{"t":5,"ch":"http1","ev":"http.send","req":1,"try":2,"hop":1,"method":"PUT","replayable":true,"key":"k1","bytes":9}"#,
        #"{"t":6,"ch":"http1","ev":"http.response","req":1,"try":2,"hop":1,"status":200}"#,
        #"{"t":7,"ch":"http1","ev":"http.body","req":1,"try":2,"dir":"in","bytes":3,"done":false,"differs":["key","body"]}"#,
        #"{"t":8,"ch":"http1","ev":"http.error","req":1,"try":2,"cause":"tls","sent":true}"#,
        #"{"t":9,"ch":"http1","ev":"http.error","req":1,"try":2,"cause":"unreach"}"#,
        #"{"t":10,"ch":"http1","ev":"http.cancel","req":1}"#,
        #"{"t":11,"ch":"http1","ev":"http.stop","req":1,"why":"notReplayable"}"#,
        #"{"t":12,"ch":"http2","ev":"http.send","req":1,"try":1,"method":"OTHER"}"#,
        #"{"t":13,"ch":"http2","ev":"http.response","req":1,"try":1,"status":200,"type":"text/event-stream","sse":"sse1"}"#,
      ])
  }

  @Test func streams() throws {
    let lines = try lines { tap in
      let stream = tap.stream()
      let connection = stream.connect(cursor: 0, at: at(0))
      connection.opened(Answer(status: 200), type: .eventStream, at: at(1))
      connection.retry(milliseconds: 5_000_000_000, at: at(2))
      connection.comment(at: at(3))
      connection.event(EventStream.Block(n: 1), bytes: 4, at: at(4))
      connection.event(EventStream.Block(n: 2, id: 1, revision: 2), bytes: 5, at: at(5))
      connection.handled(n: 1, succeeded: true, at: at(6))
      connection.handled(n: 2, succeeded: false, at: at(7))
      connection.id(1, at: at(8))
      stream.commit(cursor: 1, at: at(9))
      connection.note(.idForgot, at: at(10))
      connection.cut(.eof, .in, partial: 17, at: at(11))
      stream.connect(cursor: 1, at: at(12)).tick(at: at(13))
      stream.cancelled(at: at(14))
    }
    #expect(
      lines == [
        #"{"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}"#,
        #"{"t":1,"ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream"}"#,
        #"{"t":2,"ch":"sse1","gen":1,"ev":"sse.retry","ms":2147483647}"#,
        #"{"t":3,"ch":"sse1","gen":1,"ev":"sse.comment"}"#,
        #"{"t":4,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"bytes":4}"#,
        #"{"t":5,"ch":"sse1","gen":1,"ev":"sse.event","n":2,"id":"e1","rev":2,"bytes":5}"#,
        #"{"t":6,"ch":"sse1","gen":1,"ev":"sse.handled","n":1,"ok":true}"#,
        #"{"t":7,"ch":"sse1","gen":1,"ev":"sse.handled","n":2,"ok":false}"#,
        #"{"t":8,"ch":"sse1","gen":1,"ev":"sse.id","id":"e1"}"#,
        #"{"t":9,"ch":"sse1","ev":"sse.commit","cursor":"e1"}"#,
        #"{"t":10,"ch":"sse1","gen":1,"ev":"rec.note","note":"idForgot"}"#,
        #"{"t":11,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":17}"#,
        #"{"t":12,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e1"}"#,
        #"{"t":13,"ch":"sse1","gen":2,"ev":"rec.tick"}"#,
        #"{"t":14,"ch":"sse1","ev":"sse.cancel"}"#,
      ])
  }

  @Test func theApp() throws {
    let lines = try lines { tap in
      tap.app(.background, at: at(0))
      tap.app(.foreground, at: at(1))
      for (index, network) in Network.allCases.enumerated() { tap.app(.network(network), at: at(2 + index)) }
      #expect(tap.session(at: at(7)) == 1)
      #expect(tap.session(at: at(8)) == 2)
    }
    #expect(
      lines == [
        #"{"t":0,"ev":"app.background"}"#, #"{"t":1,"ev":"app.foreground"}"#,
        #"{"t":2,"ev":"app.network","to":"none"}"#, #"{"t":3,"ev":"app.network","to":"wifi"}"#,
        #"{"t":4,"ev":"app.network","to":"cell"}"#, #"{"t":5,"ev":"app.network","to":"wired"}"#,
        #"{"t":6,"ev":"app.network","to":"other"}"#, #"{"t":7,"ev":"app.session","session":1}"#,
        #"{"t":8,"ev":"app.session","session":2}"#,
      ])
  }

  @Test("a status or code out of range is left out, and noted")
  func outOfRange() throws {
    let lines = try lines { tap in
      let connection = tap.socket().connect(at: at(0))
      connection.opened(status: 42, at: at(1))
      connection.closeReceived(code: 999, at: at(2))
      connection.closeSent(code: Int.max, by: .unknown, at: at(3))
      tap.origin().request(.get).sent(at: at(4)).answered(Answer(status: 600), at: at(5))
      tap.stream().connect(at: at(6)).opened(Answer(status: -1), type: nil, at: at(7))
    }
    #expect(
      lines == [
        #"{"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}"#, #"{"t":1,"ch":"ws1","gen":1,"ev":"ws.open"}"#,
        #"{"t":1,"ch":"ws1","gen":1,"ev":"rec.note","note":"statusOut"}"#,
        #"{"t":2,"ch":"ws1","gen":1,"ev":"ws.close","dir":"in"}"#,
        #"{"t":2,"ch":"ws1","gen":1,"ev":"rec.note","note":"codeOut"}"#,
        #"{"t":3,"ch":"ws1","gen":1,"ev":"ws.close","dir":"out","by":"unknown"}"#,
        #"{"t":3,"ch":"ws1","gen":1,"ev":"rec.note","note":"codeOut"}"#,
        #"{"t":4,"ch":"http1","ev":"http.send","req":1,"try":1,"method":"GET"}"#,
        #"{"t":5,"ch":"http1","ev":"http.response","req":1,"try":1}"#,
        #"{"t":5,"ch":"http1","ev":"rec.note","note":"statusOut"}"#,
        #"{"t":6,"ch":"sse1","gen":1,"ev":"sse.connect"}"#, #"{"t":7,"ch":"sse1","gen":1,"ev":"sse.open"}"#,
        #"{"t":7,"ch":"sse1","gen":1,"ev":"rec.note","note":"statusOut"}"#,
      ])
  }

  @Test("dates count from the midnight before the recording, within a year of their receipt")
  func dates() throws {
    let midnight = 1_790_000_000 - 51_200
    let answers = [
      Answer(status: 503, retryAfter: .date(midnight + 60_000, .imf), date: midnight + 51_201),
      Answer(status: 429, retryAfter: .date(midnight - 7, .rfc850)),
      Answer(status: 429, retryAfter: .date(.max, .asctime), date: 0),
      Answer(status: 429, retryAfter: .seconds(2_147_483_648)),
      Answer(status: 429, retryAfter: .invalid(.weekday)),
    ]
    let lines = try lines { tap in
      let request = tap.origin().request(.get)
      for (index, answer) in answers.enumerated() {
        request.sent(at: at(index)).answered(answer, at: at(index))
      }
    }
    #expect(
      lines.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) == [
        #"{"t":0,"ch":"http1","ev":"http.response","req":1,"try":1,"status":503,"retryAt":60000,"date":51201}"#,
        #"{"t":1,"ch":"http1","ev":"http.response","req":1,"try":2,"status":429,"retryAt":-7,"retryForm":"rfc850"}"#,
        #"{"t":2,"ch":"http1","ev":"http.response","req":1,"try":3,"status":429,"retryAt":31673600,"retryForm":"asctime","date":-31571200}"#,
        #"{"t":3,"ch":"http1","ev":"http.response","req":1,"try":4,"status":429,"retryBad":"over"}"#,
        #"{"t":4,"ch":"http1","ev":"http.response","req":1,"try":5,"status":429,"retryBad":"weekday"}"#,
      ])
  }
}
