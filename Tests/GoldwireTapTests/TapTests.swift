import GoldwireMachines
import GoldwireTap
import GoldwireTrace
import Testing

@Suite struct TapTests {
  @Test func aSessionIsATrace() throws {
    let recording = try Recording(
      parameters: TapParameters(
        heartbeat: try Heartbeat.Parameters(interval: 30_000_000, timeout: 5_000_000)),
      blind: [.wsClose])
    let chat = recording.tap.socket()
    let connection = chat.connect(at: at(0))
    connection.opened(deflate: true, at: at(30_412))
    let ping = connection.pingSent(bytes: 4, at: at(30_030_517))
    connection.pongReceived(ping, bytes: 4, at: at(30_071_204))
    connection.ended(.reset, .in, at: at(51_200_000))
    recording.tap.finish(at: at(61_000_000))
    let inForce =
      #"{"heartbeat":{"interval":"30s","timeout":"5s","connectTimeout":"off","policy":"pongOnly","cadence":"afterPong"}}"#
    #expect(
      recording.text == """
        {"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"us","clock":"continuous","wall":51200000000,"at":"client","blind":["ws.close"],"inForce":\(inForce),"inForceBy":"driver"}
        {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
        {"t":30412,"ch":"ws1","gen":1,"ev":"ws.open","status":101,"deflate":true}
        {"t":30030517,"ch":"ws1","gen":1,"ev":"ws.ping","dir":"out","id":1,"bytes":4}
        {"t":30071204,"ch":"ws1","gen":1,"ev":"ws.pong","dir":"in","id":1,"bytes":4}
        {"t":51200000,"ch":"ws1","gen":1,"ev":"ws.end","cause":"reset","dir":"in"}
        {"t":61000000,"ev":"rec.end","why":"stopped"}

        """)
  }
}
