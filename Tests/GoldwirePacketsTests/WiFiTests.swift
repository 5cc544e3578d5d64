import GoldwirePackets
import GoldwireTestSupport
import Testing

/// IEEE 802.11 and what drivers put before it.
@Suite struct WiFiTests {
  private static func exchange(_ link: BuiltLink, ipv6: Bool = false) -> CaptureBuilder {
    var capture = CaptureBuilder(.pcap, link: link)
    let socket = capture.connection(ipv6: ipv6)
    capture.connect(socket)
    capture.send(socket, .client, "ping")
    capture.send(socket, .server, "pong")
    capture.close(socket)
    return capture
  }

  private static func hears(_ wifi: BuiltWiFi, _ comment: Comment) {
    for ipv6 in [false, true] {
      let harness = StreamHarness.run(exchange(.wifi(wifi), ipv6: ipv6))
      #expect(harness.heard.map(\.client) == [[.text("ping"), .fin]], comment)
      #expect(harness.heard.map(\.server) == [[.text("pong"), .fin]], comment)
      #expect(harness.ignored.isEmpty, comment)
    }
  }

  @Test("The same connection comes out behind every driver's header", arguments: BuiltWiFi.Header.allCases)
  func headers(_ header: BuiltWiFi.Header) {
    Self.hears(BuiltWiFi(header), "\(header)")
  }

  @Test("Every length of the frame's own header is told by its flags")
  func lengths() {
    for kind: UInt8 in [0x08, 0x88] {
      for flags: UInt8 in [0, 1, 2, 3, 0x80, 0x83] where kind == 0x88 || flags < 0x80 {
        var wifi = BuiltWiFi(.none)
        (wifi.kind, wifi.flags) = (kind, flags)
        Self.hears(wifi, "kind \(kind), flags \(flags)")
      }
    }
    var aggregate = BuiltWiFi(.radiotap)
    (aggregate.kind, aggregate.isAggregate) = (0x88, true)
    Self.hears(aggregate, "an aggregate of one")
  }

  @Test("radiotap says whether the header is padded and whether a check sequence follows")
  func radiotapFlags() {
    for flags: UInt8 in [0x10, 0x20, 0x30] {
      var wifi = BuiltWiFi(.fullRadiotap)
      (wifi.kind, wifi.radiotapFlags) = (0x88, flags)
      Self.hears(wifi, "radiotap flags \(flags)")
    }
  }

  @Test("What cannot be read is ignored with its reason")
  func ignored() {
    func reason(_ change: (inout BuiltWiFi) -> Void) -> [PacketVerdict.Reason] {
      var wifi = BuiltWiFi(.fullRadiotap)
      change(&wifi)
      return Array(Set(StreamHarness.run(Self.exchange(.wifi(wifi))).ignored))
    }
    #expect(reason { $0.flags = 0x41 } == [.encrypted])
    #expect(reason { $0.flags = 0x05 } == [.badFragment])
    #expect(reason { $0.fragment = 1 } == [.badFragment])
    #expect(reason { $0.radiotapFlags = 0x40 } == [.malformed])
    #expect(reason { $0.kind = 0x80 } == [.notIP])
    #expect(reason { $0.kind = 0x48 } == [.notIP])
    #expect(reason { $0.kind = 0x09 } == [.malformed])
  }

  @Test("A frame cut anywhere is never read beyond its end", arguments: BuiltWiFi.Header.allCases)
  func cut(_ header: BuiltWiFi.Header) {
    let link = BuiltLink.wifi(BuiltWiFi(header))
    let frame = Self.exchange(link).frames[3]
    for count in 0...frame.count {
      var decoder = PacketDecoder()
      let head = Array(frame[..<count])
      switch decoder.decode(
        head.span, originalCount: frame.count, link: LinkType(rawValue: link.number), at: 0)
      {
      case .segment(let segment): #expect(segment.count == max(0, 4 - (frame.count - count)))
      case .ignored(let reason): #expect(reason == .cut)
      default: Issue.record("unexpected verdict")
      }
    }
  }

  @Test("Random bytes under any of these link types never trap")
  func random() {
    var generator = SeededGenerator(seed: 3)
    let links: [LinkType] = [.wifi, .radiotap, .prism, .avs, .ppi, .pktap]
    for round in 0..<4_000 {
      let count = Int.random(in: 0...80, using: &generator)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if round % 2 == 0 { for index in 0..<min(4, count) { bytes[index] &= 0x1C } }
      var decoder = PacketDecoder()
      _ = decoder.decode(bytes.span, originalCount: count, link: links[round % links.count], at: 0)
    }
  }
}
