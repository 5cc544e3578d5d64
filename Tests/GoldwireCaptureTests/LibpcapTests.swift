import Foundation
@testable import GoldwireCapture
import GoldwirePackets
import GoldwireTestSupport
import Testing

/// Our reader of capture files against libpcap's.
@Suite struct LibpcapTests {
  private struct Packet: Equatable {
    var bytes: [UInt8]
    var originalCount: Int
    var time: Int
  }

  /// A container to compare in.
  struct Container: CustomTestStringConvertible, Sendable {
    let format: CaptureBuilder.Format
    let bigEndian: Bool
    let resolution: UInt8?
    var testDescription: String { "\(format), big-endian \(bigEndian), resolution \(resolution ?? 6)" }
  }

  @Test(arguments: [
    Container(format: .pcap, bigEndian: false, resolution: nil),
    Container(format: .pcap, bigEndian: true, resolution: nil),
    Container(format: .pcap, bigEndian: false, resolution: 9),
    Container(format: .pcapng, bigEndian: false, resolution: nil),
    Container(format: .pcapng, bigEndian: true, resolution: 3),
    Container(format: .pcapng, bigEndian: false, resolution: 9),
  ]) func bothReadTheSame(container: Container) throws {
    var capture = CaptureBuilder(
      container.format, bigEndian: container.bigEndian, resolution: container.resolution)
    capture.snaplen = 90
    let socket = capture.open()
    capture.send(socket, .client, String(repeating: "x", count: 400), size: 33)
    let path = temporaryFolder() + "goldwire-\(UInt64.random(in: 0 ... .max)).pcap"
    try Data(capture.bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var theirs: [Packet] = []
    var handle = try PcapHandle.file(path)
    while handle.next({ (bytes, originalCount, time) in
      theirs.append(Packet(bytes: Self.copy(bytes), originalCount: originalCount, time: time))
    }) == .packet {}
    var ours: [Packet] = []
    var reader = CaptureReader()
    var position = 0
    reading: while true {
      switch try reader.next(in: capture.bytes.span, from: &position) {
      case .packet(let packet):
        ours.append(
          Packet(
            bytes: Array(capture.bytes[packet.range]), originalCount: packet.originalCount, time: packet.time)
        )
      case .more: break reading
      case .secrets, .drops: break
      }
    }
    #expect(ours.count == 16)
    #expect(ours == theirs)
  }

  private static func copy(_ span: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in span.indices { bytes.append(span[index]) }
    return bytes
  }
}

/// A folder for passing files.
private func temporaryFolder() -> String {
  FileManager.default.temporaryDirectory.path + "/"
}
