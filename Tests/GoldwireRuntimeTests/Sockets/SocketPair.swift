import Testing

@testable import GoldwireRuntime

/// Two connected streams on 127.0.0.1.
struct SocketPair {
  let client: TCPStream
  let server: TCPStream

  init(receiveBuffer: Int? = nil) async throws {
    let listener = try TCPListener(receiveBuffer: receiveBuffer)
    defer { listener.close() }
    async let accepted = listener.accept()
    client = try await TCPStream.connect(to: .loopback(listener.port))
    server = try await accepted
  }
}

extension TCPStream {
  /// Reads so many bytes, or fewer if the stream ends.
  func read(exactly count: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try await read(atMost: count - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}
