internal import GoldwireBytes

/// The pcapng format: sections of blocks, each with its type and, at both ends, its length.
extension CaptureReader {
  /// Reads blocks until one says something.
  mutating func nextBlock(
    _ bytes: Span<UInt8>, _ position: inout Int
  ) throws(CaptureError) -> CaptureStep {
    while true {
      if skipping > 0 || trailer != nil {
        guard try skipRest(bytes, &position) else {
          return .more(skipping > 0 ? 1 : 4)
        }
      }
      let available = bytes.count &- position
      guard available >= 12 else { return .more(12) }
      let type = number(bytes, position)
      if type == 0x0A0D_0D0A {
        guard available >= 28 else { return .more(28) }
        try beginSection(bytes, &position)
        continue
      }
      let length = Int(number(bytes, position &+ 4))
      guard length >= 12 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
      guard isRead(type) else {
        skip(length, &position, header: 8)
        continue
      }
      let whole = (length &+ 3) & ~3
      guard whole <= limits.blockBytes else {
        throw CaptureError(.blockTooLong(bytes: length, limit: limits.blockBytes), at: offset)
      }
      guard available >= whole else { return .more(whole) }
      guard number(bytes, position &+ whole &- 4) == UInt32(truncatingIfNeeded: length) else {
        throw CaptureError(.lengthsDiffer, at: offset)
      }
      let step = try read(type, bytes, position, length: whole)
      use(whole, &position)
      if let step { return step }
    }
  }

  private func isRead(_ type: UInt32) -> Bool {
    switch type {
    case 1, 2, 3, 5, 6, 10: true
    default: false
    }
  }

  /// Reads a block that lies whole at `start`.
  private mutating func read(
    _ type: UInt32, _ bytes: Span<UInt8>, _ start: Int, length: Int
  ) throws(CaptureError) -> CaptureStep? {
    switch type {
    case 1:
      try addInterface(bytes, start, length: length)
      return nil
    case 2, 6: return .packet(try packet(bytes, start, length: length, isObsolete: type == 2))
    case 3: return .packet(try simplePacket(bytes, start, length: length))
    case 5: return try statistics(bytes, start, length: length)
    default: return try secrets(bytes, start, length: length)
    }
  }

  /// Begins a section, whose header's first 28 bytes lie at `position`.
  private mutating func beginSection(_ bytes: Span<UInt8>, _ position: inout Int) throws(CaptureError) {
    switch bytes.be32(at: position &+ 8) {
    case 0x1A2B_3C4D: bigEndian = true
    case 0x4D3C_2B1A: bigEndian = false
    default: throw CaptureError(.byteOrder, at: offset)
    }
    let length = Int(number(bytes, position &+ 4))
    guard length >= 28 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    let major = Int(shortNumber(bytes, position &+ 12))
    let minor = Int(shortNumber(bytes, position &+ 14))
    guard major == 1 else { throw CaptureError(.version(major: major, minor: minor), at: offset) }
    interfaces.removeAll(keepingCapacity: true)
    skip(length, &position, header: 24)
  }

  /// Passes over the rest of a block of which `header` bytes were read.
  private mutating func skip(_ length: Int, _ position: inout Int, header: Int) {
    use(header, &position)
    skipping = ((length &+ 3) & ~3) &- header &- 4
    trailer = UInt32(truncatingIfNeeded: length)
  }

  /// Goes on passing over a block; false if it does not end within `bytes`.
  private mutating func skipRest(
    _ bytes: Span<UInt8>, _ position: inout Int
  ) throws(CaptureError) -> Bool {
    let step = min(skipping, bytes.count &- position)
    use(step, &position)
    skipping &-= step
    guard skipping == 0 else { return false }
    guard let expected = trailer else { return true }
    guard bytes.count &- position >= 4 else { return false }
    guard number(bytes, position) == expected else { throw CaptureError(.lengthsDiffer, at: offset) }
    use(4, &position)
    trailer = nil
    return true
  }

  private mutating func addInterface(
    _ bytes: Span<UInt8>, _ start: Int, length: Int
  ) throws(CaptureError) {
    guard length >= 20 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    guard interfaces.count < limits.interfaces else {
      throw CaptureError(.tooManyInterfaces(limit: limits.interfaces), at: offset)
    }
    var resolution: UInt8 = 6
    var offsetSeconds: Int64 = 0
    var option = start &+ 16
    while let (code, value, count) = nextOption(bytes, &option, end: start &+ length &- 4) {
      if code == 9, count >= 1 { resolution = bytes[value] }
      if code == 14, count >= 8 { offsetSeconds = Int64(bitPattern: longNumber(bytes, value)) }
    }
    let snaplen = Int(number(bytes, start &+ 12))
    interfaces.append(
      CaptureInterface(
        link: LinkType(rawValue: UInt32(shortNumber(bytes, start &+ 8))), snaplen: snaplen,
        resolution: TimestampResolution(option: resolution, offsetSeconds: offsetSeconds)))
  }

