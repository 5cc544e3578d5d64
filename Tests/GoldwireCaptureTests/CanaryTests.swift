import Foundation
@testable import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// No piece of a secret, wherever it stands and however it is cut, comes into a trace.
@Suite struct CanaryTests {
  /// A secret for each place, digits alone in every second one, or in the others.
  private struct Secrets {
    let parity: Int
    var all: [String] = []

    init(parity: Int) { self.parity = parity }

    mutating func next(_ place: String) -> String {
      let number = all.count
      let secret =
        number % 2 == parity
        ? "Qx\(number)Zv7kWjPyfTgb\(number)Rm"
        : String((0..<14).map { Character("\((number &* 7 &+ $0 &* 3) % 10)") })
      all.append(secret)
      return secret
    }
  }

  private static func http(_ s: inout Secrets) -> (request: String, response: String) {
    let header = [
      "Authorization: Bearer", "Cookie: sid=", "X-Api-Key:", "Proxy-Authorization: Basic", "Referer: http://",
      "Idempotency-Key:", "User-Agent:", "Origin: http://", "Accept: text/html;x=", "If-None-Match:",
    ]
    .map { "\($0) \(s.next($0))\r\n" }.joined()
    let form = "{\"password\":\"\(s.next("json"))\",\"pin\":\(s.next("number"))}&token=\(s.next("form"))"
    let chunks =
      "\(String(form.utf8.count, radix: 16));x=\(s.next("extension"))\r\n\(form)\r\n0\r\nT: \(s.next("trailer"))\r\n\r\n"
    let request =
      "POST http://u:\(s.next("user"))@\(s.next("host")).example/\(s.next("path"))?key=\(s.next("query"))#\(s.next("fragment"))"
      + " HTTP/1.1\r\nHost: \(s.next("host")).example\r\n\(header)Transfer-Encoding: chunked\r\n\r\n\(chunks)"
    let answer = "{\"access_token\":\"\(s.next("token"))\"}"
    let reply = [
      "Set-Cookie: sid=", "Location: https://x.example/", "ETag:", "Server:",
      "WWW-Authenticate: Basic realm=",
      "Retry-After:", "Date:", "Age:", "Content-Type: application/", "X-Id:",
    ].map { "\($0)\(s.next($0))\r\n" }.joined()
    return (
      request,
      "HTTP/1.1 503 \(s.next("reason"))\r\n\(reply)Content-Length: \(answer.utf8.count)\r\n\r\n\(answer)"
    )
  }

  private static func capture(size: Int, parity: Int = 0) -> (capture: CaptureBuilder, secrets: [String]) {
    var s = Secrets(parity: parity)
    var capture = CaptureBuilder(.pcapng)
    var comment: [UInt8] = []
    capture.option(1, Array(s.next("comment").utf8), in: &comment)
    capture.addBlock(0x0000_0BAD, comment)
    capture.addKeyLog("CLIENT_RANDOM \(s.next("log")) \(s.next("log"))\n")
    let http = http(&s)
    var socket = capture.open()
    capture.send(socket, .client, http.request, size: size)
    capture.send(socket, .server, http.response, size: size)
    capture.close(socket)
    socket = capture.open(3)
    capture.send(
      socket, .client,
      "GET /\(s.next("path"))?t=\(s.next("query")) HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Key: \(s.next("key"))\r\nSec-WebSocket-Protocol: \(s.next("protocol"))\r\n"
        + "Sec-WebSocket-Extensions: permessage-deflate; x=\(s.next("extension"))\r\n\r\n", size: size)
    capture.send(
      socket, .server,
      "HTTP/1.1 101 \(s.next("reason"))\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: "
        + "permessage-deflate\r\nSec-WebSocket-Accept: \(s.next("accept"))\r\n\r\n", size: size)
    for side in BuiltConnection.Side.allCases {
      for first: UInt8 in [0x81, 0x82, 0x89, 0x8A, 0xC1] {
        capture.frame(socket, side, first, Array(s.next("frame").utf8), size: size)
      }
      capture.frame(socket, side, 0x01, Array(s.next("fragment").utf8), size: size)
      capture.frame(socket, side, 0x80, Array(s.next("fragment").utf8), size: size)
      let stored = Array(s.next("deflated").utf8)
      capture.frame(
        socket, side, 0xC2, [0, UInt8(stored.count), 0, ~UInt8(stored.count), 0xFF] + stored + [0], size: size
      )
    }
    capture.frame(socket, .server, 0x88, [0x0F, 0xA1] + Array(s.next("close").utf8), size: size)
    capture.close(socket, .server)
    stream(&capture, &s, size)
    for (coding, undo) in codings { stream(&capture, &s, size, coding, undo) }
    return (capture, s.all)
  }

