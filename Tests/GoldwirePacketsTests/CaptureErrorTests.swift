import GoldwirePackets
import GoldwireTestSupport
import Testing

@Suite struct CaptureErrorTests {
  private func error(_ file: [UInt8], limits: PacketLimits = PacketLimits()) -> CaptureError? {
    let whole = ReadCapture.read(file, pieces: [max(1, file.count)], limits: limits)
    #expect(ReadCapture.read(file, pieces: [1], limits: limits).error == whole.error)
    return whole.error
  }

  @Test("What is no capture is refused by name")
  func formats() {
    #expect(error([])?.reason == .empty)
    #expect(error([0xD4, 0xC3])?.reason == .headerCut)
    #expect(error([0xD4, 0xC3, 0xB2, 0xA1, 2, 0])?.reason == .headerCut)
    #expect(error([0x0A, 0x0D, 0x0D, 0x0A, 28])?.reason == .headerCut)
    #expect(error(Array("GET / HTTP/1.1\r\n".utf8))?.reason == .unknownFormat)
    #expect(error([0x34, 0xCD, 0xB2, 0xA1])?.reason == .foreign(.modifiedPcap))
    #expect(error([0xA1, 0xB2, 0xCD, 0x34])?.reason == .foreign(.modifiedPcap))
    #expect(error([0xA1, 0x2B, 0x3C, 0x4D])?.reason == .foreign(.navtel))
    #expect(error([0x1C, 0x00, 0x01, 0xAC])?.reason == .foreign(.ixiaHardware))
    #expect(error([0xAB, 0x01, 0x00, 0x1C])?.reason == .foreign(.ixiaSoftware))
    #expect(error(Array("snoop".utf8))?.reason == .foreign(.snoop))
    #expect(error(Array("GMBU".utf8))?.reason == .foreign(.netmon))
    #expect(error([0x1F, 0x8B, 8, 0])?.reason == .foreign(.gzip))
    #expect(error([0x28, 0xB5, 0x2F, 0xFD])?.reason == .foreign(.zstd))
    #expect(error([0x04, 0x22, 0x4D, 0x18])?.reason == .foreign(.lz4))
    #expect(error([0xFD, 0x37, 0x7A, 0x58])?.reason == .foreign(.xz))
  }

