import GoldwirePackets
import GoldwireTestSupport
import Testing

@Suite struct CaptureReaderTests {
  /// Container, byte order and resolution of a file that holds the same packets as any other.
  struct Variant: CustomTestStringConvertible, Sendable {
    var format: CaptureBuilder.Format
    var bigEndian: Bool
    var resolution: UInt8?
    var block: CaptureBuilder.Block = .enhanced

    var testDescription: String {
      "\(format) \(bigEndian ? "big" : "little") \(resolution.map { "\($0)" } ?? "default") \(block)"
    }

    static let all: [Variant] =
      [false, true].flatMap { big in
        [nil, 9].map { Variant(format: .pcap, bigEndian: big, resolution: $0) }
          + [nil, 6, 9, 8, 0x94, 0x9E].flatMap { resolution in
            [.enhanced, .obsolete].map {
              Variant(format: .pcapng, bigEndian: big, resolution: resolution, block: $0)
            }
          }
      }
  }

  private static func file(_ variant: Variant) -> CaptureBuilder {
    var capture = CaptureBuilder(
      variant.format, bigEndian: variant.bigEndian, resolution: variant.resolution)
    capture.block = variant.block
    capture.snaplen = 90
    capture.now = 250_001
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(socket, .client, "a request of some length that the snap length will cut off at its end")
    capture.send(socket, .server, "abc")
    return capture
  }

  @Test("Every container tells the same packets, in pieces of any size", arguments: Variant.all)
  func variants(_ variant: Variant) {
    let capture = Self.file(variant)
    let (whole, others) = ReadCapture.everyDelivery(capture.bytes)
    #expect(whole.end == .whole)
    #expect(whole.error == nil)
    #expect(whole.frames == capture.frames.map { Array($0.prefix(90)) })
    #expect(whole.packets.map(\.originalCount) == capture.frames.map(\.count))
    #expect(whole.packets.contains { $0.count < $0.originalCount })
    #expect(
      whole.packets.map(\.time) == (0..<5).map { CaptureBuilder.start + 250_001 + 1_000 * $0 })
    for other in others { #expect(other == whole) }
  }

