import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// Thousands of damaged conversations: nothing traps, nothing loops, and pieces never matter.
@Suite struct HTTP1MutationTests {
  private static let requests: [String] = [
    "GET /a HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n\r\nPOST /b HTTP/1.1\r\nHost: h\r\n"
      + "Content-Length: 5\r\n\r\nhelloHEAD /c HTTP/1.0\n\n",
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: x\r\n\r\n"
      + "GET /w HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n",
  ]
  private static let responses: [String] = [
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 304 No\r\n\r\n"
      + "HTTP/1.1 503 No\r\nRetry-After: 1\r\nRetry-After: 2\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: a\r\n b\r\n\r\n3\r\nabc\r\n0\r\n\r\nHTTP/1.1 101 S\r\n"
      + "Upgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9\r\n\r\n\u{1}\u{2}",
    "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: x\n\n",
  ]
  private static let words: [[UInt8]] = [
    "\r", "\n", "\r\n\r\n", ":", " ", "\t", ",", "0", "-1", "7fffffffffffffff", "9223372036854775807",
    "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "HTTP/1.1 200 OK\r\n", "GET / HTTP/1.1\r\n",
    "HTTP/1.",
    "PRI * HTTP/2.0\r\n", "\u{0}",
  ].map { Array($0.utf8) }

  private static var small: HTTP1Limits {
    var limits = HTTP1Limits()
    limits.headBytes = 150
    limits.chunkLineBytes = 12
    limits.trailerBytes = 20
    limits.outstanding = 3
    return limits
  }

  @Test("However damaged bytes are cut, the same is told", arguments: [HTTP1Limits(), small])
  func piecesNeverMatter(_ limits: HTTP1Limits) {
    var mutator = Mutator(seed: 1, dictionary: Self.words)
    for round in 0..<1_500 {
      let isRequest = round % 2 == 0
      let role = isRequest ? HTTP1Role.requests : .responses
      let seeds = isRequest ? Self.requests : Self.responses
      let asked = isRequest ? "" : Self.requests[mutator.number(0...2)]
      let bytes = mutator.mutate(Array(seeds[mutator.number(0...2)].utf8))
      let whole = HTTP1Reading.of(role, [bytes], after: asked, limits: limits, finishing: true)
      let cut = mutator.pieces(of: bytes)
      let pieces = HTTP1Reading.of(role, cut, after: asked, limits: limits, finishing: true)
      #expect(whole == pieces, "round \(round): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      if whole != pieces { return }
    }
  }

  @Test("Both directions, with gaps anywhere: no trap, no loop, events bounded by bytes")
  func gaps() {
    var mutator = Mutator(seed: 2, dictionary: Self.words)
    for _ in 0..<1_000 {
      var reading = HTTP1Reading(limits: Self.small)
      var bytes = 0
      for _ in 0..<3 {
        for (role, seeds) in [(HTTP1Role.requests, Self.requests), (.responses, Self.responses)] {
          let damaged = mutator.mutate(Array(seeds[mutator.number(0...2)].utf8))
          bytes += damaged.count
          for piece in mutator.pieces(of: damaged) {
            if mutator.number(0...15) == 0 {
              let counts = [nil, 0, 1, 2, 5, 100, Int.max, -1]
              _ = reading.lose(role, counts[mutator.number(0...counts.count - 1)])
            }
            reading.take(role, piece)
          }
        }
      }
      reading.finish(.requests)
      reading.finish(.responses)
      #expect(reading.events <= 3 * bytes + 50)
    }
  }
}
