import GoldwirePackets
import GoldwireTestSupport
import Testing

@Suite struct PacketDecoderTests {
  static let hosts4 = (BuiltHost.v4(1, port: 50_000), BuiltHost.v4(2, port: 80))
  static let hosts6 = (BuiltHost.v6(1, port: 50_000), BuiltHost.v6(2, port: 80))

  private func decode(_ packet: [UInt8], original: Int? = nil) -> PacketVerdict {
    var decoder = PacketDecoder()
    return decoder.decode(packet.span, originalCount: original ?? packet.count, link: .raw, at: 0)
  }

  private func segment(_ packet: [UInt8]) -> Segment? {
    guard case .segment(let segment) = decode(packet) else { return nil }
    return segment
  }

  private static func built(_ hosts: (BuiltHost, BuiltHost), _ payload: String = "abc") -> BuiltSegment {
    var segment = BuiltSegment(from: hosts.0, to: hosts.1, sequence: 7)
    segment.acknowledgment = 9
    segment.payload = Array(payload.utf8)
    return segment
  }

  @Test("Both directions have one key, and the header's numbers are read")
  func numbers() throws {
    for hosts in [Self.hosts4, Self.hosts6] {
      var built = Self.built(hosts)
      built.window = 321
      built.flags = 24
      let packet = built.packet
      let there = try #require(segment(packet))
      #expect(there.sequence == 7)
      #expect(there.acknowledgment == 9)
      #expect(there.flags == [.ack, .psh])
      #expect(there.window == 321)
      #expect(Array(packet[there.range]) == Array("abc".utf8))
      let back = try #require(segment(BuiltSegment(from: hosts.1, to: hosts.0, sequence: 1).packet))
      #expect(back.key == there.key)
      #expect(back.sender == there.sender.other)
      #expect(there.key.endpoint(of: there.sender).port == 50_000)
      #expect(there.key.endpoint(of: back.sender).port == 80)
      #expect(there.key.endpoint(of: there.sender).address.isIPv4 == (hosts.0.address.count == 4))
    }
  }

  @Test("The window scale is read among other options, and only from a SYN")
  func options() throws {
    var built = Self.built(Self.hosts4, "")
    built.options = [2, 4, 5, 0xB4, 1, 3, 3, 7, 4, 2]
    built.flags = 2
    #expect(try #require(segment(built.packet)).windowScale == 7)
    built.options = [3, 3, 200]
    #expect(try #require(segment(built.packet)).windowScale == 14)
    built.options = [8, 1, 3, 3, 7]
    #expect(try #require(segment(built.packet)).windowScale == 0)
    built.options = [0, 3, 3, 7]
    #expect(try #require(segment(built.packet)).windowScale == 0)
    built.flags = 16
    built.options = [3, 3, 7]
    #expect(try #require(segment(built.packet)).windowScale == 0)
  }

  @Test("IPv4 options are passed over, and padding of the link is no payload")
  func padding() throws {
    let tcp = Self.built(Self.hosts4).tcp
    let packet = BuiltSegment.ip(
      protocol: 6, from: Self.hosts4.0, to: Self.hosts4.1, tcp, options: [7, 4, 4, 0, 1, 1, 1, 0])
    let found = try #require(segment(packet + [0, 0, 0, 0, 0, 0]))
    #expect(found.count == 3)
    #expect(found.length == 3)
    #expect(Array(packet[found.range]) == Array("abc".utf8))
  }

  @Test("A length of 0, as segmentation offload leaves it, means the frame's")
  func offload() throws {
    var four = Self.built(Self.hosts4).packet
    four.set16(0, at: 2)
    #expect(try #require(segment(four)).length == 3)
    var six = Self.built(Self.hosts6).packet
    six.set16(0, at: 4)
    #expect(try #require(segment(six)).length == 3)
    guard case .segment(let cut) = decode(Array(four.dropLast(2)), original: four.count) else {
      Issue.record("a segment was expected")
      return
    }
    #expect(cut.count == 1)
    #expect(cut.length == 3)
  }

  @Test("IPv6 extension headers are passed over, up to a limit")
  func extensions() throws {
    let tcp = Self.built(Self.hosts6).tcp
    let hop: [UInt8] = [60, 1] + [UInt8](repeating: 0, count: 14)
    let destination: [UInt8] = [51, 0] + [UInt8](repeating: 0, count: 6)
    let authentication: [UInt8] = [44, 4] + [UInt8](repeating: 0, count: 22)
    let atomic: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 5]
    let packet = BuiltSegment.ip(
      protocol: 0, from: Self.hosts6.0, to: Self.hosts6.1, hop + destination + authentication + atomic + tcp)
    #expect(Array(packet[try #require(segment(packet)).range]) == Array("abc".utf8))
    let many = [[UInt8]](repeating: [60, 0, 0, 0, 0, 0, 0, 0], count: 9).flatMap { $0 }
    let long = BuiltSegment.ip(protocol: 60, from: Self.hosts6.0, to: Self.hosts6.1, many + tcp)
    #expect(decode(long) == .ignored(.malformed))
  }

  @Test("Headers that contradict themselves are malformed")
  func malformed() {
    let good = Self.built(Self.hosts4).packet
    func changed(_ edit: (inout [UInt8]) -> Void) -> PacketVerdict {
      var packet = good
      edit(&packet)
      return decode(packet)
    }
    #expect(changed { $0[0] = 0x44 } == .ignored(.malformed))
    #expect(changed { $0.set16(19, at: 2) } == .ignored(.malformed))
    #expect(changed { $0.set16(39, at: 2) } == .ignored(.malformed))
    #expect(changed { $0[32] = 0x40 } == .ignored(.malformed))
    #expect(changed { $0[32] = 0xF0 } == .ignored(.malformed))
    #expect(changed { $0[9] = 17 } == .ignored(.notTCP))
  }

  @Test("An unreachable report names the segment that it quotes")
  func unreachable() {
    for (hosts, number, head) in [
      (Self.hosts4, 1 as UInt8, [3, 3] as [UInt8]), (Self.hosts6, 58, [1, 4]),
    ] {
      let quoted = Self.built(hosts, "").packet
      let body = head + [0, 0, 0, 0, 0, 0] + quoted.prefix(hosts.0.address.count == 4 ? 28 : 60)
      let packet = BuiltSegment.ip(protocol: number, from: hosts.1, to: hosts.0, body)
      guard case .unreachable(let segment) = decode(packet) else {
        Issue.record("a report was expected")
        continue
      }
      #expect(segment.sequence == 7)
      #expect(segment.key.endpoint(of: segment.sender).port == 50_000)
      for count in 0..<packet.count {
        if case .segment = decode(Array(packet.prefix(count)), original: packet.count) {
          Issue.record("a report is no segment")
        }
      }
    }
    let tooBig = BuiltSegment.ip(
      protocol: 1, from: Self.hosts4.1, to: Self.hosts4.0,
      [3, 4, 0, 0, 0, 0, 5, 0] + Self.built(Self.hosts4, "").packet)
    #expect(decode(tooBig) == .ignored(.notTCP))
  }
}
