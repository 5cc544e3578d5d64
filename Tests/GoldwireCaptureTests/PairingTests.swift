import GoldwireTestSupport
import Testing

/// Which response answers which request where bytes are missing, or start no message.
@Suite struct PairingTests {
  /// A request with the number of its response in its length.
  static func post(_ number: Int) -> String {
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(number)\r\n\r\n" + String(repeating: "q", count: number)
  }

  /// The response to it.
  static func answer(_ number: Int) -> String {
    "HTTP/1.1 20\(number) X\r\nContent-Length: 2\r\n\r\nok"
  }

  /// The pairs of a trace: what a request's length and its response's status say; and the failures.
  static func pairs(_ capture: CaptureBuilder) throws -> (right: [Int], wrong: [String], errors: Int) {
    var lengths: [String: Int] = [:]
    var result = (right: [Int](), wrong: [String](), errors: 0)
    for line in try Recording(capture).plain {
      let name = line.split(separator: ",").first { $0.hasPrefix("\"req\"") }.map(String.init) ?? ""
      let value = line.split(separator: ":").last.flatMap { Int($0) } ?? -1
      if line.contains("http.send") { lengths[name] = value }
      if line.contains("http.error") { result.errors += 1 }
      guard line.contains("http.response"), let length = lengths[name] else { continue }
      if value == 200 + length { result.right.append(length) } else { result.wrong.append(line) }
    }
    return result
  }

  @Test("Bytes behind a response may hide others: none is assigned to the request before its own")
  func behindResponse() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.post(1))
    capture.send(socket, .server, Self.answer(1) + " and more")
    for number in 2...5 {
      capture.send(socket, .client, Self.post(number))
      capture.send(socket, .server, Self.answer(number))
    }
    capture.close(socket)
    let told = try Self.pairs(capture)
    #expect(told.right == [1] && told.wrong.isEmpty && told.errors == 0)
  }

  @Test("A recording that begins inside a response assigns none that it cannot")
  func insideResponse() throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.lost { $0.connect(socket) }
    capture.send(socket, .client, Self.post(1))
    capture.send(socket, .server, "rest of the body before")
    capture.send(socket, .server, Self.answer(1))
    for number in 2...5 {
      capture.send(socket, .client, Self.post(number))
      capture.send(socket, .server, Self.answer(number))
    }
    capture.close(socket)
    let told = try Self.pairs(capture)
    #expect(told.wrong.isEmpty && told.errors == 0)
  }

  @Test("After a second of silence, with everything acknowledged, responses are assigned again")
  func silence() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.post(1))
    capture.send(socket, .server, Self.answer(1))
    capture.lost { $0.send(socket, .client, Self.post(2)) }
    capture.send(socket, .client, Self.post(3))
    capture.send(socket, .server, Self.answer(2))
    capture.send(socket, .server, Self.answer(3))
    capture.ack(socket, by: .client)
    capture.send(socket, .client, Self.post(4), at: 5_000_000)
    capture.send(socket, .server, Self.answer(4))
    capture.close(socket)
    let told = try Self.pairs(capture)
    #expect(told.right == [1, 4] && told.wrong.isEmpty && told.errors == 0)
  }

  @Test("A burst of which the first request is lost: the server's acknowledgment shows it")
  func lostOfBurst() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.post(1))
    capture.send(socket, .server, Self.answer(1))
    capture.lost { $0.send(socket, .client, Self.post(2)) }
    capture.send(socket, .client, Self.post(3))
    for number in 2...3 { capture.send(socket, .server, Self.answer(number)) }
    capture.send(socket, .client, Self.post(4))
    capture.send(socket, .server, Self.answer(4))
    capture.close(socket)
    let told = try Self.pairs(capture)
    #expect(told.right == [1] && told.wrong.isEmpty && told.errors == 0)
  }

  @Test("A connection whose first request is lost assigns no response to the second")
  func lostFirst() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.lost { $0.send(socket, .client, Self.post(1)) }
    capture.send(socket, .client, Self.post(2))
    for number in 1...2 { capture.send(socket, .server, Self.answer(number)) }
    capture.close(socket)
    let told = try Self.pairs(capture)
    #expect(told.wrong.isEmpty && told.errors == 0)
  }

  @Test("Requests before the missing ones keep their responses, and fail where none comes")
  func beforeLost() throws {
    for isAnswered in [true, false] {
      var capture = CaptureBuilder()
      let socket = capture.open()
      capture.send(socket, .client, Self.post(1))
      capture.lost { $0.send(socket, .client, Self.post(2)) }
      capture.send(socket, .client, Self.post(3))
      capture.ack(socket, by: .server)
      if isAnswered { for number in 1...3 { capture.send(socket, .server, Self.answer(number)) } }
      capture.close(socket, .server)
      let told = try Self.pairs(capture)
      #expect(told.right == (isAnswered ? [1] : []) && told.wrong.isEmpty)
      #expect(told.errors == (isAnswered ? 0 : 2))
    }
  }

  @Test("A lost response belongs to the oldest request: the one behind it is told, of two neither")
  func lostResponse() throws {
    for count in [2, 3] {
      var capture = CaptureBuilder()
      let socket = capture.open()
      capture.send(socket, .client, Self.post(1))
      capture.lost { $0.send(socket, .server, Self.answer(1)) }
      for number in 2...count { capture.send(socket, .client, Self.post(number)) }
      for number in 2...count { capture.send(socket, .server, Self.answer(number)) }
      capture.close(socket)
      let told = try Self.pairs(capture)
      #expect(told.right == (count == 2 ? [2] : [3]) && told.wrong.isEmpty && told.errors == 0)
    }
  }

  @Test("A response whose request may be HEAD has a body only if one follows", arguments: [true, false])
  func maybeHead(isHead: Bool) throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, Self.post(1))
    capture.send(socket, .server, Self.answer(1))
    capture.lost { $0.send(socket, .client, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n") }
    capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n")
    if !isHead { capture.send(socket, .server, String(repeating: "b", count: 43)) }
    capture.send(socket, .client, Self.post(2), at: 5_000_000)
    capture.send(socket, .server, Self.answer(2))
    capture.close(socket)
    let told = try Recording(capture).plain
    #expect(told.count { $0.contains("http.response") } == 3)
    #expect(told.contains { $0.contains(#""dir":"in","bytes":43,"done":true"#) } == !isHead)
    #expect(!told.contains { $0.contains("http.error") })
  }

  @Test("A connection that ends behind such a head leaves no failure") func endsUncertain() throws {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.lost { $0.send(socket, .client, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n") }
    capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Length: 43\r\n\r\n")
    capture.close(socket, .server)
    let told = try Recording(capture).plain
    #expect(told.count { $0.contains("http.response") } == 1)
    #expect(!told.contains { $0.contains("http.error") || $0.contains("http.body") })
  }
}
