import GoldwirePackets
import GoldwireTestSupport
import Testing

@Suite struct FragmentTests {
  private static let payload = (0..<200).map { UInt8($0) }

  private static func built(_ ipv6: Bool) -> BuiltSegment {
    var segment = BuiltSegment(
      from: ipv6 ? .v6(1, port: 9) : .v4(1, port: 9), to: ipv6 ? .v6(2, port: 80) : .v4(2, port: 80),
      sequence: 3)
    segment.payload = payload
    return segment
  }

  /// The payload that comes out of packets, and what became of each.
  private static func decode(
    _ packets: [[UInt8]], limits: PacketLimits = PacketLimits(), every step: Int = 0,
    decoder: inout PacketDecoder
  ) -> (payload: [UInt8]?, verdicts: [PacketVerdict]) {
    var payload: [UInt8]?
    var verdicts: [PacketVerdict] = []
    for (index, packet) in packets.enumerated() {
      let verdict = decoder.decode(
        packet.span, originalCount: packet.count, link: .raw, at: index * step)
      if case .reassembled(let segment) = verdict { payload = Array(decoder.takeDatagram()[segment.range]) }
      verdicts.append(verdict)
    }
    return (payload, verdicts)
  }

  private static func decode(_ packets: [[UInt8]]) -> [UInt8]? {
    var decoder = PacketDecoder()
    return decode(packets, decoder: &decoder).payload
  }

  @Test("Fragments come together in any order, also where one comes twice", arguments: [false, true])
  func orders(_ ipv6: Bool) {
    let fragments = Self.built(ipv6).fragments(of: 56)
    #expect(fragments.count == 4)
    #expect(Self.decode(fragments) == Self.payload)
    #expect(Self.decode(fragments.reversed()) == Self.payload)
    #expect(
      Self.decode([fragments[2], fragments[2], fragments[0], fragments[3], fragments[1]]) == Self.payload)
    for missing in 0..<4 {
      var some = fragments
      some.remove(at: missing)
      #expect(Self.decode(some) == nil)
    }
  }

  @Test("A fragment that comes again, early or late, changes and counts nothing", arguments: [false, true])
  func duplicates(_ ipv6: Bool) {
    let fragments = Self.built(ipv6).fragments(of: 56)
    var decoder = PacketDecoder()
    let all = fragments.flatMap { [$0, $0] }
    #expect(Self.decode(all, decoder: &decoder).payload == Self.payload)
    #expect(decoder.lostDatagrams == 0)
    #expect(decoder.waitingDatagrams == 0)
  }

  @Test("An IPv6 datagram whose fragments overlap is refused as a whole")
  func overlapsOfIPv6() {
    let built = Self.built(true)
    func fragment(_ range: Range<Int>, identification: UInt32 = 1) -> [UInt8] {
      BuiltSegment.fragment(
        from: built.source, to: built.destination, Array(built.tcp[range]), offset: range.lowerBound,
        isLast: range.upperBound == built.tcp.count, identification: identification)
    }
    let end = built.tcp.count
    var decoder = PacketDecoder()
    let told = Self.decode(
      [fragment(0..<64), fragment(56..<128), fragment(64..<128), fragment(128..<end)], decoder: &decoder)
    #expect(told.payload == nil)
    #expect(told.verdicts == [.fragment] + [PacketVerdict](repeating: .ignored(.badFragment), count: 3))
    #expect(decoder.lostDatagrams == 1 && decoder.waitingDatagrams == 0)
    let next = [fragment(0..<64, identification: 2), fragment(64..<end, identification: 2)]
    #expect(Self.decode(next, decoder: &decoder).payload == Self.payload)
  }

  @Test("Where IPv4 fragments overlap, the first copy counts")
  func overlaps() {
    let built = Self.built(false)
    let whole = built.tcp
    func fragment(_ range: Range<Int>, _ fill: UInt8? = nil) -> [UInt8] {
      let data = fill.map { [UInt8](repeating: $0, count: range.count) } ?? Array(whole[range])
      return BuiltSegment.fragment(
        from: built.source, to: built.destination, data, offset: range.lowerBound,
        isLast: range.upperBound == whole.count, identification: 1)
    }
    let end = whole.count
    #expect(
      Self.decode([fragment(0..<64), fragment(32..<128, 0xEE), fragment(96..<end)]).map { payload in
        payload[44..<108].allSatisfy { $0 == 0xEE } && Array(payload[..<44]) == Array(Self.payload[..<44])
          && Array(payload[108...]) == Array(Self.payload[108...])
      } == true)
    #expect(Self.decode([fragment(96..<end), fragment(48..<64), fragment(0..<200)]) == Self.payload)
  }

  @Test("A fragment beyond the datagram's known end, or too long, is refused")
  func contradictions() {
    let built = Self.built(false)
    func fragment(_ offset: Int, _ count: Int, _ isLast: Bool) -> [UInt8] {
      BuiltSegment.fragment(
        from: built.source, to: built.destination, [UInt8](repeating: 1, count: count), offset: offset,
        isLast: isLast, identification: 1)
    }
    var decoder = PacketDecoder()
    let verdicts = Self.decode(
      [fragment(64, 8, true), fragment(72, 8, false), fragment(64, 16, true), fragment(65_528, 16, false)],
      decoder: &decoder
    ).verdicts
    #expect(verdicts == [.fragment] + [PacketVerdict](repeating: .ignored(.badFragment), count: 3))
  }

  @Test("Fragments of other protocols do not wait")
  func otherProtocols() {
    var packet = Self.built(false).fragments(of: 56)[0]
    packet[9] = 17
    var decoder = PacketDecoder()
    #expect(Self.decode([packet], decoder: &decoder).verdicts == [.ignored(.notTCP)])
  }

  @Test("Waiting datagrams, their fragments and their age have limits")
  func limits() {
    var limits = PacketLimits()
    limits.datagrams = 2
    let built = Self.built(false)
    let first = (0..<3).map { built.fragments(of: 112, identification: 10 + $0) }
    var decoder = PacketDecoder(limits: limits)
    // The oldest of three makes way, so its second half finds nothing.
    let packets = first.map { $0[0] } + [first[0][1]]
    #expect(Self.decode(packets, decoder: &decoder).payload == nil)
    #expect(decoder.lostDatagrams == 2)
    #expect(Self.decode([first[2][1]], decoder: &decoder).payload == Self.payload)

    limits = PacketLimits()
    limits.fragments = 3
    decoder = PacketDecoder(limits: limits)
    let four = built.fragments(of: 56)
    #expect(Self.decode(four, decoder: &decoder).verdicts.last == .ignored(.badFragment))
    #expect(decoder.lostDatagrams == 1)

    limits = PacketLimits()
    limits.fragmentWait = 10
    decoder = PacketDecoder(limits: limits)
    #expect(Self.decode(first[0], every: 11, decoder: &decoder).payload == nil)
    #expect(decoder.lostDatagrams == 1)
    decoder = PacketDecoder(limits: limits)
    #expect(Self.decode(first[0], every: 10, decoder: &decoder).payload == Self.payload)
  }
}
