import GoldwireProtocols
import GoldwireTestSupport
import GoldwireTrace

/// A direction of frames tells the same whole and in pieces; what is encoded is decoded.
enum WebSocketProperties {
  /// What the first bytes of an input choose.
  private struct Choice {
    var peer: WebSocketPeer
    var extensions: WebSocketExtensions
    var inMiddle: Bool
    var limits = WebSocketLimits()

    init(_ first: UInt8, _ second: UInt8) {
      peer = [.server, .client, .unknown, .server][Int(first & 3)]
      inMiddle = first & 4 != 0
      var deflate = PermessageDeflate()
      deflate.serverNoContextTakeover = first & 8 != 0
      deflate.clientNoContextTakeover = first & 8 != 0
      deflate.serverWindowBits = first & 0x80 == 0 ? nil : 8 + Int(second & 7)
      extensions = WebSocketExtensions(deflate: first & 0x10 == 0 ? nil : deflate)
      if first & 0x20 != 0 { extensions.add(Array("x-other".utf8).span) }
      limits.keptBytes = first & 0x40 == 0 ? 64 : 0
      limits.inflatedBytes = second & 0x10 == 0 ? 200 : 1 << 18
      if second & 0x20 != 0 { limits.frameBytes = 100 }
    }

    var decoder: WebSocketDecoder {
      WebSocketDecoder(
        from: peer, extensions: extensions,
        inflater: extensions.deflate.flatMap { RawInflater(windowBits: $0.serverWindowBits ?? 15) },
        inMiddle: inMiddle, limits: limits)
    }
  }

  private enum Told: Equatable {
    case event(WebSocketEvent, [UInt8])
  }

  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = Choice(input.byte(), input.byte())
    let cut = input.cut()
    let bytes = input.rest
    var decoder = choice.decoder
    let whole = try tell(&decoder, [bytes])
    decoder = choice.decoder
    let pieces = try tell(&decoder, cut.pieces(of: bytes))
    try hold(whole == pieces, "the same whole and in pieces:\n\(whole)\n\(pieces)")
    try lose(choice.decoder, cut, bytes)
    if WebSocketRecognition.judge(bytes.span) != nil {
      try hold(WebSocketRecognition.structure(bytes.span) != nil, "what is proved has the structure")
    }
    try encoded(bytes, cut)
  }

  private static func tell(
    _ decoder: inout WebSocketDecoder, _ pieces: [[UInt8]]
  ) throws(FuzzFinding) -> [Told] {
    var told: [Told] = []
    for piece in pieces {
      var offset = 0
      while let event = decoder.next(piece.span, &offset, at: 7) {
        try hold(offset <= piece.count, "the offset stays within the bytes")
        try hold(
          decoder.payload.count <= max(125, decoder.limits.keptBytes), "no more is kept than the limit")
        told.append(.event(event, decoder.payload))
        if case .message(let message) = event { try check(message, decoder.limits) }
      }
      try hold(offset == piece.count, "all bytes are taken")
    }
    return told
  }

  private static func check(_ message: WebSocketMessage, _ limits: WebSocketLimits) throws(FuzzFinding) {
    try hold(message.bytes >= 0 && message.frames > 0, "a message has frames")
    guard message.isCompressed else {
      try hold(message.inflated == message.bytes || message.content != .read, "nothing was inflated")
      return
    }
    try hold((message.inflated ?? 0) <= limits.inflatedBytes, "no more is inflated than the limit")
  }

  private static func lose(
    _ decoder: WebSocketDecoder, _ cut: FuzzCut, _ bytes: [UInt8]
  ) throws(FuzzFinding) {
    var decoder = decoder
    var generator = cut.generator
    var events = 0
    var losses = 0
    for piece in cut.pieces(of: bytes) {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        let counts = [nil, 0, 1, 2, 5, 100, Int.max, -1]
        _ = decoder.lost(counts[Int.random(in: 0..<counts.count, using: &generator)])
        losses += 1
      }
      events += try tell(&decoder, [piece]).count
    }
    try hold(events <= 4 * (bytes.count + losses) + 20, "events are bounded by bytes")
  }

  /// A message that is encoded is decoded to itself.
  private static func encoded(_ bytes: [UInt8], _ cut: FuzzCut) throws(FuzzFinding) {
    var limits = WebSocketLimits()
    limits.keptBytes = bytes.count
    let mask = cut.kind & 4 == 0 ? nil : UInt32(cut.seed) &* 0x0101_0307
    var frames: [UInt8] = []
    WebSocketEncoder.append(.binary, bytes.span, mask: mask, to: &frames)
    var decoder = WebSocketDecoder(from: mask == nil ? .server : .client, limits: limits)
    let told = try tell(&decoder, cut.pieces(of: frames))
    guard told.count == 1, case .event(.message(let message), let payload) = told[0] else {
      throw FuzzFinding("a message that was encoded is one: \(told)")
    }
    try hold(payload == bytes && message.bytes == bytes.count, "a message that was encoded has its content")
    try hold(message.content == .read && message.kind == .binary, "a message that was encoded is whole")
  }
}

/// Raw deflate, as permessage-deflate has it.
final class RawInflater: Inflating {
  private var inflater: Inflater

  init?(windowBits: Int) {
    guard let made = try? Inflater(.raw(windowBits: windowBits)) else { return nil }
    inflater = made
  }

  func inflate(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> InflateStep {
    var offset = 0
    do throws(Inflater.Failure) {
      let status = try inflater.inflate(input, from: &offset, into: &output)
      return InflateStep(consumed: offset, status: status == .finished ? .ended : .more)
    } catch {
      return InflateStep(consumed: offset, status: error == .tooLarge ? .limit : .failed)
    }
  }

  func reset() { inflater.reset() }

  func goOn() { inflater.goOn() }
}
