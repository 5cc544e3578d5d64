internal import GoldwireBytes

/// Where a packet of a classic file lies: small enough to be handed on in registers.
public struct PlainRecord: Equatable, Sendable {
  /// When it was captured, in microseconds since 1970, rounded down.
  public let time: Int
  /// Where its bytes begin in the span that was given to the reader.
  public let start: Int
  /// How many bytes were captured; -1 where there is no such record.
  public let count: Int
  /// How many bytes the packet had.
  public let originalCount: Int

  /// No such record.
  public static var none: PlainRecord { PlainRecord(time: 0, start: 0, count: -1, originalCount: 0) }

  /// Whether there is one.
  public var isThere: Bool { count >= 0 }

  /// The packet's bytes in the span that was given to the reader.
  public var range: Range<Int> { start..<(start &+ count) }
}

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
    isPlain = !swapsLengths && link != .user2
  }

  /// The next packet of a classic file whose record lies whole and sound at `position`.
  ///
  /// ``PlainRecord/none`` for everything else, which ``next(in:from:)`` then tells of.
  public mutating func nextPlain(in bytes: Span<UInt8>, from position: inout Int) -> PlainRecord {
    let there = bytes.count &- position &- 16
    guard isPlain, there >= 0 else { return .none }
    let record = bytes.extracting(position..<(position &+ 16))
    let captured = Int(number(record, 8))
    guard captured <= min(limits.packetBytes, there) else { return .none }
    let plain = PlainRecord(
      time: instant(record, 0), start: position &+ 16, count: captured,
      originalCount: max(captured, Int(number(record, 12))))
    use(16 &+ captured, &position)
    return plain
  }

  /// The packet of a plain record.
  public func packet(_ record: PlainRecord) -> CapturedPacket {
    CapturedPacket(
      time: record.time, link: link, start: record.start, count: record.count,
      originalCount: record.originalCount)
  }

  @inline(__always)
  private func instant(_ bytes: Span<UInt8>, _ position: Int) -> Int {
    var fraction = number(bytes, position &+ 4)
    if fractionDivisor != 1 { fraction /= fractionDivisor }
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
