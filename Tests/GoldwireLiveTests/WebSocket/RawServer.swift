import GoldwireBytes
import GoldwireProtocols

@testable import GoldwireLive

/// A server's side of one connection that sends exactly the bytes that a test gives it, well formed or not.
struct RawServer {
  let listener: TCPListener

  init() throws { listener = try TCPListener() }

  var url: String { "ws://127.0.0.1:\(listener.port)/chat?token=secret" }

  /// Takes the next connection and reads its request.
  func accept() async throws -> Peer {
    let stream = try await listener.accept()
    var head: [UInt8] = []
    while WebSocketAnswer.length(head) == nil {
      let bytes = try await stream.read()
      if bytes.isEmpty { throw SocketError.closed }
      head.append(contentsOf: bytes)
    }
    return Peer(stream: stream, request: String(decoding: head, as: UTF8.self))
  }

  /// Takes the next connection and opens it.
  func open() async throws -> Peer {
    let peer = try await accept()
    try await peer.stream.write(Array(peer.answer().utf8))
    return peer
  }
}

/// A connection that a raw server took.
final class Peer: Sendable {
  let stream: TCPStream
  let request: String
  private let decoder = Guarded(Decoding())

  private struct Decoding {
    var decoder: WebSocketDecoder
    var bytes: [UInt8] = []
    var offset = 0

    init() {
      var limits = WebSocketLimits()
      limits.keptBytes = 1 << 24
      decoder = WebSocketDecoder(from: .client, limits: limits)
    }

    mutating func next() -> (WebSocketEvent, [UInt8])? {
      let given = bytes
      var place = offset
      let event = decoder.next(given.span, &place, at: 0)
      offset = place
      if let event { return (event, decoder.payload) }
      (bytes, offset) = ([], 0)
      return nil
    }
  }

  init(stream: TCPStream, request: String) {
    self.stream = stream
    self.request = request
  }

  /// The value of a request's field.
  func field(_ name: String) -> String? {
    request.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }.map {
      String($0.dropFirst(name.count + 2))
    }
  }

  /// The proof for the request's key.
  var proof: String {
    let key = Array((field("Sec-WebSocket-Key") ?? "").utf8)
    return String(decoding: WebSocketKey.accept(key.span), as: UTF8.self)
  }

  /// The answer of a server as it should be, with further lines.
  func answer(_ more: String = "") -> String {
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(proof)\r\n\(more)\r\n"
  }

  /// Sends bytes, whole or one by one.
  func send(_ bytes: [UInt8], oneByOne: Bool = false) async throws {
    guard oneByOne else { return try await stream.write(bytes) }
    for byte in bytes { try await stream.write([byte]) }
  }

  /// Sends a frame as a server does.
  func send(_ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true) async throws {
    try await stream.write(RawFrame.bytes(opcode, payload, isFinal: isFinal))
  }

  /// The next thing that the client sent, with its content; nil at the end of its stream.
  func next() async throws -> (event: WebSocketEvent, payload: [UInt8])? {
    while true {
      if let found = decoder.withLock({ $0.next() }) { return found }
      let bytes = try await stream.read()
      if bytes.isEmpty { return nil }
      decoder.withLock { $0.bytes = bytes }
    }
  }
}

/// Frames as bytes.
enum RawFrame {
  static func bytes(
    _ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true, mask: UInt32? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    WebSocketEncoder.append(opcode, payload.span, isFinal: isFinal, mask: mask, to: &bytes)
    return bytes
  }
}
