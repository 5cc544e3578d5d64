internal import GoldwireBytes

/// Frames of IEEE 802.11, as monitor mode gives them, and the headers that drivers put before them.
extension LinkDecoder {
  /// A radiotap header: version, its length, and which fields it has.
  func radiotap(_ frame: Span<UInt8>) -> LinkPayload {
    guard frame.count >= 8 else { return .ignored(.cut) }
    let length = Int(frame.le16(at: 2))
    guard frame[0] == 0, length >= 8 else { return .ignored(.malformed) }
    guard length < frame.count else { return .ignored(.cut) }
    let flags = radiotapFlags(frame, length)
    // A frame whose check sequence is wrong is not what was sent.
    guard flags & 0x40 == 0 else { return .ignored(.malformed) }
    return wifi(frame, at: length, isPadded: flags & 0x20 != 0)
  }

  /// The flags field, which stands behind the words that say what is present, and behind the timer if that is.
  private func radiotapFlags(_ frame: Span<UInt8>, _ length: Int) -> UInt8 {
    let present = frame.le32(at: 4)
    guard present & 2 != 0 else { return 0 }
    var offset = 4
    var word = present
    while word >> 31 == 1 {
      offset &+= 4
      guard offset &+ 4 <= length else { return 0 }
      word = frame.le32(at: offset)
    }
    offset &+= 4
    if present & 1 != 0 { offset = ((offset &+ 7) & ~7) &+ 8 }
    return offset < length ? frame[offset] : 0
  }

  /// The header of Prism cards, in the byte order of whoever captured it, or AVS's under the same number.
  func prism(_ frame: Span<UInt8>) -> LinkPayload {
    guard frame.count >= 8 else { return .ignored(.cut) }
    if isAVS(frame) { return avs(frame) }
    let length = Int(min(frame.le32(at: 4), frame.be32(at: 4)))
    guard length >= 8 else { return .ignored(.malformed) }
    return length < frame.count ? wifi(frame, at: length) : .ignored(.cut)
  }

  /// The AVS header: a magic number and its length, both big-endian.
  func avs(_ frame: Span<UInt8>) -> LinkPayload {
    guard frame.count >= 8 else { return .ignored(.cut) }
    let length = Int(frame.be32(at: 4))
    guard isAVS(frame), length >= 8 else { return .ignored(.malformed) }
    return length < frame.count ? wifi(frame, at: length) : .ignored(.cut)
  }

  private func isAVS(_ frame: Span<UInt8>) -> Bool { frame.be32(at: 0) & 0xFFFF_F000 == 0x8021_1000 }

  /// A frame of IEEE 802.11-2020 section 9.2.3; `isPadded` is for drivers that align what follows its header.
  func wifi(_ frame: Span<UInt8>, at start: Int, isPadded: Bool = false) -> LinkPayload {
    guard frame.count >= start &+ 2 else { return .ignored(.cut) }
    let (kind, flags) = (frame[start], frame[start &+ 1])
    guard kind & 3 == 0 else { return .ignored(.malformed) }
    // Data frames that do carry data.
    guard kind & 0x0C == 0x08, kind & 0x40 == 0 else { return .ignored(.notIP) }
    guard flags & 0x40 == 0 else { return .ignored(.encrypted) }
    var length = flags & 3 == 3 ? 30 : 24
    guard frame.count >= start &+ length else { return .ignored(.cut) }
    guard flags & 4 == 0, frame[start &+ 22] & 0x0F == 0 else { return .ignored(.badFragment) }
    var isAggregate = false
    if kind & 0x80 != 0 {
      guard frame.count >= start &+ length &+ 2 else { return .ignored(.cut) }
      isAggregate = frame[start &+ length] & 0x80 != 0
      length &+= flags & 0x80 != 0 ? 6 : 2
    }
    if isPadded { length = (length &+ 3) & ~3 }
    return isAggregate ? .aggregate(start: start &+ length) : link(frame, at: start &+ length)
  }

  /// The packet of the subframe that begins at `start` in an aggregate (IEEE 802.11-2020 section 9.3.2.2), all of
  /// whose header is there; `end` is where the packet ends and `next` where another subframe may begin.
  func subframe(_ frame: Span<UInt8>, at start: Int) -> (payload: LinkPayload, end: Int, next: Int) {
    let length = Int(frame.be16(at: start &+ 12))
    let begin = start &+ 14
    return (link(frame, at: begin), begin &+ length, start &+ ((14 &+ length &+ 3) & ~3))
  }

  /// Logical link control with a subnetwork header (RFC 1042), which holds an EtherType.
  private func link(_ frame: Span<UInt8>, at start: Int) -> LinkPayload {
    guard frame.count >= start &+ 8 else { return .ignored(.cut) }
    let head = frame.be32(at: start)
    let rest = frame.be16(at: start &+ 4)
    guard head == 0xAAAA_0300, rest == 0 || rest == 0x00F8 else { return .ignored(.notIP) }
    return etherType(frame, at: start &+ 6)
  }
}
