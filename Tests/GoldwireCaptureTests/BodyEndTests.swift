import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// How a body ends, and what is not said of one whose end nobody saw.
@Suite struct BodyEndTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// One request and what the server does with it.
  private static func record(
    _ accept: String, _ serve: (inout CaptureBuilder, CaptureBuilder.Socket) -> Void
  ) throws -> [TraceEvent] {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a.example\r\nAccept: \(accept)\r\n\r\n")
    serve(&capture, socket)
    var recorder = CaptureRecorder(RecordSettings(tool: "test", seed: 7))
    var file = try CaptureFile(bytes: capture.bytes)
    while try file.step(into: &recorder) {}
    recorder.finish(.eof)
    var events: [TraceEvent] = []
    while let line = recorder.nextLine() { events.append(line.event) }
    return events
  }

  private static func chunk(_ text: String) -> String {
    String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
  }

  @Test("a chunked stream that ends after its last chunk ends; one that ends before it is broken")
  func streams() throws {
    for (last, cause) in [("0\r\n\r\n", CutCause.eof), ("", .error)] {
      let events = try Self.record("text/event-stream") { capture, socket in
        capture.send(socket, .server, Self.head + Self.chunk("id: 1\ndata: a\n\n") + last)
        capture.fin(socket, .server)
        capture.fin(socket, .client)
      }
      #expect(events.contains(.sseCut(cause: cause, dir: .in, partial: 0)))
    }
  }

  @Test("a hole in a stream's chunks does not end the stream")
  func holeInStream() throws {
    let events = try Self.record("text/event-stream") { capture, socket in
      capture.send(socket, .server, Self.head + Self.chunk("id: 1\ndata: a\n\n"))
      capture.lost { $0.send(socket, .server, Self.chunk("id: 2\ndata: b\n\n") + "9\r\nda") }
      capture.send(socket, .server, "ta: cc\n\n\r\n")
      capture.ack(socket, by: .client)
      capture.fin(socket, .server)
      capture.fin(socket, .client)
    }
    let causes = events.compactMap { event -> CutCause? in
      if case .sseCut(let cause, _, _) = event { cause } else { nil }
    }
    #expect(causes == [.eof])
    #expect(events.contains { if case .recGap = $0 { true } else { false } })
  }

  @Test("a hole that hides the end of a body is no failure of its request")
  func holeInBody() throws {
    let plain = Self.head.replacing("text/event-stream", with: "text/plain")
    let events = try Self.record("*/*") { capture, socket in
      capture.send(socket, .server, plain + Self.chunk("abc"))
      capture.lost { $0.send(socket, .server, Self.chunk("def") + "0\r\n\r\n") }
      capture.send(socket, .client, "GET /next HTTP/1.1\r\nHost: a.example\r\n\r\n")
      capture.send(socket, .server, "HTTP/1.1 204 No Content\r\n\r\n")
      capture.fin(socket, .server)
      capture.fin(socket, .client)
    }
    #expect(!events.contains { if case .httpError = $0 { true } else { false } })
    #expect(events.contains { if case .recGap = $0 { true } else { false } })
  }

  @Test("a body that is cut short by the connection's end is a failure of its request")
  func shortBody() throws {
    let plain = Self.head.replacing("text/event-stream", with: "text/plain")
    let events = try Self.record("*/*") { capture, socket in
      capture.send(socket, .server, plain + Self.chunk("abc"))
      capture.fin(socket, .server)
      capture.fin(socket, .client)
    }
    #expect(events.contains(.httpError(req: 1, try: 1, cause: .fin, sent: true)))
  }
}
