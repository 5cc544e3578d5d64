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

  @Test("Every packet of an aggregate is read", arguments: [2, 3, 8])
  func aggregates(size: Int) {
    let packets = Self.exchange(.raw(101)).frames
    for flags: UInt8 in [0, 0x10] {
      var wifi = BuiltWiFi(.fullRadiotap)
      (wifi.kind, wifi.isAggregate, wifi.radiotapFlags) = (0x88, true, flags)
      var capture = CaptureBuilder(.pcap, link: .wifi(wifi))
      for start in stride(from: 0, to: packets.count, by: size) {
        let some = Array(packets[start..<min(start + size, packets.count)])
        capture.add(frame: wifi.frame(ofAll: some, etherType: 0x0800))
      }
      let harness = StreamHarness.run(capture)
      #expect(harness.heard.map(\.client) == [[.text("ping"), .fin]])
      #expect(harness.heard.map(\.server) == [[.text("pong"), .fin]])
      #expect(harness.ignored.isEmpty)
    }
  }

  @Test("Packets of an aggregate that the capture cut off, or that are no IP, are ignored one by one")
  func brokenAggregates() {
    let packets = Self.exchange(.raw(101)).frames
    var wifi = BuiltWiFi(.none)
    (wifi.kind, wifi.isAggregate) = (0x88, true)
    let frame = wifi.frame(ofAll: Array(packets[..<3]), etherType: 0x0800)
    func reasons(_ frame: [UInt8], keeping count: Int) -> [PacketVerdict.Reason?] {
      var decoder = PacketDecoder()
      let head = Array(frame[..<count])
      var verdicts = [decoder.decode(head.span, originalCount: frame.count, link: .wifi, at: 0)]
      while let next = decoder.decodeNext(head.span, originalCount: frame.count, at: 0) {
        verdicts.append(next)
      }
      return verdicts.map { if case .ignored(let reason) = $0 { reason } else { nil } }
    }
    let second = 26 + 14 + 8 + packets[0].count + 2
    #expect(reasons(frame, keeping: frame.count) == [nil, nil, nil])
    #expect(reasons(frame, keeping: 30) == [.cut])
    #expect(reasons(frame, keeping: second) == [nil, .cut])
    #expect(reasons(frame, keeping: second + 14 + 8 + 19) == [nil, .cut, .cut])
    var foreign = frame
    foreign[second + 14] = 0
    #expect(reasons(foreign, keeping: frame.count) == [nil, .notIP, nil])
    foreign.replaceSubrange((second + 12)..<(second + 14), with: [0xFF, 0xFF])
    #expect(reasons(foreign, keeping: frame.count) == [nil, .notIP])
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
