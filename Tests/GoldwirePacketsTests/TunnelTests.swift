import GoldwirePackets
import GoldwireTestSupport
import Testing

/// TCP inside tunnels: IP in IP, 6in4, GRE, PPTP, Teredo.
@Suite struct TunnelTests {
  static let tunnels: [BuiltTunnel] = [
    .plain(ipv6: false), .plain(ipv6: true), .routed(flags: 0), .routed(flags: 0x8000),
    .routed(flags: 0x2000), .routed(flags: 0x3000), .routed(flags: 0xB000), .bridged,
    .pptp(acknowledges: false), .pptp(acknowledges: true),
  ]
  static let teredo: [BuiltTunnel] = [
    .teredo(authenticated: false, origin: false), .teredo(authenticated: true, origin: false),
    .teredo(authenticated: false, origin: true), .teredo(authenticated: true, origin: true),
  ]

  private static func exchange(_ link: BuiltLink, ipv6: Bool) -> CaptureBuilder {
    var capture = CaptureBuilder(.pcap, link: link)
    let socket = capture.connection(ipv6: ipv6)
    capture.connect(socket)
    capture.send(socket, .client, "ping")
    capture.send(socket, .server, "pong")
    capture.close(socket)
    return capture
  }

  private static func hears(_ link: BuiltLink, ipv6: Bool) {
    let harness = StreamHarness.run(exchange(link, ipv6: ipv6))
    #expect(harness.heard.map(\.client) == [[.text("ping"), .fin]])
    #expect(harness.heard.map(\.server) == [[.text("pong"), .fin]])
    #expect(harness.ignored.isEmpty)
  }

  @Test("The same connection comes out of every tunnel, over both IP versions", arguments: tunnels)
  func connections(_ tunnel: BuiltTunnel) {
    for ipv6 in [false, true] { Self.hears(.tunnel(tunnel, .ethernet), ipv6: ipv6) }
  }

  @Test("Teredo carries IPv6 behind its indications", arguments: teredo)
  func teredoConnections(_ tunnel: BuiltTunnel) {
    Self.hears(.tunnel(tunnel, .sll), ipv6: true)
  }

  @Test("Other datagrams, on Teredo's port too, are nothing for TCP")
  func otherDatagrams() {
    let inside = BuiltSegment(from: .v4(1, port: 1), to: .v4(2, port: 80), sequence: 1).packet
    var packet = BuiltTunnel.teredo(authenticated: false, origin: false).packet(around: inside)
    #expect(decode(packet) == .ignored(.notTCP))
    packet = BuiltTunnel.teredo(authenticated: false, origin: false).packet(
      around: BuiltSegment(from: .v6(1, port: 1), to: .v6(2, port: 80), sequence: 1).packet)
    packet.set16(53, at: 20)
    #expect(decode(packet) == .ignored(.notTCP))
  }

  private func decode(_ packet: [UInt8], limits: PacketLimits = PacketLimits()) -> PacketVerdict {
    var decoder = PacketDecoder(limits: limits)
    return decoder.decode(packet.span, originalCount: packet.count, link: .raw, at: 0)
  }

  @Test("Tunnels in tunnels have a limit")
  func nesting() {
    var limits = PacketLimits()
    limits.tunnels = 2
    var packet = BuiltSegment(from: .v4(1, port: 1), to: .v4(2, port: 80), sequence: 1).packet
    for depth in 1...3 {
      packet = [BuiltTunnel.bridged, .plain(ipv6: true), .routed(flags: 0)][depth - 1].packet(around: packet)
      let verdict = decode(packet, limits: limits)
      if depth <= 2 {
        guard case .segment = verdict else {
          Issue.record("\(depth) tunnels are allowed")
          continue
        }
      } else {
        #expect(verdict == .ignored(.nested))
      }
    }
  }

