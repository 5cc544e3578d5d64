import GoldwireBytes
import GoldwireLive
import GoldwireProtocols
import GoldwireServer
import Testing

/// A client of the fault server: plain requests, and a WebSocket whose frames are seen one by one.
final class TestClient {
  enum Seen: Equatable {
    case text(Int)
    case binary(Int)
    case ping([UInt8])
    case pong([UInt8])
    case close(Int?)
    case fin
    case reset
  }

  let stream: TCPStream
  private var decoder: WebSocketDecoder
  private var pending: [UInt8] = []
  private var offset = 0
  /// The payload of the message that was seen last.
  private(set) var payload: [UInt8] = []

  private init(_ stream: TCPStream) {
    self.stream = stream
    var limits = WebSocketLimits()
    limits.keptBytes = 1 << 20
    decoder = WebSocketDecoder(from: .server, limits: limits)
  }

  /// A script from its text.
  static func script(_ text: String, scale: Int? = nil) throws -> FaultScript {
    try FaultScript(json: Array(text.utf8), scale: scale)
  }

  /// Sends a request, and gives head and body of the answer at the connection's end.
  static func get(
    _ server: FaultServer, _ target: String, _ fields: [String] = [], method: String = "GET"
  ) async throws -> (head: String, body: String) {
    let stream = try await TCPStream.connect(to: .loopback(server.port))
    defer { stream.close() }
    let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + fields
    try await stream.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let (head, body) = split(try await rest(stream))
    return (head, body)
  }

  /// Everything up to the end.
  static func rest(_ stream: TCPStream) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try await stream.read()
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  static func split(_ bytes: [UInt8]) -> (String, String) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return (text, "") }
    return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
  }

  /// Opens a WebSocket; gives the client and the answer's head.
  static func open(_ server: FaultServer, _ path: String = "/") async throws -> (
    client: TestClient, head: String
  ) {
    let client = TestClient(try await TCPStream.connect(to: .loopback(server.port)))
    try await client.stream.write(
      Array(
        """
        GET \(path) HTTP/1.1\r
        Host: 127.0.0.1\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        \r\n
        """.utf8))
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
      let piece = try await client.stream.read(atMost: 1)
      if piece.isEmpty { break }
      bytes += piece
    }
    return (client, split(bytes).0)
  }

  /// Sends a frame.
  func send(_ opcode: WebSocketOpcode, _ payload: [UInt8] = []) async throws {
    try await stream.write(Self.frame(opcode, payload))
  }

  /// A frame as a client sends it.
  static func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    WebSocketEncoder.append(opcode, payload.span, mask: 0x1234_5678, to: &frame)
    return frame
  }

  /// Sends a close frame.
  func sendClose(_ code: UInt16?) async throws {
    var frame: [UInt8] = []
    WebSocketEncoder.appendClose(code: code, mask: 0x1234_5678, to: &frame)
    try await stream.write(frame)
  }

  /// The next thing that the server does.
  func next() async throws -> Seen {
    while true {
      let bytes = pending
      if let event = decoder.next(bytes.span, &offset, at: 0) {
        switch event {
        case .message(let message):
          payload = decoder.payload
          return message.kind == .text ? .text(message.bytes) : .binary(message.bytes)
        case .ping: return .ping(decoder.payload)
        case .pong: return .pong(decoder.payload)
        case .close(let code): return .close(code)
        case .broken, .limit, .resumed: throw Failure()
        }
      }
      do throws(SocketError) {
        pending = try await stream.read()
        offset = 0
        if pending.isEmpty { return .fin }
      } catch {
        if error == .reset { return .reset }
        throw error
      }
    }
  }

  struct Failure: Error {}
}
