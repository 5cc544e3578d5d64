import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// Frames and what must be told about them, however they are cut.
struct WebSocketCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let peer: WebSocketPeer
  let bytes: [UInt8]
  let expected: [String]

  init(_ name: String, from peer: WebSocketPeer = .server, _ frames: [[UInt8]], _ expected: [String]) {
    testDescription = name
    self.peer = peer
    bytes = Array(frames.joined())
    self.expected = expected
  }

  /// Checks every delivery, and that bytes after the frames change nothing before them.
  func check() {
    for trailing in [[], [0x89], [0x81, 0x7E, 0x01]] as [[UInt8]] {
      for delivery in Delivery.all(of: bytes + trailing) {
        var reading = WebSocketReading(from: peer)
        for piece in delivery.pieces { reading.take(piece) }
        #expect(reading.lines == expected, "\(delivery), \(trailing.count) trailing")
        if reading.lines != expected { return }
      }
    }
  }
}