  private func longNumber(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
    let value = bytes.word(at: index)
    return bigEndian ? value.byteSwapped : value
  }

  /// The option at `position`, which moves past it: its code, and where its value lies; nil at the end.
  private func nextOption(
    _ bytes: Span<UInt8>, _ position: inout Int, end: Int
  ) -> (code: UInt16, value: Int, count: Int)? {
    guard end &- position >= 4 else { return nil }
    let code = shortNumber(bytes, position)
    let count = Int(shortNumber(bytes, position &+ 2))
    let value = position &+ 4
    guard code != 0, end &- value >= count else { return nil }
    position = value &+ ((count &+ 3) & ~3)
    return (code, value, count)
  }

  private func interface(_ number: Int) throws(CaptureError) -> CaptureInterface {
    guard number < interfaces.count else { throw CaptureError(.unknownInterface(number), at: offset) }
    let found = interfaces[number]
    guard found.link.isSupported || found.link == .user2 else {
      throw CaptureError(.linkType(found.link), at: offset)
    }
    return found
  }

  private mutating func packet(
    _ bytes: Span<UInt8>, _ start: Int, length: Int, isObsolete: Bool
  ) throws(CaptureError) -> CapturedPacket {
    guard length >= 32 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    let index =
      isObsolete ? Int(shortNumber(bytes, start &+ 8)) : Int(number(bytes, start &+ 8))
    let interface = try interface(index)
    let captured = Int(number(bytes, start &+ 20))
    guard captured <= limits.packetBytes else {
      throw CaptureError(.packetTooLong(bytes: captured, limit: limits.packetBytes), at: offset)
    }
    guard captured <= length &- 32 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    let ticks = UInt64(number(bytes, start &+ 12)) << 32 | UInt64(number(bytes, start &+ 16))
    latest = interface.resolution.microseconds(ticks)
    var drops: UInt64 = 0
    if isObsolete {
      let told = shortNumber(bytes, start &+ 10)
      drops = told == 0xFFFF ? 0 : UInt64(told)
    } else {
      var option = start &+ 28 &+ ((captured &+ 3) & ~3)
      while let (code, value, count) = nextOption(bytes, &option, end: start &+ length &- 4) {
        if code == 4, count >= 8 { drops = longNumber(bytes, value) }
      }
    }
    if drops > 0 { interfaces[index].drops &+= drops }
    let link =
      interface.link == .user2
      ? try privateLink(bytes, start &+ 28, count: captured) : interface.link
    return CapturedPacket(
      time: latest, link: link, start: start &+ 28, count: captured,
      originalCount: max(captured, Int(number(bytes, start &+ 24))), interface: index,
      drops: Int(clamping: drops), grain: interface.resolution.grain)
  }

  private func simplePacket(
    _ bytes: Span<UInt8>, _ start: Int, length: Int
  ) throws(CaptureError) -> CapturedPacket {
    guard length >= 16 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    let interface = try interface(0)
    let original = Int(number(bytes, start &+ 8))
    var captured = min(original, length &- 16)
    if interface.snaplen > 0 { captured = min(captured, interface.snaplen) }
    guard captured <= limits.packetBytes else {
      throw CaptureError(.packetTooLong(bytes: captured, limit: limits.packetBytes), at: offset)
    }
    let link =
      interface.link == .user2
      ? try privateLink(bytes, start &+ 12, count: captured) : interface.link
    return CapturedPacket(
      time: latest, link: link, start: start &+ 12, count: captured, originalCount: original,
      isTimed: false)
  }

  /// How many more packets an interface dropped than was known before.
  private mutating func statistics(
    _ bytes: Span<UInt8>, _ start: Int, length: Int
  ) throws(CaptureError) -> CaptureStep? {
    guard length >= 24 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    let index = Int(number(bytes, start &+ 8))
    guard index < interfaces.count else { throw CaptureError(.unknownInterface(index), at: offset) }
    var total: UInt64 = 0
    var option = start &+ 20
    while let (code, value, count) = nextOption(bytes, &option, end: start &+ length &- 4) {
      if code == 5 || code == 7, count >= 8 { total &+= longNumber(bytes, value) }
    }
    let known = interfaces[index].drops
    guard total > known else { return nil }
    interfaces[index].drops = total
    return .drops(Int(clamping: total &- known))
  }

  private func secrets(
    _ bytes: Span<UInt8>, _ start: Int, length: Int
  ) throws(CaptureError) -> CaptureStep {
    guard length >= 20 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    let count = Int(number(bytes, start &+ 12))
    guard count <= length &- 20 else { throw CaptureError(.blockTooShort(bytes: length), at: offset) }
    return .secrets(
      CaptureSecrets(kind: number(bytes, start &+ 8), start: start &+ 16, count: count))
  }
}