  private static let codings: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
    ("gzip", Coded.gzip), ("deflate", Coded.deflate), ("br", Coded.brotli), ("zstd", Coded.zstd),
    ("br, zstd", { Coded.zstd(Coded.brotli($0)) }), ("rot13", { $0 }),
  ]

  private static func stream(
    _ capture: inout CaptureBuilder, _ s: inout Secrets, _ size: Int, _ coding: String = "identity",
    _ encode: ([UInt8]) -> [UInt8] = { $0 }
  ) {
    let socket = capture.open(4)
    capture.send(
      socket, .client,
      "GET /\(s.next("path")) HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nLast-Event-ID: \(s.next("cursor"))\r\n\r\n",
      size: size)
    let body =
      "id: \(s.next("id"))\nevent: \(s.next("name"))\ndata: \(s.next("data"))\n: \(s.next("comment"))\n"
      + "retry: \(s.next("retry"))x\n\(s.next("field")): \(s.next("value"))\n\nid: \(s.next("id"))\n\ndata: \(s.next("partial"))"
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; x=\(s.next("type"))\r\nContent-Encoding: \(coding)\r\n\r\n"
    capture.send(socket, .server, Array(head.utf8) + encode(Array(body.utf8)), size: size)
    capture.rst(socket, .server)
  }

  @Test(arguments: [1_460, 113, 13, 3, 1], [0, 1]) func nothingOfASecretIsWritten(size: Int, parity: Int)
    throws
  {
    let (capture, secrets) = Self.capture(size: size, parity: parity)
    let forms = Self.forms(of: secrets)
    for beats in [nil, BeatPreset.phoenix] {
      let recording = try Recording(capture) { $0.beats = beats }
      #expect(recording.lines.count > 30)
      let trace = recording.bytes
      for form in forms {
        #expect(!Self.holds(trace, form), "a piece of a secret, cut at \(size)")
      }
    }
  }

  @Test func holesAndTornFilesLeakNothingEither() throws {
    let (capture, secrets) = Self.capture(size: 97)
    var generator = SeededGenerator(seed: 11)
    let forms = Self.forms(of: secrets)
    for _ in 0..<12 {
      var damaged = CaptureBuilder()
      for frame in capture.frames where Int.random(in: 0..<8, using: &generator) > 0 {
        damaged.add(frame: frame)
      }
      let bytes = try Recording(damaged).bytes
      for form in forms { #expect(!Self.holds(bytes, form)) }
    }
  }

  @Test func equalInputIsEqualBytes() throws {
    let (capture, _) = Self.capture(size: 40)
    let first = try Recording(capture).bytes
    #expect(try Recording(capture).bytes == first)
    #expect(try Recording(capture) { $0.seed = 99 }.bytes == first)
  }

  @Test func damagedBytesNeverTrap() throws {
    let (capture, _) = Self.capture(size: 200)
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<60 {
      var bytes = capture.bytes
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      guard let recording = try? Recording(bytes) else { continue }
      #expect(zip(recording.lines, recording.lines.dropFirst()).allSatisfy { $0.t <= $1.t })
    }
  }

  /// Every piece of six characters, plain and as percent, base64 and hex write it.
  private static func forms(of secrets: [String]) -> [[UInt8]] {
    var forms: Set<[UInt8]> = []
    for secret in secrets {
      let bytes = Array(secret.utf8)
      for start in 0...(bytes.count - 6) {
        let piece = Array(bytes[start..<(start + 6)])
        forms.insert(piece)
        let hex = piece.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        forms.insert(Array(hex.joined().utf8))
        forms.insert(Array(hex.map { "%" + $0.uppercased() }.joined().utf8))
        forms.insert(Array(Data(piece).base64EncodedString().utf8))
      }
    }
    return forms.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func holds(_ bytes: [UInt8], _ piece: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(String(decoding: piece, as: UTF8.self))
  }
}
