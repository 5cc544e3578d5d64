import GoldwireBytes
import GoldwirePackets
import GoldwireTestSupport
import Testing

/// The short way of a plain frame says what the general one says, and says nothing of any other frame.
@Suite struct PlainFrameTests {
  /// An Ethernet frame of either version of IP with a TCP segment of some payload.
  private static func frame(_ random: inout SeededGenerator) -> [UInt8] {
    let isOld = Bool.random(using: &random)
    let payload = Int.random(in: 0...40, using: &random)
    var bytes = [UInt8](repeating: 2, count: 12)
    bytes += isOld ? [0x08, 0x00] : [0x86, 0xDD]
    if isOld {
      bytes += [0x45, 0, 0, UInt8(40 + payload), 0, 0, 0x40, 0, 64, 6, 0, 0]
      bytes += [10, 0, 0, UInt8.random(in: 1...3, using: &random), 10, 0, 0, 2]
    } else {
      bytes += [0x60, 0, 0, 0, 0, UInt8(20 + payload), 6, 64]
      bytes += [UInt8](repeating: 1, count: 15) + [UInt8.random(in: 0...3, using: &random)]
      bytes += [UInt8](repeating: 1, count: 16)
    }
    bytes += [0x12, UInt8.random(in: 0...255, using: &random), 0, 80, 1, 2, 3, 4, 5, 6, 7, 8, 0x50]
    bytes += [UInt8.random(in: 0...31, using: &random), 0x20, 0, 0, 0, 0, 0]
    bytes += (0..<payload).map { UInt8($0) }
    // Padding, or bytes that the capture cut off.
    if Bool.random(using: &random) { bytes += [0, 0, 0] }
    if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeLast(min(payload, 7)) }
    return bytes
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `A plain frame is read alike both ways`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = PacketDecoder()
    var plain = 0
    for round in 0..<200 {
      var bytes = Self.frame(&random)
      // Some are damaged, at any place of their headers.
      if round % 3 == 0 {
        bytes[Int.random(in: 12..<54, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let segment = decoder.plain(bytes.span, link: .ethernet) else { continue }
      plain += 1
      let verdict = decoder.decode(bytes.span, originalCount: bytes.count, link: .ethernet, at: 0)
      #expect(verdict == .segment(segment))
    }
    #expect(plain > 50)
  }

  @Test func `A frame of another link is no plain one`() {
    var random = SeededGenerator(seed: 1)
    let bytes = Self.frame(&random)
    let segment = PacketDecoder().plain(bytes.span, link: .raw)
    #expect(segment == nil)
  }
}
