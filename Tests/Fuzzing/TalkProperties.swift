import GoldwireTestSupport
import GoldwireTrace

/// Whatever the two ends of connections say to each other, its trace is clean.
enum TalkProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let settings = RecordProperties.settings(input.byte())
    var capture = CaptureBuilder()
    var socket = open(&capture, 0)
    for _ in 0..<200 where !input.isEmpty {
      let step = input.byte()
      let side: BuiltConnection.Side = step & 1 == 0 ? .client : .server
      capture.now += [0, 0, 400_000, 40_000_000][Int(step >> 5 & 3)]
      switch step >> 1 & 15 {
      case 0...7: capture.send(socket, side, input.field(), size: step & 0x80 == 0 ? 1_460 : 7)
      case 8:
        let bytes = input.field()
        capture.lost { $0.send(socket, side, bytes) }
      case 9: capture.fin(socket, side)
      case 10: capture.rst(socket, side)
      case 11: capture.ack(socket, by: side)
      case 12: capture.keepAlive(socket, side)
      case 13: capture.close(socket, side)
      case 14:
        let bytes = input.field()
        capture.reversed { $0.send(socket, side, bytes, size: 20) }
      default: socket = open(&capture, input.byte())
      }
    }
    _ = try RecordProperties.record(capture.bytes, settings)
  }

  /// A connection to one of two servers, perhaps without its beginning, or refused.
  private static func open(_ capture: inout CaptureBuilder, _ choice: UInt8) -> CaptureBuilder.Socket {
    let port = UInt16(40_000 + capture.frames.count % 20_000)
    let socket = capture.connection(
      client: .v4(1, port: port), server: .v4(2 + (choice & 1), port: 80))
    switch choice >> 1 & 3 {
    case 0, 1: capture.connect(socket)
    case 2:
      capture.syn(socket)
      capture.rst(socket, .server)
    default: break
    }
    return socket
  }
}
