import GoldwireTestSupport

/// One WebSocket: messages both ways, some in fragments, some compressed, pings and pongs, and its end.
struct SocketTalk: Talk {
  var wire: Wire
  private(set) var isOver = false
  private let settings: TalkSettings
  private let budget: Int
  private let isCompressed: Bool
  private let isClientAlive: Bool
  private var hasOpened = false
  private var nextPing = 0
  private var pings = 0
  private var messages = 0

  init(_ number: Int, at time: Int, _ settings: TalkSettings) {
    self.settings = settings
    wire = Wire(number, client: number, at: time, seed: settings.seed)
    budget = settings.budget / 2 + wire.random.below(settings.budget)
    isCompressed = wire.random.happens(150)
    isClientAlive = wire.random.happens(300)
    wire.open()
  }

  mutating func step(_ truth: inout CaptureTruth) {
    guard hasOpened else { return open(&truth) }
    guard wire.size < budget else { return end(&truth) }
    wire.now += 100 + wire.random.below(120_000)
    if wire.now >= nextPing { ping(&truth) }
    let side: Wire.Side = wire.random.happens(250) ? .client : .server
    var bytes: [UInt8] = []
    for _ in 0...wire.random.below(1 + wire.random.below(10)) { bytes += message(side, &truth) }
    wire.send(side, bytes, &truth)
  }

  private mutating func open(_ truth: inout CaptureTruth) {
    hasOpened = true
    let offer = isCompressed ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""
    let fields =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(offer)"
    wire.send(
      .client, Array(requestHead("GET", "/socket?token=FAKE", fields, secret: wire.number).utf8), &truth)
    truth.count("ws.connect")
    if wire.random.happens(60) {
      isOver = true
      wire.send(.server, Array(responseHead(403, "Forbidden", "Content-Length: 0\r\n").utf8), &truth)
      truth.count("ws.refused 403")
      return wire.close(by: .server)
    }
    let answer =
      "Connection: Upgrade\r\nUpgrade: websocket\r\n"
      + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\(offer)"
    wire.send(.server, Array(responseHead(101, "Switching Protocols", answer).utf8), &truth)
    truth.count("ws.open 101")
    if isCompressed { truth.count("ws.open deflate") }
    nextPing = wire.now + 1_000_000 + wire.random.below(2_000_000)
  }

  /// A ping and its pong; a few pings are left without one.
  private mutating func ping(_ truth: inout CaptureTruth) {
    nextPing = wire.now + 2_000_000 + wire.random.below(3_000_000)
    let side: Wire.Side = isClientAlive ? .client : .server
    pings += 1
    let payload = Array("\(wire.number).\(pings)".utf8)
    wire.send(side, frame(side, 0x89, payload), &truth)
    truth.count("ws.ping \(way(side))", bytes: payload.count)
    guard !wire.random.happens(30) else { return }
    wire.send(side.other, frame(side.other, 0x8A, payload), &truth)
    truth.count("ws.pong \(way(side.other))", bytes: payload.count)
    truth.count("ws.pong known")
  }

  private mutating func message(_ side: Wire.Side, _ truth: inout CaptureTruth) -> [UInt8] {
    messages += 1
    let isText = wire.random.happens(750)
    let size = wire.random.size(around: settings.payload)
    var payload = Array("{\"n\":\(messages),\"text\":\"".utf8)
    payload += settings.filler.text(size, &wire.random)
    payload += Array("\"}".utf8)
    if !isText { payload = Array(settings.filler.bytes(size, &wire.random)) }
    var first: UInt8 = isText ? 0x01 : 0x02
    if isCompressed, wire.random.happens(800) {
      first |= 0x40
      payload = stored(payload)
    }
    truth.count("ws.message \(way(side)) \(isText ? "text" : "binary")", bytes: payload.count)
    guard wire.random.happens(30), payload.count > 3 else { return frame(side, first | 0x80, payload) }
    truth.count("ws.message since")
    let middle = 1 + wire.random.below(payload.count - 1)
    var bytes = frame(side, first, Array(payload[..<middle]))
    if wire.random.happens(300) {
      // A control frame may stand between the fragments of a message.
      bytes += frame(side, 0x89, Array("between".utf8))
      truth.count("ws.ping \(way(side))", bytes: 7)
    }
    let last = middle + wire.random.below(payload.count - middle)
    bytes += frame(side, 0x00, Array(payload[middle..<last]))
    return bytes + frame(side, 0x80, Array(payload[last...]))
  }

  private mutating func end(_ truth: inout CaptureTruth) {
    isOver = true
    switch wire.random.below(10) {
    case 0:
      // The connection dies within a frame.
      let whole = frame(.server, 0x81, Array(settings.filler.text(700, &wire.random)))
      wire.send(.server, Array(whole[..<(1 + wire.random.below(600))]), &truth)
      wire.reset(by: .server)
      truth.count("ws.end in reset")
    case 1:
      let side: Wire.Side = wire.random.one(of: [.client, .server])
      wire.close(by: side)
      truth.count("ws.end \(way(side)) fin")
    default:
      let side: Wire.Side = wire.random.one(of: [.client, .server])
      let code = wire.random.one(of: [1_000, 1_001, 1_011, 4_000])
      for closing in [side, side.other] {
        let reason: [UInt8] = closing == side ? Array("bye".utf8) : []
        wire.send(closing, frame(closing, 0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason), &truth)
        truth.count("ws.close \(way(closing)) \(code)")
      }
      let last: Wire.Side = wire.random.one(of: [.client, .server])
      wire.close(by: last)
      truth.count("ws.end \(way(last)) fin")
    }
  }

  private func way(_ side: Wire.Side) -> String { side == .client ? "out" : "in" }

  /// The payload as permessage-deflate (RFC 7692) may send it: one stored block, and the empty one without its end.
  private func stored(_ payload: [UInt8]) -> [UInt8] {
    let count = UInt16(payload.count)
    var bytes: [UInt8] = [0]
    for number in [count, ~count] { bytes += [UInt8(number & 0xFF), UInt8(number >> 8)] }
    return bytes + payload + [0]
  }

  private mutating func frame(_ side: Wire.Side, _ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let bit: UInt8 = side == .client ? 0x80 : 0
    var bytes = [first]
    if payload.count < 126 {
      bytes.append(bit | UInt8(payload.count))
    } else {
      bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    }
    guard side == .client else { return bytes + payload }
    let key = UInt32(truncatingIfNeeded: wire.random.next())
    for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: key >> shift)) }
    for (index, byte) in payload.enumerated() {
      bytes.append(byte ^ UInt8(truncatingIfNeeded: key >> (8 * UInt32(index & 3))))
    }
    return bytes
  }
}
