import GoldwireProtocols
import Testing

/// Each limit: reached exactly it is kept, passed by one byte it is named.
@Suite struct HTTP1LimitTests {
  private static var small: HTTP1Limits {
    var limits = HTTP1Limits()
    limits.headBytes = 40
    limits.chunkLineBytes = 8
    limits.trailerBytes = 12
    return limits
  }
  private static let chunked = "HTTP/1.1 200 K\r\ntransfer-encoding:chunked\r\n\r\n"
  private static var chunks: HTTP1Limits {
    var limits = small
    limits.headBytes = 100
    return limits
  }

  static let cases: [HTTP1Case] = [
    .requests(
      "a head of just the limit", "GET /aaaaaaaaaa HTTP/1.1\r\nHost: hhhh\r\n\r\nx", limits: small,
      ["#0 GET /aaaaaaaaaa none"]),
    .requests(
      "a head over the limit",
      "GET /aaaaaaaaaa HTTP/1.1\r\nHost: hhhhh\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      limits: small, ["limit head", "resumed 41", "#0 GET / none"]),
    .requests(
      "a start line over the limit",
      "GET /" + String(repeating: "a", count: 90) + "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      limits: small, ["limit head", "resumed 96", "#0 GET / none"]),
    .responses(
      "a size line of just the limit", chunked + "1;aaaaa\r\nx\r\n0\r\n\r\n", limits: chunks,
      ["#0 200 to GET chunked", "body x", "end 1"]),
    .responses(
      "a size line over the limit", chunked + "1;aaaaaa\r\nx\r\n0\r\n\r\n", limits: chunks,
      ["#0 200 to GET chunked", "limit chunkLine", "end 0 cut"]),
    .responses(
      "a size of zeros over the limit", chunked + "000000000", limits: chunks,
      ["#0 200 to GET chunked", "limit chunkLine", "end 0 cut"]),
    .responses(
      "trailers of just the limit", chunked + "0\r\nA: bcdef\r\n\r\nx", limits: chunks,
      ["#0 200 to GET chunked", "end 0", "rfc9112-4"]),
    .responses(
      "trailers over the limit", chunked + "0\r\nA: bcdefgh\r\n\r\n", limits: chunks,
      ["#0 200 to GET chunked", "limit trailers", "end 0 cut"]),
  ]

  @Test("A limit holds", arguments: cases) func holds(_ limit: HTTP1Case) { limit.check() }

  @Test("Too many requests wait: pairing ends, reading does not") func outstanding() {
    var limits = HTTP1Limits()
    limits.outstanding = 2
    var reading = HTTP1Reading(limits: limits)
    let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    reading.take(.requests, get + get)
    #expect(reading.exchanges.outstanding == 2 && reading.exchanges.isPaired)
    reading.take(.requests, get)
    reading.take(.responses, "HTTP/1.1 204 OK\r\n\r\n")
    #expect(reading.told.suffix(3) == ["#- GET / none", "limit outstanding", "#- 204 to OTHER none"])
    #expect(!reading.exchanges.isPaired)
  }

  @Test("A long run of exchanges keeps its order and its memory") func longRun() {
    var reading = HTTP1Reading()
    let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    reading.take(.requests, String(repeating: get, count: 200))
    for index in 0..<300 {
      reading.take(.requests, get)
      reading.take(.responses, "HTTP/1.1 204 OK\r\n\r\n")
      #expect(reading.responses.head.exchange == index)
    }
    #expect(reading.exchanges.outstanding == 200)
  }
}
