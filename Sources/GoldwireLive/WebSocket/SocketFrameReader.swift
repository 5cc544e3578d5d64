internal import GoldwireBytes
internal import GoldwireProtocols

/// Reads a server's frames strictly: what follows the rules is handed on, the first breach ends reading.
struct SocketFrameReader {
  /// What was read.
  enum Found: Equatable {
    case message(WebSocketContent)
    case ping(ordinal: Int, [UInt8])
    case pong([UInt8])
    case close(Int?)
    /// A rule or a limit was broken; the code tells the peer which kind.
    case broken(WebSocketCloseCode)
  }

  private let messageBytes: Int
  private var decoder: WebSocketDecoder
  private var pings = 0
  /// Whether nothing more is read: a close frame came, or a rule was broken.
  private(set) var isDone = false

  init(_ messageBytes: Int) {
    self.messageBytes = messageBytes
    var limits = WebSocketLimits()
    limits.frameBytes = messageBytes
    limits.inflatedBytes = messageBytes
    limits.keptBytes = messageBytes
    decoder = WebSocketDecoder(from: .server, limits: limits)
  }

  /// Reads on in the stream.
  mutating func take(_ bytes: [UInt8], _ tell: (Found) -> Void) {
    var offset = 0
    // The rules that a frame broke are told right after it, so that each waits for what comes next.
    var held: (event: WebSocketEvent, payload: [UInt8])?
    while true {
      let start = offset
      guard let event = decoder.next(bytes.span, &offset, at: 0) else { break }
      switch event {
      case .broken(let rule):
        // One that was told without a further byte is the fault of the frame before.
        if let held, offset > start { hand(held.event, held.payload, tell) }
        return fail(Self.code(of: rule), tell)
      case .limit:
        if let held, offset > start { hand(held.event, held.payload, tell) }
        return fail(.messageTooBig, tell)
      case .message, .ping, .pong, .close, .resumed:
        if let held { hand(held.event, held.payload, tell) }
        if isDone { return }
        held = (event, decoder.payload)
      }
    }
    if let held { hand(held.event, held.payload, tell) }
    if !isDone, decoder.openMessageBytes > messageBytes { fail(.messageTooBig, tell) }
    if !isDone, decoder.isStopped { fail(.protocolError, tell) }
  }

  private mutating func hand(_ event: WebSocketEvent, _ payload: [UInt8], _ tell: (Found) -> Void) {
    if isDone { return }
    switch event {
    case .message(let message):
      if message.bytes > messageBytes { return fail(.messageTooBig, tell) }
      guard message.content == .read, payload.count == message.bytes else {
        return fail(.protocolError, tell)
      }
      tell(
        .message(message.kind == .text ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload)))
    case .ping:
      pings += 1
      tell(.ping(ordinal: pings, payload))
    case .pong: tell(.pong(payload))
    case .close(let code):
      isDone = true
      tell(.close(code))
    case .broken, .limit, .resumed: break
    }
  }

  private mutating func fail(_ code: WebSocketCloseCode, _ tell: (Found) -> Void) {
    if isDone { return }
    isDone = true
    tell(.broken(code))
  }

  /// The close code that names a kind of breach (RFC 6455 section 7.4.1).
  private static func code(of rule: ProtocolRule) -> WebSocketCloseCode {
    switch rule {
    case .wsUTF8, .wsInflate: .invalidData
    default: .protocolError
    }
  }
}
