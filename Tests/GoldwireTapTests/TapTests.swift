import GoldwireMachines
import GoldwireTap
import GoldwireTrace
import Testing

/// A recording is a trace like any other.
@Suite struct TapTests {
  @Test func aSessionIsATrace() throws {
    let recording = try Recording(
      parameters: TapParameters(
        heartbeat: try Heartbeat.Parameters(interval: 30_000_000, timeout: 5_000_000)),
      blind: [.wsClose])
    let connection = recording.tap.socket().connect(at: at(0))
    connection.opened(deflate: true, at: at(30_412))
    let ping = connection.pingSent(bytes: 4, at: at(30_030_517))
    connection.pongReceived(ping, bytes: 4, at: at(30_071_204))
    connection.ended(.reset, .in, at: at(51_200_000))
    recording.tap.finish(at: at(61_000_000))
    let inForce =
      #"{"heartbeat":{"interval":"30s","timeout":"5s","connectTimeout":"off","policy":"pongOnly","cadence":"afterPong"}}"#
    #expect(
      String(decoding: recording.bytes, as: UTF8.self) == """
        {"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"us","clock":"continuous","wall":51200000000,"at":"client",\
        "blind":["ws.close"],"inForce":\(inForce),"inForceBy":"driver"}
        {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
        {"t":30412,"ch":"ws1","gen":1,"ev":"ws.open","status":101,"deflate":true}
        {"t":30030517,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":4}
        {"t":30071204,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":4}
        {"t":51200000,"ch":"ws1","gen":1,"ev":"ws.end","cause":"reset","dir":"in"}
        {"t":61000000,"ev":"rec.end","why":"stopped"}

        """)
  }

  @Test func withoutParametersNothingIsSaidOfThem() throws {
    let header = try Trace(bytes: try Recording().bytes).header
    #expect(header.inForce == nil)
    #expect(header.inForceBy == nil)
    #expect(header.source == .tap)
  }

  @Test func allParametersStandInTheHeader() throws {
    let parameters = TapParameters(
      heartbeat: try Heartbeat.Parameters(
        interval: 25_000_000, timeout: 10_000_000, connectTimeout: 7_000_000, policy: .anyInboundIsLife,
        cadence: .fixed),
      retry: try Retry.Parameters(
        unit: .milliseconds, cap: 20_000, statuses: [503, 429, 500], transport: true),
      stream: try EventStream.Parameters(unit: .microseconds, idle: 45_000_000, dedup: .idAndContent))
    let recording = try Recording(parameters: parameters)
    #expect(try TraceAudit.findings(in: recording.bytes) == [])
    #expect(
      String(decoding: recording.bytes, as: UTF8.self).contains(
        #""retry":{"base":"1s","factor":2,"cap":"20s","count":3,"statuses":[429,500,503],"transport":true,"oldDates":true}"#
      ))
    let table = try #require(try Trace(bytes: recording.bytes).header.inForce)
    #expect(table[.heartbeat]?[.connectTimeout] == .span(TimeSpan(microseconds: 7_000_000)))
    #expect(table[.heartbeat]?[.policy] == .word(.anyInboundIsLife))
    #expect(table[.heartbeat]?[.cadence] == .word(.fixed))
    #expect(table[.stream]?[.idle] == .span(TimeSpan(microseconds: 45_000_000)))
    #expect(table[.stream]?[.dedup] == .word(.idAndContent))
  }

  @Test("a factor that a header cannot say leaves the retries unknown")
  func factor() throws {
    let parameters = TapParameters(retry: try Retry.Parameters(unit: .microseconds, factor: 1.5))
    #expect(try Trace(bytes: try Recording(parameters: parameters).bytes).header.inForce == nil)
  }

  @Test func channelsAreNumberedByFamilyAndGenerationsByChannel() throws {
    let recording = try Recording()
    let (one, two) = (recording.tap.socket(), recording.tap.socket())
    _ = two.connect(at: at(1))
    _ = one.connect(at: at(2))
    _ = two.connect(at: at(3))
    _ = recording.tap.stream().connect(at: at(4))
    _ = recording.tap.origin().request(.get).sent(at: at(5))
    #expect(
      recording.finish(6) == [
        #"{"t":1,"ch":"ws2","gen":1,"ev":"ws.connect"}"#, #"{"t":2,"ch":"ws1","gen":1,"ev":"ws.connect"}"#,
        #"{"t":3,"ch":"ws2","gen":2,"ev":"ws.connect"}"#, #"{"t":4,"ch":"sse1","gen":1,"ev":"sse.connect"}"#,
        #"{"t":5,"ch":"http1","ev":"http.send","req":1,"try":1,"method":"GET"}"#,
        #"{"t":6,"ev":"rec.end","why":"stopped"}"#,
      ])
  }

  @Test(
    "pings are numbered in their connection and direction, and late ones of an older connection not at all")
  func pings() throws {
    let recording = try Recording()
    let chat = recording.tap.socket()
    let first = chat.connect(at: at(0))
    #expect(first.pingSent(at: at(1))?.number == 1)
    #expect(first.pingSent(at: at(2))?.number == 2)
    #expect(first.pingReceived(at: at(3))?.number == 1)
    let second = chat.connect(at: at(4))
    #expect(second.pingSent(at: at(5))?.number == 1)
    #expect(first.pingSent(at: at(6)) == nil)
    #expect(second.pingSent(at: at(7))?.number == 2)
    #expect(recording.finish(8)[6] == #"{"t":6,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out"}"#)
  }

  @Test("pseudonyms count from 1 in each channel, whatever numbers the tap was given")
  func pseudonyms() throws {
    let recording = try Recording()
    let (one, two) = (recording.tap.key(), recording.tap.key())
    _ = recording.tap.origin().request(.post, key: two).sent(at: at(1))
    let origin = recording.tap.origin()
    _ = origin.request(.post, key: two).sent(at: at(2))
    _ = origin.request(.post, key: one).sent(at: at(3))
    let stream = recording.tap.stream()
    let connection = stream.connect(cursor: 7, at: at(4))
    connection.event(EventStream.Block(n: 1, id: 9), bytes: 3, at: at(5))
    stream.commit(cursor: 9, at: at(6))
    connection.id(0, at: at(7))
    #expect(
      recording.finish(8).dropLast() == [
        #"{"t":1,"ch":"http1","ev":"http.send","req":1,"try":1,"method":"POST","key":"k1"}"#,
        #"{"t":2,"ch":"http2","ev":"http.send","req":1,"try":1,"method":"POST","key":"k1"}"#,
        #"{"t":3,"ch":"http2","ev":"http.send","req":2,"try":1,"method":"POST","key":"k2"}"#,
        #"{"t":4,"ch":"sse1","gen":1,"ev":"sse.connect","cursor":"e1"}"#,
        #"{"t":5,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e2","bytes":3}"#,
        #"{"t":6,"ch":"sse1","ev":"sse.commit","cursor":"e2"}"#,
        #"{"t":7,"ch":"sse1","gen":1,"ev":"sse.id","id":""}"#,
      ])
    #expect(try TraceAudit.findings(in: recording.bytes) == [])
  }

  @Test func whatComesAfterTheEndIsDropped() throws {
    let recording = try Recording()
    let chat = recording.tap.socket()
    _ = chat.connect(at: at(1))
    let lines = recording.finish(2)
    _ = chat.connect(at: at(3))
    recording.tap.drain(at: at(4))
    recording.tap.finish(at: at(5))
    #expect(recording.lines == lines)
    #expect(lines.count == 2)
  }
}