  @Test("Each interface has its own resolution, and the classic file its nanoseconds")
  func resolutions() {
    // 1,700,000,000.25 s in ticks of 10^-6, 10^-9 and 2^-20.
    let words: [[UInt32]] = [
      [0x0006_0A24, 0x1822_1090], [0x1797_9CFE, 0x4510_B280], [0x0006_553F, 0x1004_0000],
    ]
    var capture = CaptureBuilder(.pcapng)
    capture.addInterface(.ethernet, resolution: 9)
    capture.addInterface(.ethernet, resolution: 0x94)
    for (index, ticks) in words.enumerated() {
      var body: [UInt8] = []
      for number in [UInt32(index)] + ticks + [4, 4] { body.put(number, bigEndian: false) }
      capture.addBlock(6, body + [UInt8](repeating: UInt8(index), count: 4))
    }
    let read = ReadCapture.read(capture.bytes, pieces: [64])
    #expect(read.packets.map(\.time) == [Int](repeating: 1_700_000_000_250_000, count: 3))
    #expect(read.frames.map { $0[0] } == [0, 1, 2])
    #expect(read.packets.map(\.interface) == [0, 1, 2])

    var classic: [UInt8] = [0x4D, 0x3C, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
    for number: UInt32 in [65_535, 1, 1_700_000_000, 250_000_000, 1, 1] {
      classic.put(number, bigEndian: false)
    }
    let old = ReadCapture.read(classic + [7], pieces: [64])
    #expect(old.packets.map(\.time) == [1_700_000_000_250_000])
  }

  @Test("An interface's offset is added, and no instant leaves its range")
  func offsets() {
    var capture = CaptureBuilder(.pcapng)
    capture.addInterface(.ethernet, resolution: 0, offsetSeconds: 1_000)
    capture.addInterface(.ethernet, resolution: 0, offsetSeconds: .min)
    capture.addInterface(.ethernet, resolution: 0, offsetSeconds: .max)
    capture.addInterface(.ethernet, resolution: 0x7F)
    capture.addInterface(.ethernet, resolution: 0xFF)
    capture.addInterface(.ethernet, resolution: 0x80)
    for index: UInt32 in 1...6 {
      var body: [UInt8] = []
      for number: UInt32 in [index, 0xFFFF_FFFF, 0xFFFF_FFFF, 0, 0] { body.put(number, bigEndian: false) }
      if index == 1 { body.replaceSubrange(4..<12, with: [0, 0, 0, 0, 5, 0, 0, 0]) }
      capture.addBlock(6, body)
    }
    let latest = 1 << 62
    let read = ReadCapture.read(capture.bytes, pieces: [1_000])
    #expect(read.packets.map(\.time) == [1_005_000_000, 0, latest, 0, 0, latest])
  }

  @Test("Sections may differ in byte order, and begin their interfaces anew")
  func sections() {
    var capture = CaptureBuilder(.pcapng, link: .ethernet)
    capture.add(frame: [1, 2, 3])
    capture.section(bigEndian: true)
    capture.addInterface(.raw(101), resolution: 9)
    capture.addInterface(.sll2)
    capture.interface = 1
    capture.add(frame: [4, 5])
    let (whole, others) = ReadCapture.everyDelivery(capture.bytes)
    #expect(whole.frames == [[1, 2, 3], [4, 5]])
    #expect(whole.packets.map(\.link) == [.ethernet, .sll2])
    #expect(whole.packets.map(\.interface) == [0, 1])
    #expect(whole.end == .whole)
    for other in others { #expect(other == whole) }
  }

  @Test("Simple packets take the snap length, and the time of the packet before")
  func simplePackets() {
    var capture = CaptureBuilder(.pcapng)
    capture.section(bigEndian: false)
    capture.addInterface(.raw(101), snaplen: 5)
    capture.add(frame: [9])
    capture.block = .simple
    capture.snaplen = 5
    capture.add(frame: [1, 2, 3, 4, 5, 6, 7, 8])
    capture.add(frame: [1, 2])
    let (whole, others) = ReadCapture.everyDelivery(capture.bytes)
    #expect(whole.frames == [[9], [1, 2, 3, 4, 5], [1, 2]])
    #expect(whole.packets.map(\.originalCount) == [1, 8, 2])
    #expect(whole.packets.map(\.time) == [Int](repeating: CaptureBuilder.start, count: 3))
    for other in others { #expect(other == whole) }
  }

  @Test("Other blocks are passed over, however long; secrets and drops are told")
  func otherBlocks() {
    var capture = CaptureBuilder(.pcapng)
    capture.addBlock(4, [UInt8](repeating: 7, count: 61))
    capture.addBlock(0x0000_0BAD, [])
    capture.addBlock(0x4000_0BAD, [UInt8](repeating: 9, count: 40_003))
    capture.addKeyLog("CLIENT_RANDOM 00 11")
    capture.add(frame: [1])
    var statistics: [UInt8] = []
    for number: UInt32 in [0, 0, 0] { statistics.put(number, bigEndian: false) }
    capture.option(4, [1, 0, 0, 0, 0, 0, 0, 0], in: &statistics)
    capture.option(5, [3, 0, 0, 0, 0, 0, 0, 0], in: &statistics)
    capture.option(7, [4, 0, 0, 0, 0, 0, 0, 0], in: &statistics)
    capture.option(0, [], in: &statistics)
    capture.addBlock(5, statistics)
    capture.addBlock(5, statistics)
    var limits = PacketLimits()
    limits.blockBytes = 256
    let (whole, others) = ReadCapture.everyDelivery(capture.bytes, limits: limits, step: 97)
    #expect(whole.error == nil)
    #expect(whole.frames == [[1]])
    #expect(whole.secrets == [Array("CLIENT_RANDOM 00 11".utf8)])
    #expect(whole.drops == 7)
    for other in others { #expect(other == whole) }
  }

  @Test("A packet's own count of drops is not told again by the statistics")
  func packetDrops() {
    var capture = CaptureBuilder(.pcapng)
    var body: [UInt8] = []
    for number: UInt32 in [0, 0, 0, 1, 1] { body.put(number, bigEndian: false) }
    body += [5, 0, 0, 0]
    capture.option(4, [2, 0, 0, 0, 0, 0, 0, 0], in: &body)
    capture.addBlock(6, body)
    var statistics: [UInt8] = []
    for number: UInt32 in [0, 0, 0] { statistics.put(number, bigEndian: false) }
    capture.option(5, [3, 0, 0, 0, 0, 0, 0, 0], in: &statistics)
    capture.addBlock(5, statistics)
    let read = ReadCapture.read(capture.bytes, pieces: [7])
    #expect(read.packets.map(\.drops) == [2])
    #expect(read.drops == 1)
  }
}
