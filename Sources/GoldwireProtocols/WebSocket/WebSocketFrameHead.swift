import GoldwireBytes

/// The head of a frame (RFC 6455 section 5.2).
struct WebSocketFrameHead: Equatable, Sendable {
  /// The most bytes of a head.
  static let limit: Int = 14

  var first: UInt8 = 0
  var isMasked: Bool = false
  var mask: UInt32 = 0
  var count: Int = 0
  var isShortest: Bool = true
  /// The head's own size.
  var size: Int = 0

  var isFinal: Bool { first & 0x80 != 0 }
  var isCompressed: Bool { first & 0x40 != 0 }
  var hasReservedBits: Bool { first & 0x30 != 0 }
  var opcode: WebSocketOpcode? { WebSocketOpcode(rawValue: first & 0xF) }
  var isControl: Bool { first & 0x8 != 0 }

  /// How many bytes the head has that starts with these two.
  static func size(_ second: UInt8) -> Int {
    let length = second & 0x7F
    return 2 &+ (length == 126 ? 2 : length == 127 ? 8 : 0) &+ (second & 0x80 == 0 ? 0 : 4)
  }

  /// Reads a head at `start`, all of whose bytes are there; nil if its length is not possible.
  static func read(_ bytes: Span<UInt8>, at start: Int) -> WebSocketFrameHead? {
    var head = WebSocketFrameHead()
    head.first = bytes[start]
    let second = bytes[start &+ 1]
    head.isMasked = second & 0x80 != 0
    head.size = size(second)
    switch second & 0x7F {
    case 126:
      head.count = Int(bytes.be16(at: start &+ 2))
      head.isShortest = head.count > 125
    case 127:
      let high = bytes.be32(at: start &+ 2)
      guard high >> 31 == 0 else { return nil }
      head.count = Int(clamping: UInt64(high) << 32 | UInt64(bytes.be32(at: start &+ 6)))
      head.isShortest = head.count > 65_535
    default: head.count = Int(second & 0x7F)
    }
    if head.isMasked { head.mask = bytes.be32(at: start &+ head.size &- 4) }
    return head
  }

  /// The mask for the payload from `position` on, its first byte lowest.
  func mask(from position: Int) -> UInt32 {
    let bytes = mask.byteSwapped
    let shift = UInt32(8 &* (position & 3))
    return shift == 0 ? bytes : bytes >> shift | bytes << (32 &- shift)
  }
}
