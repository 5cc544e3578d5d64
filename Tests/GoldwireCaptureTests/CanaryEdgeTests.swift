@testable import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// No piece of a secret comes into a trace when chunks, frames and segments cut it, or when it is an address or a name.
@Suite struct CanaryEdgeTests {
  private typealias Coding = (name: String, encode: @Sendable ([UInt8]) -> [UInt8])

  private static let codings: [Coding] = [
    ("identity", { $0 }), ("gzip", Coded.gzip), ("deflate", Coded.deflate), ("deflate", Coded.bareDeflate),
    ("br", Coded.brotli), ("zstd", Coded.zstd), ("gzip, br", { Coded.brotli(Coded.gzip($0)) }),
    ("zstd, deflate", { Coded.deflate(Coded.zstd($0)) }),
  ]

  /// Chunks of so many bytes each, with an extension on each.
  private static func chunks(_ bytes: [UInt8], _ size: Int, _ canary: inout Canary) -> [UInt8] {
    var body: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = bytes[start..<min(start + size, bytes.count)]
      body += Array("\(String(piece.count, radix: 16));a=\(canary.next());b=\"\(canary.next())\"\r\n".utf8)
      body += piece + [13, 10]
    }
    return body + Array("0;\(canary.next())\r\nX-Trailer: \(canary.next())\r\n\r\n".utf8)
  }

  /// Adds a request and an answer whose bodies are chunks that cut secrets, and an event stream in each coding.
  private static func bodies(
    _ capture: inout CaptureBuilder, _ canary: inout Canary, _ size: Int, _ segment: Int
  ) {
    var socket = capture.open()
    let form = Array("{\"password\":\"\(canary.next())\",\"pin\":\(canary.next())}".utf8)
    let posting =
      Array("POST /\(canary.next())?q=\(canary.next()) HTTP/1.1\r\n".utf8)
      + Array(
        "Host: \(canary.next()).example\r\nCookie: sid=\(canary.next())\r\nTransfer-Encoding: chunked\r\n\r\n"
          .utf8)
    capture.send(socket, .client, posting + chunks(form, size, &canary), size: segment)
    let answer = Array(
      "HTTP/1.1 200 \(canary.next())\r\nSet-Cookie: \(canary.next())\r\nTransfer-Encoding: chunked\r\n\r\n"
        .utf8)
    capture.send(socket, .server, answer + chunks(Array(canary.next().utf8), size, &canary), size: segment)
    for (name, encode) in codings {
      socket = capture.open(4)
      capture.send(
        socket, .client,
        "GET /\(canary.next()) HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nLast-Event-ID: \(canary.next())\r\n\r\n",
        size: segment)
      let events =
        "id: \(canary.next())\nevent: \(canary.next())\ndata: \(canary.next())\n: \(canary.next())\n\n"
        + "retry: \(canary.next())x\nid: \(canary.next())\ndata: \(canary.next())\n\ndata: \(canary.next())"
      let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: \(name)\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
      capture.send(
        socket, .server, Array(head.utf8) + chunks(encode(Array(events.utf8)), size, &canary), size: segment)
    }
  }

  /// Adds messages in fragments that cut secrets, plain and deflated, with control frames between them.
  private static func frames(
    _ capture: inout CaptureBuilder, _ canary: inout Canary, _ size: Int, _ segment: Int
  ) {
    for deflates in [false, true] {
      let socket = capture.open(3)
      capture.upgrade(
        socket, path: "/\(canary.next())?\(canary.next())", extensions: deflates ? "permessage-deflate" : "",
        size: segment)
      for side in BuiltConnection.Side.allCases {
        for opcode: UInt8 in [1, 2] {
          var content = Array(canary.next().utf8)
          if deflates { content = [0, UInt8(content.count), 0, ~UInt8(content.count), 0xFF] + content + [0] }
          for start in stride(from: 0, to: content.count, by: size) {
            let end = min(start + size, content.count)
            let first = (start == 0 ? opcode | (deflates ? 0x40 : 0) : 0) | (end == content.count ? 0x80 : 0)
            capture.frame(socket, side, first, Array(content[start..<end]), size: segment)
            capture.frame(socket, side, 0x89, Array(canary.next().utf8), size: segment)
          }
        }
      }
      capture.frame(socket, .client, 0x88, [0x0F, 0xA1] + Array(canary.next().utf8), size: segment)
      capture.rst(socket, .server)
    }
  }

  @Test("Secrets are cut at each chunk's and each frame's edge", arguments: 1...18, [1_460, 5])
  func edges(size: Int, segment: Int) throws {
    var (canary, capture) = (Canary(), CaptureBuilder())
    Self.bodies(&capture, &canary, size, segment)
    Self.frames(&capture, &canary, size, segment)
    let recording = try Recording(capture)
    #expect(recording.plain.count { $0.contains("sse.event") } == 2 * Self.codings.count)
    #expect(recording.plain.count { $0.contains("ws.message") } == 8)
    #expect(canary.leaks(in: recording.bytes) == nil)
  }

  @Test("Addresses, ports, names and numbers of the network stay out", arguments: [true, false])
  func network(isRefused: Bool) throws {
    var (canary, capture) = (Canary(), CaptureBuilder())
    var client = BuiltHost.v4(1, port: 53_817)
    client.address = [203, 0, 113, 177]
    var server = BuiltHost.v4(2, port: 48_193)
    server.address = [198, 51, 100, 213]
    let v6 = (BuiltHost.v6(0x77, port: 53_817), BuiltHost.v6(0x99, port: 48_193))
    for text in [
      "203.0.113.177", "cb0071b1", "3405803953", "198.51.100.213", "c63364d5", "3325256917", "2001:db8",
      "20010db8", ":53817", ":48193", "734923", "8812345", "secret.example",
    ] { canary.plant(text) }
    for hosts in [(client, server), v6] {
      let socket = capture.connection(
        client: hosts.0, server: hosts.1, clientStart: 734_923_551, serverStart: 881_234_577)
      if isRefused {
        for _ in 0..<2 { capture.syn(socket) }
        capture.rst(socket, .server)
      } else {
        capture.connect(socket)
        capture.upgrade(socket)
        capture.frame(socket, .client, 0x89, [1])
      }
      capture.send(capture.open(5), .client, Self.hello("www.secret.example"))
    }
    let recording = try Recording(capture)
    #expect(recording.lines.count >= 5)
    #expect(recording.events.contains { $0.contains(#""ch":"tls1""#) })
    #expect(canary.leaks(in: recording.bytes) == nil)
  }

  /// A TLS record with a ClientHello that names a server.
  private static func hello(_ name: String) -> [UInt8] {
    func sized(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }
    let names = sized([0] + sized(Array(name.utf8)))
    let extensions = sized([0, 0] + sized(names))
    let body: [UInt8] =
      [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + sized([0x13, 0x01]) + [1, 0] + extensions
    return [0x16, 3, 1] + sized([1, 0] + sized(body))
  }
}
