import GoldwireTestSupport
import Testing

@testable import ValidationReal

/// What a path between client and server does with packets.
@Suite struct PathPacketTests {
  /// A segment with a payload of an odd length, its checksums right.
  private static func segment(_ from: [UInt8], _ to: [UInt8], _ payload: [UInt8] = [1, 2, 3]) -> [UInt8] {
    let tcp: [UInt8] =
      [0x13, 0x88, 0x1F, 0x90, 0, 0, 0, 9, 0, 0, 0, 7, 0x50, 0x18, 2, 0, 0, 0, 0, 0] + payload
    let pseudo = from + to + [0, 6] + [UInt8(tcp.count >> 8), UInt8(tcp.count & 0xFF)]
    var segment = tcp
    let sum = ~PathPacket.sum(pseudo + tcp) & 0xFFFF
    (segment[16], segment[17]) = (UInt8(sum >> 8), UInt8(sum & 0xFF))
    var head: [UInt8] = [0x45, 0, 0, UInt8(20 + tcp.count), 0, 1, 0x40, 0, 64, 6, 0, 0] + from + to
    let check = ~PathPacket.sum(head) & 0xFFFF
    (head[10], head[11]) = (UInt8(check >> 8), UInt8(check & 0xFF))
    return head + segment
  }

  /// Both checksums of a packet, as a receiver sees them: 0 where they are right.
  private static func faults(_ packet: [UInt8]) -> [Int] {
    let length = packet.count - 20
    let pseudo = Array(packet[12..<20]) + [0, 6, UInt8(length >> 8), UInt8(length & 0xFF)]
    return [PathPacket.sum(Array(packet[..<20])), PathPacket.sum(pseudo + packet[20...])].map { ~$0 & 0xFFFF }
  }

  @Test func bothWaysAreTurnedAndStayWhole() {
    var up = Self.segment(PathPacket.client, PathPacket.far)
    #expect(Self.faults(up) == [0, 0])
    #expect(PathPacket.turn(&up) == true)
    #expect(Array(up[12..<20]) == PathPacket.far + PathPacket.server)
    #expect(Self.faults(up) == [0, 0])
    var down = Self.segment(PathPacket.server, PathPacket.far, Array(0..<201))
    #expect(PathPacket.turn(&down) == false)
    #expect(Array(down[12..<20]) == PathPacket.far + PathPacket.client)
    #expect(Self.faults(down) == [0, 0])
  }

  @Test func anyPayloadStaysWhole() {
    var random = SeededGenerator(seed: 5)
    for count in 0..<200 {
      let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      var packet = Self.segment(PathPacket.client, PathPacket.far, payload)
      #expect(PathPacket.turn(&packet) == true)
      #expect(Self.faults(packet) == [0, 0])
    }
  }

  @Test func anythingElseIsLeftAlone() {
    let strange: [[UInt8]] = [
      [], [0x45], [UInt8](repeating: 0x45, count: 39), [UInt8](repeating: 0xFF, count: 60),
      Self.segment([10, 0, 0, 9], PathPacket.far), Self.segment(PathPacket.client, [10, 0, 0, 9]),
    ]
    for packet in strange {
      var same = packet
      #expect(PathPacket.turn(&same) == nil)
      #expect(same == packet)
    }
    // A head that is longer than the packet.
    var cut = Self.segment(PathPacket.client, PathPacket.far)
    cut[0] = 0x4F
    #expect(PathPacket.turn(&cut) == nil)
  }
}
