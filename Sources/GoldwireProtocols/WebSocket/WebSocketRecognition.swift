import GoldwireBytes

/// A careful judgement whether bytes without a handshake before them are WebSocket frames.
///
/// For captures that begin in the middle of a connection. Both checks want a segment that holds whole frames and nothing else.
public enum WebSocketRecognition {
  /// Tells who surely sends `bytes`; nil if that cannot be said.
  ///
  /// Besides the structure it wants content: text that is UTF-8 without control characters, or a close code in use.
  public static func judge(_ bytes: Span<UInt8>) -> WebSocketPeer? {
    guard let peer = structure(bytes) else { return nil }
    var offset = 0
    var hasProof = false
    while offset < bytes.count, let head = head(bytes, offset) {
      let start = offset &+ head.size
      offset = start &+ head.count
      var payload: [UInt8] = []
      let isProof = head.opcode == .text || head.opcode == .close
      guard isProof, !head.isCompressed else { continue }
      payload.append(bytes.extracting(start..<offset), mask: head.mask(from: 0))
      guard isPlausible(payload.span, head) else { return nil }
      hasProof = hasProof || head.count >= 2
    }
    return hasProof ? peer : nil
  }

  /// Tells who may send `bytes`, by the structure alone: weak for a single short frame.
  ///
  /// Two directions that answer differently, client and server, support each other.
  public static func structure(_ bytes: Span<UInt8>) -> WebSocketPeer? {
    var offset = 0
    var isMasked: Bool?
    while offset < bytes.count {
      guard let head = head(bytes, offset), isMasked == nil || isMasked == head.isMasked else { return nil }
      guard bytes.count &- offset &- head.size >= head.count else { return nil }
      isMasked = head.isMasked
      offset &+= head.size &+ head.count
    }
    return isMasked.map { $0 ? .client : .server }
  }

  /// The head at `offset`, if it is whole and breaks no rule.
  private static func head(_ bytes: Span<UInt8>, _ offset: Int) -> WebSocketFrameHead? {
    guard bytes.count &- offset >= 2 else { return nil }
    guard bytes.count &- offset >= WebSocketFrameHead.size(bytes[offset &+ 1]) else { return nil }
    guard let head = WebSocketFrameHead.read(bytes, at: offset), let opcode = head.opcode else { return nil }
    guard !head.hasReservedBits, head.isShortest else { return nil }
    if head.isControl, !head.isFinal || head.isCompressed || head.count > 125 { return nil }
    if opcode == .continuation, head.isCompressed { return nil }
    return head
  }

  private static func isPlausible(_ payload: Span<UInt8>, _ head: WebSocketFrameHead) -> Bool {
    var text = UTF8Checker()
    if head.opcode == .close {
      guard payload.count != 1 else { return false }
      guard payload.count >= 2 else { return true }
      text.add(payload.extracting(2..<payload.count))
      return text.isWhole && WebSocketDecoder.rule(ofCode: Int(payload.be16(at: 0))) == nil
    }
    text.add(payload)
    guard !text.isBroken, text.isWhole || !head.isFinal else { return false }
    for index in payload.indices {
      let byte = payload[index]
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
    }
    return true
  }
}
