import GoldwireTestSupport
import Testing

/// What is told as a failure of a request, and what is not.
@Suite struct FailureTests {
  static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
  static let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"

  /// What is told of a connection with its handshake.
  static func told(_ talk: (inout CaptureBuilder, CaptureBuilder.Socket) -> Void) throws -> [String] {
    var capture = CaptureBuilder()
    let socket = capture.open()
    talk(&capture, socket)
    return try Recording(capture).plain
  }

  static func http(_ event: String) -> String { #""ch":"http1","gen":1,"ev":""# + event }

  @Test("A response without a usable length has failed, as one with a broken chunk has")
  func brokenLength() throws {
    for length in ["5\r\nContent-Length: 6", "five"] {
      let told = try Self.told { capture, socket in
        capture.send(socket, .client, Self.get)
        capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello!")
      }
      #expect(told.contains(Self.http(#"http.error","req":1,"try":1,"cause":"protocol","sent":true"#)))
    }
  }

  @Test("A stream's response without a usable length is broken") func brokenStream() throws {
    let told = try Self.told { capture, socket in
      capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
      capture.send(
        socket, .server,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: x\r\n\r\ndata: a\n\n")
    }
    #expect(told.contains(#""ch":"sse1","gen":1,"ev":"sse.cut","cause":"error","dir":"in","partial":0"#))
    #expect(!told.contains { $0.contains("sse.event") })
  }

  @Test("A response that the client acknowledged is missing, not absent", arguments: [true, false])
  func unseenResponse(hasTail: Bool) throws {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.syn(socket)
    capture.lost { $0.synAck(socket) }
    capture.ack(socket, by: .client)
    capture.send(socket, .client, Self.get)
    capture.lost { $0.send(socket, .server, Self.head) }
    if hasTail {
      capture.send(socket, .server, "the tail\n")
    } else {
      capture.lost { $0.send(socket, .server, "the tail\n") }
    }
    capture.ack(socket, by: .client)
    capture.close(socket, .server)
    let told = try Recording(capture).plain
    #expect(told.contains(Self.http(#"rec.gap","dir":"in","bytes":\#(hasTail ? 38 : 47),"why":"lost""#)))
    #expect(!told.contains { $0.contains("http.error") })
  }

  @Test("A client that ends the connection has given its requests up: that is no failure")
  func ownEnd() throws {
    for part in [Self.head + "abc", ""] {
      for isReset in [true, false] {
        let told = try Self.told { capture, socket in
          capture.send(socket, .client, Self.get)
          if !part.isEmpty { capture.send(socket, .server, part) }
          if isReset { capture.rst(socket, .client) } else { capture.close(socket, .client) }
        }
        #expect(told.last == Self.http(#"http.cancel","req":1"#))
        #expect(told.count { $0.contains(#""done":false"#) } == (part.isEmpty ? 0 : 1))
        #expect(!told.contains { $0.contains("http.error") })
      }
    }
  }

  @Test("A client that only ends its own stream still gets its response") func halfClose() throws {
    let told = try Self.told { capture, socket in
      capture.send(socket, .client, Self.get)
      capture.fin(socket, .client)
      capture.send(socket, .server, Self.head + "the whole")
      capture.fin(socket, .server)
    }
    #expect(told.last == Self.http(#"http.body","req":1,"try":1,"dir":"in","bytes":9,"done":true"#))
  }

  @Test("The server's end is a failure, also where the client's follows") func serversEnd() throws {
    for isReset in [true, false] {
      let told = try Self.told { capture, socket in
        capture.send(socket, .client, Self.get)
        if isReset { capture.rst(socket, .server) } else { capture.close(socket, .server) }
      }
      let cause = isReset ? "reset" : "fin"
      #expect(told.last == Self.http(#"http.error","req":1,"try":1,"cause":"\#(cause)","sent":true"#))
    }
  }

  @Test("A handshake or a stream that the client gives up ends by the client") func ownEnds() throws {
    for isReset in [true, false] {
      let told = try Self.told { capture, socket in
        capture.send(
          socket, .client,
          "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        if isReset { capture.rst(socket, .client) } else { capture.close(socket, .client) }
      }
      let cause = isReset ? "reset" : "fin"
      #expect(told.last == #""ch":"ws1","gen":1,"ev":"ws.end","cause":"\#(cause)","dir":"out""#)
      let stream = try Self.told { capture, socket in
        capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
        if isReset { capture.rst(socket, .client) } else { capture.close(socket, .client) }
      }
      #expect(stream.last == #""ch":"sse1","gen":1,"ev":"sse.cut","cause":"local","dir":"out","partial":0"#)
    }
  }

  @Test("A request without the body that 417 refused is followed by the next") func refusedBody() throws {
    let told = try Self.told { capture, socket in
      let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n"
      capture.send(socket, .client, post + "Expect: 100-continue\r\n\r\n")
      capture.send(socket, .server, "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n")
      capture.send(socket, .client, post + "\r\n" + String(repeating: "b", count: 30))
      capture.send(socket, .server, "HTTP/1.1 204 No Content\r\n\r\n")
    }
    #expect(
      told == [
        Self.http(#"http.send","req":1,"try":1,"method":"POST","bytes":30"#),
        Self.http(#"http.response","req":1,"try":1,"status":417"#),
        Self.http(#"rec.note","note":"protocol","rule":"rfc9112-6.3""#),
        Self.http(#"http.body","req":1,"try":1,"dir":"out","bytes":0,"done":false"#),
        Self.http(#"http.send","req":2,"try":1,"method":"POST","bytes":30"#),
        Self.http(#"http.body","req":2,"try":1,"dir":"out","bytes":30,"done":true"#),
        Self.http(#"http.response","req":2,"try":1,"status":204"#),
      ])
  }
}
