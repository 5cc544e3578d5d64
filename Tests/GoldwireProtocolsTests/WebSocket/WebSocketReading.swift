import GoldwireProtocols

/// What a decoder tells about bytes, as lines of text that do not depend on how the bytes were cut.
struct WebSocketReading {
  var decoder: WebSocketDecoder
  private(set) var lines: [String] = []

  init(
    from peer: WebSocketPeer = .server, extensions: WebSocketExtensions = WebSocketExtensions(),
    inflater: (any Inflating)? = nil, inMiddle: Bool = false, keeping keptBytes: Int = 64,
    limits: WebSocketLimits = WebSocketLimits()
  ) {
    var limits = limits
    limits.keptBytes = keptBytes
    decoder = WebSocketDecoder(
      from: peer, extensions: extensions, inflater: inflater, inMiddle: inMiddle, limits: limits)
  }

  /// Delivers one piece.
  mutating func take(_ piece: [UInt8], at now: Int = 0) {
    var offset = 0
    while let event = decoder.next(piece.span, &offset, at: now) { lines.append(text(event)) }
    precondition(offset == piece.count)
  }

  private func text(_ event: WebSocketEvent) -> String {
    let payload = String(decoding: decoder.payload, as: UTF8.self)
    switch event {
    case .message(let message):
      var line = "\(message.kind) \(message.bytes)"
      if message.isCompressed { line += " to \(message.inflated.map(String.init) ?? "?")" }
      if message.frames != 1 { line += " in \(message.frames)" }
      if message.since != 0 { line += " since \(message.since)" }
      if message.content != .read { line += " \(message.content)" }
      return decoder.payload.isEmpty || message.content != .read ? line : line + ": \(payload)"
    case .ping(let bytes): return "ping \(bytes): \(payload)"
    case .pong(let bytes): return "pong \(bytes): \(payload)"
    case .close(let code): return "close " + (code.map(String.init) ?? "-")
    case .broken(let rule): return rule.rawValue
    case .limit(let name): return "limit \(name)"
    case .resumed(let skipped): return "resumed \(skipped)"
    }
  }
}
