import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Clients whose pings are put off by traffic: the machine has no such cadence, and holds them to none.
@Suite struct TrafficInferenceTests {
  /// What a client's pings wait behind.
  private enum Start: CaseIterable { case inbound, outbound, both, pong, ping }

  /// A client that pings 15 s after whatever it counts from, while both peers send at times of their own.
  private static func trace(_ start: Start, seed: UInt64, inbound: Int = 40, outbound: Int = 40) -> Trace {
    var random = SeededGenerator(seed: seed)
    func times(_ count: Int) -> [Int] {
      (0..<count).map { _ in Int.random(in: 1_000...1_200_000, using: &random) }.sorted()
    }
    var messages = (times(inbound).map { (t: $0, dir: Direction.in) } + times(outbound).map { ($0, .out) })
      .sorted { $0.t < $1.t }[...]
    let channel = Channel(.ws, 1)
    var lines = [
      TraceLine(t: 0, channel: channel, generation: 1, event: .wsConnect),
      TraceLine(t: 50, channel: channel, generation: 1, event: .wsOpen(status: 101, deflate: nil)),
    ]
    func put(_ t: Int, _ event: TraceEvent) {
      lines.append(TraceLine(t: t, channel: channel, generation: 1, event: event))
    }
    var (from, ping, pong) = (50, 0, Int.max)
    while from < 1_200_000 {
      let due = from + 15_000 + Int.random(in: 0...20, using: &random)
      let message = messages.first?.t ?? .max
      if pong < min(due, message) {
        put(pong, .wsPong(dir: .in, id: ping, bytes: 0))
        if start != .outbound, start != .ping { from = pong }
        pong = .max
      } else if let first = messages.first, first.t < due {
        messages.removeFirst()
        put(first.t, .wsMessage(WSMessage(dir: first.dir, kind: .text, bytes: 5)))
        if start == .both || start == (first.dir == .in ? .inbound : .outbound) { from = first.t }
      } else {
        ping += 1
        put(due, .wsPing(dir: .out, id: ping, bytes: 0))
        (from, pong) = (due, due + Int.random(in: 40...80, using: &random))
      }
    }
    lines.append(TraceLine(t: from, event: .recEnd(why: .stopped, counts: nil)))
    return Trace(
      header: TraceHeader(tool: "test", source: .tap, unit: .ms, clock: .continuous, at: .client),
      lines: lines)
  }

  private static func cadence(_ trace: Trace) -> (words: InferredValue.Value?, inference: Inference) {
    let inference = Inference(trace, .heartbeat)
    return (inference["cadence"]?.value, inference)
  }

  @Test("what the pings wait behind is told, and the machine is held to none of it", arguments: 0..<20)
  func told(seed: UInt64) {
    let cases: [(Start, String)] = [
      (.inbound, "afterInbound"), (.outbound, "afterOutbound"), (.both, "afterTraffic"),
    ]
    for (start, word) in cases {
      let (words, inference) = Self.cadence(Self.trace(start, seed: seed))
      #expect(words == .words([word]), "\(start) \(seed): \(String(describing: words))")
      #expect(inference.mismatch?.names == [.cadence])
      #expect(inference.mismatch?.reason.hasSuffix("and the machine has no such cadence") == true)
      #expect(inference["interval"]?.value.allows(span: 15_000) == true, "\(start) \(seed)")
      #expect(inference["cadence"]?.taken == nil && !inference.isBounded)
    }
  }

  @Test("traffic changes nothing for a client that counts from its pongs or pings", arguments: 0..<20)
  func own(seed: UInt64) throws {
    for start in [Start.pong, .ping] {
      let (words, inference) = Self.cadence(Self.trace(start, seed: seed))
      #expect(words == .words(["afterPong", "fixed"]), "\(start) \(seed): \(String(describing: words))")
      #expect(inference.mismatch == nil)
    }
  }

  @Test("where one peer alone sends, what hears both is left open")
  func oneSided() {
    #expect(
      Self.cadence(Self.trace(.inbound, seed: 1, outbound: 0)).words
        == .words(["afterInbound", "afterTraffic"]))
    #expect(
      Self.cadence(Self.trace(.outbound, seed: 1, inbound: 0)).words
        == .words(["afterOutbound", "afterTraffic"]))
  }

  @Test("one ping that came otherwise is a departure, and no other cadence")
  func once() throws {
    var lines = [
      "0 ws1#1 ws.connect", "50 ws1#1 ws.open status=101",
    ]
    var t = 50
    for id in 1...6 {
      t += id == 4 ? 22_000 : 15_000
      // The peer's message before the late one stands where that one would be counted from.
      if id == 4 { lines.append("\(t - 15_000) ws1#1 ws.message dir=in kind=text bytes=3") }
      lines += ["\(t) ws1#1 ws.ping dir=out id=\(id)", "\(t + 40) ws1#1 ws.pong dir=in id=\(id)"]
      t += 40
    }
    let inference = try Inference(Written(lines: lines, source: "tap").trace(), .heartbeat)
    #expect(inference.mismatch == nil && inference["cadence"]?.value.allows(word: "afterPong") == true)
    let parameters = try #require(inference.parameters)
    #expect(try Conformance(Written(lines: lines, source: "tap").trace(), parameters).departures.count > 0)
  }
}