  @Test("A version that is not the announced one is malformed; foreign contents are nothing for TCP")
  func contents() {
    let inside = BuiltSegment(from: .v4(1, port: 1), to: .v4(2, port: 80), sequence: 1).packet
    func changed(_ tunnel: BuiltTunnel, _ edit: (inout [UInt8]) -> Void) -> PacketVerdict {
      var packet = tunnel.packet(around: inside)
      edit(&packet)
      return decode(packet)
    }
    #expect(changed(.plain(ipv6: false)) { $0[9] = 41 } == .ignored(.malformed))
    #expect(changed(.routed(flags: 0)) { $0.set16(0x86DD, at: 22) } == .ignored(.malformed))
    #expect(changed(.routed(flags: 0)) { $0.set16(0x0806, at: 22) } == .ignored(.notTCP))
    #expect(changed(.routed(flags: 0)) { $0.set16(0x4000, at: 20) } == .ignored(.notTCP))
    #expect(changed(.routed(flags: 0)) { $0.set16(2, at: 20) } == .ignored(.notTCP))
    // A bare acknowledgment of PPTP.
    #expect(changed(.pptp(acknowledges: true)) { $0.set16(0x2081, at: 20) } == .ignored(.notTCP))
    #expect(changed(.bridged) { $0.set16(0x0806, at: 40) } == .ignored(.notIP))
  }

  @Test("Fragments of a tunnel, and fragments inside one, come together")
  func fragments() {
    var segment = BuiltSegment(from: .v4(1, port: 9), to: .v4(2, port: 80), sequence: 3)
    segment.payload = (0..<200).map { UInt8($0) }
    let outer = BuiltTunnel.routed(flags: 0).packet(around: segment.packet)
    let inner = segment.fragments(of: 56).map { BuiltTunnel.routed(flags: 0).packet(around: $0) }
    let both = inner.flatMap { Self.fragments(of: $0, identification: UInt16($0[41])) }
    for packets in [Self.fragments(of: outer, identification: 1), inner, both] {
      var decoder = PacketDecoder()
      var payloads: [[UInt8]] = []
      for packet in packets.reversed() {
        let verdict = decoder.decode(packet.span, originalCount: packet.count, link: .raw, at: 0)
        if case .reassembled(let found) = verdict {
          payloads.append(Array(decoder.takeDatagram()[found.range]))
        }
      }
      #expect(payloads == [segment.payload])
    }
  }

  /// An IPv4 packet without options in pieces of 48 bytes.
  private static func fragments(of packet: [UInt8], identification: UInt16) -> [[UInt8]] {
    let data = Array(packet[20...])
    return stride(from: 0, to: data.count, by: 48).map { offset in
      let end = min(offset + 48, data.count)
      var header = Array(packet[..<20])
      header.set16(UInt16(20 + end - offset), at: 2)
      header.set16(identification, at: 4)
      header.set16(UInt16(offset / 8) | (end < data.count ? 0x2000 : 0), at: 6)
      return header + data[offset..<end]
    }
  }

  @Test("A packet cut anywhere in its headers is never read beyond its end", arguments: tunnels)
  func cut(_ tunnel: BuiltTunnel) {
    let frame = Self.exchange(.tunnel(tunnel, .ethernet), ipv6: false).frames[3]
    for count in 0...frame.count {
      var decoder = PacketDecoder()
      let head = Array(frame[..<count])
      switch decoder.decode(head.span, originalCount: frame.count, link: .ethernet, at: 0) {
      case .segment(let segment): #expect(segment.count == max(0, 4 - (frame.count - count)))
      case .ignored(let reason): #expect(reason == .cut)
      default: Issue.record("unexpected verdict")
      }
    }
  }

  @Test("Damaged tunnels never trap")
  func damaged() {
    var mutator = Mutator(
      seed: 5, dictionary: [[0x2F, 0, 0], [0x08, 0], [0x45, 0], [0x60, 0], [0x0D, 0xD8]])
    for round in 0..<4_000 {
      let tunnel = (Self.tunnels + Self.teredo)[round % 14]
      let inside = BuiltSegment(from: .v6(1, port: 1), to: .v6(2, port: 80), sequence: 1).packet
      let packet = mutator.mutate(tunnel.packet(around: inside))
      _ = decode(packet)
    }
  }
}
