import CaptureGenerator
import GoldwireTrace
import Testing

/// A recording of a generated capture has exactly the events that the generator put there.
@Suite struct TruthTests {
  static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]

  @Test(arguments: seeds) func everyCountIsRight(seed: UInt64) throws {
    let made = Made(seed: seed)
    let lines = try made.lines()
    #expect(Tally(lines).differences(from: Tally(made.truth)) == [])
    guard case .recEnd(_, let counts) = lines.last?.event else {
      Issue.record("the recording has no end")
      return
    }
    #expect(counts?.packets == made.truth.packets)
    #expect(counts?.connections == made.truth.connections)
  }

  @Test("packets of different connections in another order", arguments: seeds)
  func shuffled(seed: UInt64) throws {
    let made = Made(seed: seed) { $0.shuffle = 50_000 }
    #expect(made.truth == Made(seed: seed).truth)
    #expect(made.bytes != Made(seed: seed).bytes)
    #expect(Tally(try made.lines()).differences(from: Tally(made.truth)) == [])
  }

  @Test("two interfaces of different link types and clocks", arguments: seeds)
  func pcapng(seed: UInt64) throws {
    let made = Made(seed: seed) { $0.isPcapng = true }
    #expect(try made.lines() == Made(seed: seed).lines())
  }

  @Test func smallMessagesAndLargeOnes() throws {
    for payload in [4, 3_000] {
      let made = Made(seed: 9) { $0.payload = payload }
      #expect(Tally(try made.lines()).differences(from: Tally(made.truth)) == [])
    }
  }

  @Test func everyKindOccurs() {
    let truth = Made(seed: 1) { ($0.connections, $0.targetBytes) = (300, 1_800_000) }.truth
    let kinds = [
      "http.send GET", "http.send HEAD", "http.send POST", "http.send PUT", "http.send again",
      "http.response 100", "http.response 200", "http.response 204", "http.response 304",
      "http.response 429", "http.response 503", "http.response retryAt", "http.body in cut",
      "http.error fin", "http.error reset", "ws.open deflate", "ws.refused 403", "ws.message since",
      "ws.ping in", "ws.ping out", "ws.pong in", "ws.pong out", "ws.close in 1011", "ws.end in reset",
      "ws.end out fin", "sse.connect cursor", "sse.open 503", "sse.event id", "sse.id", "sse.retry",
      "sse.comment", "sse.cut in eof", "sse.cut in error", "sse.cut in reset", "sse.cut out local",
    ]
    #expect(kinds.filter { truth.counts[$0] == nil } == [])
    #expect(truth.again > 20)
    #expect(truth.late > 20)
  }

  @Test func equalOptionsGiveEqualBytes() {
    #expect(Made(seed: 5).bytes == Made(seed: 5).bytes)
    #expect(Made(seed: 5).bytes != Made(seed: 6).bytes)
    let made = Made(seed: 5)
    #expect(made.truth.json(made.options).contains("\"packets\": \(made.truth.packets),"))
  }
}
