import GoldwireReplay
import GoldwireTrace
import Testing

@Suite struct CausalModelTests {
  @Test func itNamesWhatWasInferredAndFromWhichLines() throws {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(4)
    recorded.unanswered()
    recorded.answer(after: 3.2)
    recorded.pings(2)
    recorded.unanswered()
    recorded.giveUp()
    recorded.connect(at: recorded.now + 2)
    recorded.pings(3)
    let end = recorded.now + 4
    recorded.event(at: end, "ws.end cause=reset dir=in")
    let text = try CausalModel(recorded.trace()).text()
    #expect(text.hasPrefix("ws1\n  11 clean round trips, 40ms to 40ms, 40ms in the middle (line 3, "))
    #expect(text.contains("the longest silence that was survived is 30.001s, up to "))
    #expect(
      text.contains(
        "a reply came after 3.2s, far later than its neighbours: an outage, a stall or a slow path (line 13)")
    )
    #expect(
      text.contains(
        "a ping of connection 1 was never answered: an outage, a stall or a slow path that began between "))
    #expect(text.contains("connection 2 ended by reset, with nothing outstanding: by itself (line "))
    let json = String(decoding: try CausalModel(recorded.trace()).json(), as: UTF8.self)
    #expect(json.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"ch\":\"ws1\",\"inferred\":\"") })
  }

  @Test func whatIsUnknownIsSaid() throws {
    let trace = try Written("0 ws1#1 ws.connect", "9 ws1#1 ws.open", "900 rec.end why=eof", source: "pcap")
      .trace()
    #expect(
      try CausalModel(trace).text().contains(
        "to state them, with the client's own values: goldwire cut TRACE"))
  }
}
