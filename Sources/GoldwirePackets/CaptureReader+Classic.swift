internal import GoldwireBytes

/// The classic format: a header of 24 bytes, then records of 16 bytes and a packet each.
extension CaptureReader {
  /// Reads the file header, which lies whole at `position`.
  mutating func beginClassic(_ bytes: Span<UInt8>, _ position: Int) throws(CaptureError) {
    let major = Int(shortNumber(bytes, position &+ 4))
    let minor = Int(shortNumber(bytes, position &+ 6))
    guard major == 2 else { throw CaptureError(.version(major: major, minor: minor), at: offset) }
    // Before 2.3 the two lengths stood the other way round.
    swapsLengths = minor < 3
    // The upper bits say how long a frame check sequence is.
    link = LinkType(rawValue: number(bytes, position &+ 20) & 0x03FF_FFFF)
    guard link.isSupported || link == .user2 else { throw CaptureError(.linkType(link), at: offset) }
  }

  /// The next packet of a classic file whose record lies whole and sound at `position`.
  ///
  /// Nil for everything else, which ``next(in:from:)`` then tells of.
  public mutating func nextPlain(in bytes: Span<UInt8>, from position: inout Int) -> CapturedPacket? {
    guard container == .pcap, !swapsLengths, link != .user2, bytes.count &- position >= 16 else { return nil }
    let record = bytes.extracting(position..<(position &+ 16))
    let captured = Int(number(record, 8))
    guard captured <= limits.packetBytes, bytes.count &- position >= 16 &+ captured else { return nil }
    let start = position &+ 16
    let time = instant(record, 0)
    let original = Int(number(record, 12))
    use(16 &+ captured, &position)
    return CapturedPacket(
      time: time, link: link, start: start, count: captured, originalCount: max(captured, original))
  }

  @inline(__always)
  private func instant(_ bytes: Span<UInt8>, _ position: Int) -> Int {
    let fraction = number(bytes, position &+ 4) / fractionDivisor
    return Int(number(bytes, position)) &* 1_000_000 &+ Int(fraction)
  }

  /// Reads the next record.
  mutating func nextRecord(
    _ bytes: Span<UInt8>, _ position: inout Int
  ) throws(CaptureError) -> CaptureStep {
    guard bytes.count &- position >= 16 else { return .more(16) }
    var captured = Int(number(bytes, position &+ 8))
    var original = Int(number(bytes, position &+ 12))
    if swapsLengths { swap(&captured, &original) }
    guard captured <= limits.packetBytes else {
      throw CaptureError(.packetTooLong(bytes: captured, limit: limits.packetBytes), at: offset)
    }
    guard bytes.count &- position >= 16 &+ captured else { return .more(16 &+ captured) }
    let start = position &+ 16
    let link = link == .user2 ? try privateLink(bytes, start, count: captured) : link
    let packet = CapturedPacket(
      time: instant(bytes, position), link: link, start: start, count: captured,
      originalCount: max(captured, original))
    use(16 &+ captured, &position)
    return .packet(packet)
  }
}
