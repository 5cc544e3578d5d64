@testable import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace

/// What a capture was recorded as.
struct Recording {
  /// The header.
  var header: TraceHeader?
  /// The lines in order.
  var lines: [TraceLine] = []

  /// Records a capture that lies in memory.
  init(
    _ capture: CaptureBuilder, filter: String? = nil, _ change: (inout RecordSettings) -> Void = { _ in }
  ) throws {
    try self.init(capture.bytes, filter: filter, change)
  }

  /// Records a capture's bytes.
  init(
    _ bytes: [UInt8], filter: String? = nil, _ change: (inout RecordSettings) -> Void = { _ in }
  ) throws {
    var settings = RecordSettings(tool: "goldwire 0.0.0", seed: 7)
    change(&settings)
    var recorder = CaptureRecorder(settings)
    var file = try CaptureFile(bytes: bytes, filter: filter)
    var isGoing = true
    while isGoing {
      isGoing = try file.step(into: &recorder)
      if header == nil { header = recorder.takeHeader() }
      while let line = recorder.nextLine() { lines.append(line) }
    }
    recorder.finish(.eof)
    if header == nil { header = recorder.takeHeader() }
    while let line = recorder.nextLine() { lines.append(line) }
  }

  /// Each line as it is written, without its instant, its braces and the end of the recording.
  var events: [String] {
    lines.dropLast().map { line in
      let text = Recording.text(line)
      return String(text[text.index(after: text.firstIndex(of: ",") ?? text.startIndex)...].dropLast())
    }
  }

  /// The events without signs of life.
  var plain: [String] { events.filter { !$0.contains("rec.life") } }

  /// Each line as it is written.
  var texts: [String] { lines.map(Recording.text) }

  /// The whole trace.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if let header { bytes.append(header) }
    for line in lines { bytes.append(line) }
    return bytes
  }

  static func text(_ line: TraceLine) -> String {
    var bytes: [UInt8] = []
    bytes.append(line)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}

/// Segment sizes that cut a conversation everywhere.
let everyCut = [1_460, 61, 7, 1]

extension CaptureBuilder {
  /// Adds a connection with its handshake.
  mutating func open(_ server: UInt8 = 2, ipv6: Bool = false, at time: Int? = nil) -> Socket {
    let port = UInt16(40_000 + opened)
    let socket = connection(
      client: ipv6 ? .v6(1, port: port) : .v4(1, port: port),
      server: ipv6 ? .v6(server, port: 80) : .v4(server, port: 80))
    connect(socket, at: time)
    return socket
  }

  /// The number of frames so far, which gives each connection a port of its own.
  private var opened: Int { frames.count }

  /// Adds an opening handshake on a connection.
  mutating func upgrade(_ socket: Socket, path: String = "/chat", extensions: String = "", size: Int = 1_460)
  {
    let offer = extensions.isEmpty ? "" : "Sec-WebSocket-Extensions: \(extensions)\r\n"
    send(
      socket, .client,
      "GET \(path) HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(offer)\r\n",
      size: size)
    send(
      socket, .server,
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\(offer)\r\n",
      size: size)
  }

  /// Adds one frame, masked from the client.
  mutating func frame(
    _ socket: Socket, _ side: BuiltConnection.Side, _ first: UInt8, _ payload: [UInt8], size: Int = 1_460,
    at time: Int? = nil
  ) {
    send(socket, side, CaptureBuilder.frame(side, first, payload), size: size, at: time)
  }

  /// The bytes of one frame of at most 65,535 payload bytes.
  static func frame(_ side: BuiltConnection.Side, _ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [first]
    let bit: UInt8 = side == .client ? 0x80 : 0
    if payload.count < 126 {
      bytes.append(bit | UInt8(payload.count))
    } else {
      bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    }
    guard side == .client else { return bytes + payload }
    let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }
}
