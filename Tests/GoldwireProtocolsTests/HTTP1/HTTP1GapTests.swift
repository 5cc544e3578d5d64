import GoldwireProtocols
import Testing

/// Gaps in a recording: what is counted over, where decoding goes on, and what is not guessed.
@Suite struct HTTP1GapTests {
  private let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
  private func response(_ length: Int, _ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" + body
  }

  @Test("A gap in a body of known length is counted over") func inLength() {
    var reading = HTTP1Reading()
    reading.take(.requests, get + get)
    reading.take(.responses, response(10, "abc"))
    #expect(reading.lose(.responses, 4) == .counted)
    reading.take(.responses, "xyz" + response(0, ""))
    #expect(
      reading.told.dropFirst(2) == [
        "#0 200 to GET length(10)", "body abcxyz", "end 10 lost 4", "#1 200 to GET length(0)", "end 0",
      ])
  }

  @Test("A gap that is just the rest of a body leaves decoding in step") func restOfLength() {
    var reading = HTTP1Reading()
    reading.take(.responses, response(10, "abc"))
    #expect(reading.lose(.responses, 7) == .counted)
    reading.take(.responses, response(0, ""))
    #expect(reading.told.last == "end 0" && reading.told.contains("end 10 lost 7"))
    #expect(!reading.told.contains { $0.hasPrefix("resumed") })
  }

  @Test("A gap in a chunk is counted over, one beyond it is not") func inChunk() {
    let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nab"
    var reading = HTTP1Reading()
    reading.take(.responses, start)
    #expect(reading.lose(.responses, 5) == .counted)
    reading.take(.responses, "h\r\n8\r\nx")
    #expect(reading.lose(.responses, 7) == .counted)
    reading.take(.responses, "\r\n0\r\n\r\n")
    #expect(reading.told == ["#- 200 to OTHER chunked", "body abhx", "end 16 lost 12"])

    var other = HTTP1Reading()
    other.take(.responses, start)
    #expect(other.lose(.responses, 7) == .resynchronising)
    other.take(.responses, "junk\r\n" + response(2, "hi"))
    #expect(
      other.told == [
        "#- 200 to OTHER chunked", "body ab", "end 2 cut", "resumed 6", "#- 200 to OTHER length(2)",
        "body hi", "end 2",
      ])
  }

  @Test("The response to a HEAD that was missed takes the next one's bytes; those after it are paired anew")
  func missedHead() {
    var reading = HTTP1Reading()
    reading.take(.responses, response(20, ""))
    for status in [201, 202] {
      reading.take(.requests, get)
      reading.take(.responses, "HTTP/1.1 \(status) OK\r\nContent-Length: 3\r\n\r\nhi\n")
    }
    #expect(reading.told.last == "end 3")
    #expect(reading.told.contains("#1 202 to GET length(3)"))
    #expect(reading.exchanges.outstanding == 0)
  }

  @Test("A gap longer than the body ends it; the next start is looked for") func beyondLength() {
    var reading = HTTP1Reading()
    reading.take(.responses, response(10, "abc"))
    #expect(reading.lose(.responses, 8) == .resynchronising)
    #expect(reading.responses.isResynchronising)
    reading.take(.responses, "rest of another body\nHTTP/1.1 but not a start")
    reading.take(.responses, " \r\n\r\n")
    #expect(reading.told[1...2] == ["body abc", "end 10 lost 7"])
  }

  @Test("A gap of unknown size ends a body where it is") func unknown() {
    var reading = HTTP1Reading()
    reading.take(.responses, response(10, "abc"))
    #expect(reading.lose(.responses, nil) == .resynchronising)
    reading.take(.responses, "x")
    #expect(reading.told[1...] == ["body abc", "end 3 cut"])
  }

  @Test("A gap in a body up to the end of the connection is part of it") func untilClose() {
    var reading = HTTP1Reading()
    reading.take(.responses, "HTTP/1.0 200 OK\r\n\r\nabc")
    #expect(reading.lose(.responses, 5) == .counted)
    reading.finish(.responses)
    #expect(reading.told[1...] == ["body abc", "end 8 lost 5"])
  }

  @Test("A gap in a head drops it; a start right after the gap is found") func inHead() {
    var reading = HTTP1Reading()
    reading.take(.requests, "GET /a HTTP/1.1\r\nHo")
    #expect(reading.lose(.requests, 100) == .resynchronising)
    reading.take(.requests, "GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(reading.told == ["resumed 0", "#0 GET /b none"])
  }

  @Test("A lost response answers the oldest request, the next one the request behind it")
  func pairsNext() {
    var reading = HTTP1Reading()
    reading.take(.requests, get + get)
    #expect(reading.lose(.responses, 40) == .resynchronising)
    #expect(!reading.exchanges.isPaired && !reading.exchanges.isUnanswered)
    reading.take(.responses, response(0, ""))
    #expect(reading.told.contains("#1 200 to GET length(0)"))
    #expect(reading.exchanges.outstanding == 0 && reading.exchanges.isPaired)
  }

  @Test("A response that may answer one of two requests is assigned to neither") func unsure() {
    var reading = HTTP1Reading()
    reading.take(.requests, get + get + get)
    _ = reading.lose(.responses, 40)
    reading.take(.responses, response(0, ""))
    #expect(reading.told.contains("#- 200 to OTHER length(0)"))
    #expect(!reading.exchanges.isPaired && reading.exchanges.outstanding == 1)
    reading.take(.responses, response(1, "x"))
    #expect(reading.told.contains("#2 200 to GET length(1)"))
    #expect(reading.exchanges.isPaired)
  }

  @Test("A hole that may be an interim response, or the end of a body, begins no response")
  func beginsNone() {
    var reading = HTTP1Reading()
    reading.take(.requests, "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n" + get)
    _ = reading.lose(.responses, 25)
    #expect(reading.exchanges.outstanding == 2)
    var chunked = HTTP1Reading()
    chunked.take(.requests, get + get + get)
    chunked.take(.responses, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nab")
    _ = chunked.lose(.responses, 50)
    #expect(chunked.exchanges.outstanding == 2)
  }

  @Test("Where requests may be missing no later one is answered, until all are settled")
  func missingRequests() {
    var reading = HTTP1Reading()
    reading.take(.requests, get)
    _ = reading.lose(.requests, 40)
    reading.take(.requests, get)
    reading.take(.responses, response(0, "") + response(1, "x"))
    #expect(reading.told.contains("#0 200 to GET length(0)"))
    #expect(reading.told.contains("#- 200 to OTHER length(1)"))
    #expect(!reading.exchanges.isUnanswered)
    reading.exchanges.settle()
    reading.take(.requests, get)
    reading.take(.responses, response(2, "ok"))
    #expect(reading.told.contains("#2 200 to GET length(2)"))
  }

  @Test("A gap of nothing, one after a switch, one after the end") func nothing() {
    var reading = HTTP1Reading()
    #expect(reading.lose(.requests, 0) == .counted)
    reading.take(.requests, "PRI * HTTP/2.0\r\n\r\n")
    #expect(reading.lose(.requests, 5) == .ignored)
    reading.finish(.responses)
    #expect(reading.lose(.responses, 5) == .ignored)
  }

  @Test("Sizes near the largest number never trap") func huge() {
    var reading = HTTP1Reading()
    reading.take(.responses, response(Int.max, "abc"))
    #expect(reading.lose(.responses, Int.max - 4) == .counted)
    #expect(reading.lose(.responses, Int.max) == .resynchronising)
    reading.take(.responses, "x")
    #expect(reading.told.contains("end \(Int.max) lost \(Int.max - 3)"))
    var second = HTTP1Reading()
    second.take(.requests, get)
    second.take(.responses, "HTTP/1.0 200 OK\r\n\r\n")
    _ = second.lose(.responses, Int.max)
    #expect(second.lose(.responses, Int.max) == .counted)
    second.take(.responses, "x")
    second.finish(.responses)
    #expect(second.told.last == "end \(Int.max) lost \(Int.max)")
  }
}