  @Test("A link type that cannot be decoded is an error, never an empty trace")
  func linkTypes() {
    let classic = CaptureBuilder(.pcap, link: .other(147))
    #expect(error(classic.bytes) == CaptureError(.linkType(LinkType(rawValue: 147)), at: 0))
    var blocks = CaptureBuilder(.pcapng, link: .ethernet)
    blocks.addInterface(.other(147))
    blocks.add(frame: [1])
    #expect(error(blocks.bytes) == nil)
    let place = blocks.bytes.count
    blocks.interface = 1
    blocks.add(frame: [1])
    #expect(error(blocks.bytes) == CaptureError(.linkType(LinkType(rawValue: 147)), at: place))
    #expect(
      error(blocks.bytes)?.description == "byte \(place): link type 147 (private use 0) is not supported")
  }

  @Test("The number for private use is PKTAP only where its header can be nothing else")
  func privateLink() {
    for format in CaptureBuilder.Format.allCases {
      var capture = CaptureBuilder(format, link: .privatePktap)
      #expect(error(capture.bytes) == nil)
      capture.add(packet: BuiltSegment(from: .v4(1, port: 1), to: .v4(2, port: 80), sequence: 1).packet)
      let read = ReadCapture.read(capture.bytes, pieces: [capture.bytes.count])
      #expect(read.packets.map(\.link) == [.pktap])
      let frame = capture.frames[0]
      for place in [3, 4, 8, 12, 13] {
        var other = frame
        other[place] = 0x93
        capture = CaptureBuilder(format, link: .privatePktap)
        let start = capture.bytes.count
        capture.add(frame: other)
        #expect(error(capture.bytes) == CaptureError(.linkType(.user2), at: start))
      }
      capture = CaptureBuilder(format, link: .privatePktap)
      capture.add(frame: Array(frame[..<20]))
      #expect(error(capture.bytes)?.reason == .linkType(.user2))
    }
    #expect(CaptureError(.linkType(LinkType(rawValue: 189)), at: 0).description.contains("189 (USB)"))
    #expect(CaptureError(.linkType(LinkType(rawValue: 999)), at: 0).description.contains("type 999 is"))
    #expect(CaptureError(.linkType(LinkType(rawValue: 999)), at: 0).remedy?.contains("-y EN10MB") == true)
    let long = CaptureError(.packetTooLong(bytes: 300_000, limit: 262_144), at: 24)
    #expect(long.remedy?.contains("editcap -s 262144") == true)
  }

  @Test("Versions that nobody knows are refused")
  func versions() {
    var classic = CaptureBuilder(.pcap).bytes
    classic[4] = 3
    #expect(error(classic)?.reason == .version(major: 3, minor: 4))
    var blocks = CaptureBuilder(.pcapng).bytes
    blocks[12] = 2
    #expect(error(blocks)?.reason == .version(major: 2, minor: 0))
  }

  @Test("Before version 2.3 the two lengths stood the other way round")
  func oldLengths() {
    var capture = CaptureBuilder(.pcap)
    capture.snaplen = 2
    capture.add(frame: [1, 2, 3])
    var file = capture.bytes
    file[6] = 2
    file.replaceSubrange(32..<40, with: [3, 0, 0, 0, 2, 0, 0, 0])
    let read = ReadCapture.read(file, pieces: [file.count])
    #expect(read.frames == [[1, 2]])
    #expect(read.packets.map(\.originalCount) == [3])
  }

  @Test("A packet longer than the limit is refused before its bytes are asked for")
  func longPackets() {
    var limits = PacketLimits()
    limits.packetBytes = 16
    for format in CaptureBuilder.Format.allCases {
      var capture = CaptureBuilder(format)
      capture.add(frame: [UInt8](repeating: 1, count: 16))
      let place = capture.bytes.count
      capture.add(frame: [UInt8](repeating: 1, count: 17))
      let read = ReadCapture.read(capture.bytes, pieces: [5], limits: limits)
      #expect(read.packets.count == 1)
      #expect(read.error == CaptureError(.packetTooLong(bytes: 17, limit: 16), at: place))
    }
    var simple = CaptureBuilder(.pcapng)
    simple.block = .simple
    simple.add(frame: [UInt8](repeating: 1, count: 17))
    #expect(error(simple.bytes, limits: limits)?.reason == .packetTooLong(bytes: 17, limit: 16))
  }

  @Test("A block's lengths must agree, be long enough, and be within the limit")
  func blocks() {
    let head = CaptureBuilder(.pcapng)
    let place = head.bytes.count
    func with(_ change: (inout CaptureBuilder) -> Void, _ edit: (inout [UInt8]) -> Void = { _ in }) -> [UInt8]
    {
      var capture = head
      change(&capture)
      var file = capture.bytes
      edit(&file)
      return file
    }
    let frame: (inout CaptureBuilder) -> Void = { $0.add(frame: [1, 2, 3, 4]) }
    #expect(error(with(frame) { $0[$0.count - 4] ^= 4 }) == CaptureError(.lengthsDiffer, at: place))
    #expect(error(with({ $0.addBlock(99, [1]) }) { $0[$0.count - 4] ^= 4 })?.reason == .lengthsDiffer)
    #expect(error(with(frame) { $0[place + 4] = 11 })?.reason == .blockTooShort(bytes: 11))
    for type: UInt32 in [1, 2, 3, 5, 6, 10] {
      #expect(error(with { $0.addBlock(type, []) })?.reason == .blockTooShort(bytes: 12))
    }
    #expect(error(with(frame) { $0[place + 20] = 5 })?.reason == .blockTooShort(bytes: 36))
    #expect(error(with { $0.addBlock(10, [0, 0, 0, 0, 9, 0, 0, 0]) })?.reason == .blockTooShort(bytes: 20))
    #expect(
      error(with(frame) { $0.replaceSubrange(place + 4..<place + 8, with: [1, 0, 0x10, 0]) })
        == CaptureError(.blockTooLong(bytes: 1_048_577, limit: 1_048_576), at: place))
    #expect(error(with { $0.addBlock(0x0A0D_0D0A, [UInt8](repeating: 3, count: 16)) })?.reason == .byteOrder)
  }

  @Test("A packet must name an interface that was described, and there is a limit to them")
  func interfaces() {
    var capture = CaptureBuilder(.pcapng)
    let place = capture.bytes.count
    var body: [UInt8] = []
    for number: UInt32 in [1, 0, 0, 0, 0] { body.put(number, bigEndian: false) }
    capture.addBlock(6, body)
    #expect(error(capture.bytes) == CaptureError(.unknownInterface(1), at: place))
    var limits = PacketLimits()
    limits.interfaces = 2
    var many = CaptureBuilder(.pcapng)
    many.addInterface(.ethernet)
    #expect(error(many.bytes, limits: limits) == nil)
    many.addInterface(.ethernet)
    #expect(error(many.bytes, limits: limits)?.reason == .tooManyInterfaces(limit: 2))
  }

  @Test(
    "A torn end is the end, and said so, wherever the file is cut", arguments: CaptureBuilder.Format.allCases)
  func torn(_ format: CaptureBuilder.Format) {
    var capture = CaptureBuilder(format)
    var ends = [capture.bytes.count]
    for _ in 0..<3 {
      capture.add(frame: [1, 2, 3])
      ends.append(capture.bytes.count)
    }
    if format == .pcapng {
      capture.addBlock(99, [1, 2, 3, 4, 5])
      ends.append(capture.bytes.count)
    }
    for cut in (ends.first ?? 0)...capture.bytes.count {
      let read = ReadCapture.read(Array(capture.bytes.prefix(cut)), pieces: [cut])
      let last = ends.last { $0 <= cut } ?? 0
      #expect(read.error == nil)
      #expect(read.frames.count == min(3, ends.count { $0 <= cut } - 1))
      if case .torn(let at)? = read.end {
        #expect(cut > last && at >= last)
      } else {
        #expect(cut == last)
      }
    }
  }
}
