import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// Thousands of damaged conversations: nothing traps, nothing loops, and pieces never matter.
@Suite struct WebSocketMutationTests {
  private static let seeds: [[UInt8]] = [
    Frames.text("Hello") + Frames.ping("p") + Frames.text("a€", isFinal: false) + Frames.rest("b")
      + Frames.close(1000),
    Frames.text("Hi", mask: 0x0102_0304) + Frames.frame(.binary, [1, 2, 3], mask: 9)
      + Frames.frame(.pong, [], mask: 7),
    [0xC1, 7, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x81, 2, 0x68, 0x69, 0xC1, 5, 0xF2, 0, 0x11, 0, 0],
    Frames.text(String(repeating: "long ", count: 30)) + Frames.close(1001, "bye"),
  ]
  private static let words: [[UInt8]] = [
    [0x81], [0x01], [0x80], [0x89], [0x88, 0], [0xC1], [126, 0, 1], [127, 0, 0, 0, 0, 0, 0, 0, 9],
    [127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [127, 0xFF, 0, 0, 0, 0, 0, 0, 0], [0xE2, 0x82],
    [0xFF],
  ]

  private func reading(_ number: Int) -> WebSocketReading {
    var deflate = PermessageDeflate()
    deflate.serverNoContextTakeover = number % 3 == 0
    let peers: [WebSocketPeer] = [.server, .client, .unknown]
    var limits = WebSocketLimits()
    limits.inflatedBytes = 40
    return WebSocketReading(
      from: peers[number % 3], extensions: WebSocketExtensions(deflate: number % 2 == 0 ? deflate : nil),
      inflater: SlowInflater(), inMiddle: number % 7 == 0, keeping: 16, limits: limits)
  }

  @Test("However damaged bytes are cut, the same is told") func piecesNeverMatter() {
    var mutator = Mutator(seed: 5, dictionary: Self.words)
    for round in 0..<1_500 {
      let bytes = mutator.mutate(Self.seeds[mutator.number(0...3)])
      var whole = reading(round)
      whole.take(bytes)
      var cut = reading(round)
      for piece in mutator.pieces(of: bytes) { cut.take(piece) }
      #expect(whole.lines == cut.lines, "round \(round): \(bytes)")
      if whole.lines != cut.lines { return }
    }
  }

  @Test("With gaps anywhere: no trap, no loop, events bounded by bytes") func gaps() {
    var mutator = Mutator(seed: 6, dictionary: Self.words)
    for round in 0..<1_500 {
      var reading = reading(round)
      var bytes = 0
      for _ in 0..<3 {
        let damaged = mutator.mutate(Self.seeds[mutator.number(0...3)])
        bytes += damaged.count
        for piece in mutator.pieces(of: damaged) {
          if mutator.number(0...9) == 0 {
            let counts = [nil, 0, 1, 2, 5, 100, Int.max, -1]
            _ = reading.decoder.lost(counts[mutator.number(0...counts.count - 1)])
          }
          reading.take(piece)
        }
      }
      #expect(reading.lines.count <= 3 * bytes + 20)
    }
  }

  @Test("The judgement of any bytes ends without a trap") func recognition() {
    var mutator = Mutator(seed: 7, dictionary: Self.words)
    for _ in 0..<3_000 {
      let bytes = mutator.mutate(Self.seeds[mutator.number(0...3)])
      if WebSocketRecognition.judge(bytes.span) != nil {
        #expect(WebSocketRecognition.structure(bytes.span) != nil)
      }
    }
  }
}
