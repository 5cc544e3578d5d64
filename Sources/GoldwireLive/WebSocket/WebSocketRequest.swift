internal import Foundation
internal import GoldwireBytes
internal import GoldwireProtocols

/// The opening request of a connection (RFC 6455 section 4.1), but for its key.
struct WebSocketRequest: Sendable {
  let host: String
  let port: Int
  let subprotocols: [String]
  private let start: String
  private let rest: String

  private static let own: Set<String> = [
    "host", "upgrade", "connection", "sec-websocket-key", "sec-websocket-version",
    "sec-websocket-extensions", "sec-websocket-protocol", "content-length", "transfer-encoding",
  ]

  init(
    _ url: URL, _ options: SocketWebSocketTransport.Options
  ) throws(SocketWebSocketTransport.Failure) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      parts.scheme?.lowercased() == "ws", let host = parts.host, !host.isEmpty, parts.fragment == nil,
      let encodedHost = parts.encodedHost
    else { throw .url }
    let port = parts.port ?? 80
    guard (1...65_535).contains(port) else { throw .url }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.port = port
    subprotocols = options.subprotocols
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
    let name = port == 80 ? encodedHost : "\(encodedHost):\(port)"
    start = "GET \(path)\(query) HTTP/1.1\r\nHost: \(name)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    var rest = "Sec-WebSocket-Version: 13\r\n"
    guard subprotocols.allSatisfy(Self.isToken), Set(subprotocols).count == subprotocols.count else {
      throw .field
    }
    if !subprotocols.isEmpty {
      rest += "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))\r\n"
    }
    for (name, value) in options.fields.sorted(by: { $0.key < $1.key }) {
      guard Self.isToken(name), !Self.own.contains(name.lowercased()),
        value.utf8.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 })
      else { throw .field }
      rest += "\(name): \(value)\r\n"
    }
    self.rest = rest + "\r\n"
  }

  /// The request's bytes with a key.
  func bytes(key: [UInt8]) -> [UInt8] {
    var bytes = Array(start.utf8)
    bytes.append(contentsOf: "Sec-WebSocket-Key: ".utf8)
    bytes.append(contentsOf: key)
    bytes.append(contentsOf: "\r\n".utf8)
    bytes.append(contentsOf: rest.utf8)
    return bytes
  }

  /// A fresh key: 16 bytes from the system's source, in base64.
  static func makeKey() -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return WebSocketKey.base64((0..<16).map { _ in UInt8.random(in: 0...255, using: &source) })
  }

  /// Whether a text is a token (RFC 9110 section 5.6.2).
  static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
  }

  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
  }
}
