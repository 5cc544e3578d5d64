import GoldwirePackets
import GoldwireTestSupport
import Testing

@Suite struct LinkTests {
  static let links: [BuiltLink] = [
    .ethernet, .tagged([0x8100]), .tagged([0x88A8, 0x8100]), .tagged([0x9100, 0x9100, 0x8100]), .pppoe,
    .null(bigEndian: false), .null(bigEndian: true), .loop, .raw(101), .raw(12), .raw(14), .raw(228),
    .raw(229), .ppp(framed: true), .ppp(framed: false), .hdlc, .sll, .sll2, .pktap, .privatePktap,
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

  @Test("The same connection comes out of every link, over both IP versions", arguments: links)
  func connections(_ link: BuiltLink) {
    for ipv6 in [false, true] {
      let harness = StreamHarness.run(Self.exchange(link, ipv6: ipv6))
      #expect(harness.heard.map(\.client) == [[.text("ping"), .fin]])
      #expect(harness.heard.map(\.server) == [[.text("pong"), .fin]])
      #expect(harness.ignored.isEmpty)
    }
  }

  @Test("The two Linux cooked versions tell the same, and SLL2 has its EtherType in front")
  func cooked() {
    let first = Self.exchange(.sll, ipv6: false)
    let second = Self.exchange(.sll2, ipv6: false)
    #expect(first.frames[0].count - 16 == second.frames[0].count - 20)
    #expect(Array(first.frames[0][14..<16]) == [8, 0])
    #expect(Array(second.frames[0][0..<2]) == [8, 0])
    #expect(StreamHarness.run(first).heard == StreamHarness.run(second).heard)
  }

  private func decode(
    _ frame: [UInt8], _ link: LinkType, limits: PacketLimits = PacketLimits()
  ) -> PacketVerdict {
    var decoder = PacketDecoder(limits: limits)
    return decoder.decode(frame.span, originalCount: frame.count, link: link, at: 0)
  }

  @Test("What is not IP is ignored with its reason")
  func ignored() {
    let mac = [UInt8](repeating: 2, count: 12)
    #expect(decode(mac + [0x08, 0x06, 0, 1], .ethernet) == .ignored(.notIP))
    #expect(decode(mac + [0x00, 0x26, 0xAA, 0xAA, 3, 0, 0, 0, 8, 0], .ethernet) == .ignored(.notIP))
    #expect(decode(mac + [0x88, 0x63, 0x11, 9, 0, 0, 0, 0, 0], .ethernet) == .ignored(.notIP))
    #expect(decode(mac + [0x88, 0x64, 0x11, 0, 0, 1, 0, 4, 0xC0, 0x21, 1], .ethernet) == .ignored(.notIP))
    #expect(decode([0, 0, 0, 7, 0x45], .null) == .ignored(.notIP))
    #expect(decode([0xFF, 3, 0xC0, 0x21, 1], .ppp) == .ignored(.notIP))
    #expect(decode([0x45], LinkType(rawValue: 147)) == .ignored(.linkType))
    #expect(decode([0x15] + [UInt8](repeating: 0, count: 40), .raw) == .ignored(.malformed))
    #expect(decode([108, 0, 0, 0, 2, 0, 0, 0, 101, 0, 0, 0], .pktap) == .ignored(.notIP))
    #expect(decode([108, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0], .pktap) == .ignored(.malformed))
    #expect(decode([108, 0, 0, 0, 1, 0, 0, 0, 147, 0, 0, 0], .pktap) == .ignored(.cut))
  }

  @Test("A stack of tags has a limit")
  func tags() {
    var limits = PacketLimits()
    limits.linkTags = 2
    let segment = BuiltSegment(from: .v4(1, port: 1), to: .v4(2, port: 80), sequence: 1).packet
    let two = BuiltLink.tagged([0x8100, 0x8100]).frame(of: segment)
    let three = BuiltLink.tagged([0x8100, 0x8100, 0x8100]).frame(of: segment)
    if case .segment = decode(two, .ethernet, limits: limits) {} else { Issue.record("two tags are allowed") }
    #expect(decode(three, .ethernet, limits: limits) == .ignored(.malformed))
  }

  @Test("A frame cut anywhere in its headers is ignored, never read beyond its end", arguments: links)
  func cut(_ link: BuiltLink) {
    for ipv6 in [false, true] {
      let frame = Self.exchange(link, ipv6: ipv6).frames[3]
      for count in 0...frame.count {
        var decoder = PacketDecoder()
        let head = Array(frame[..<count])
        let verdict = decoder.decode(
          head.span, originalCount: frame.count,
          link: link == .privatePktap ? .pktap : LinkType(rawValue: link.number), at: 0)
        switch verdict {
        case .segment(let segment):
          #expect(segment.length == 4)
          #expect(segment.count == max(0, 4 - (frame.count - count)))
        case .ignored(let reason): #expect(reason == .cut || reason == .malformed && count == 0)
        default: Issue.record("unexpected verdict")
        }
      }
    }
  }

  @Test("libpcap's numbers are link types, PKTAP's private one where it is that")
  func dataLinks() {
    #expect(LinkType(dataLink: 1) == .ethernet)
    #expect(LinkType(dataLink: 276) == .sll2)
    #if canImport(Darwin)
      #expect(LinkType(dataLink: 149) == .pktap)
    #else
      #expect(!LinkType(dataLink: 149).isSupported)
    #endif
  }
}
