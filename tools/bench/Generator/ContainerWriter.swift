import GoldwireTestSupport

/// Writes packets as a capture file: pcap with Ethernet, or pcapng with Ethernet in microseconds and raw IP in
/// nanoseconds, by the connection's number.
struct ContainerWriter {
  /// What was written and not emptied.
  private(set) var block: [UInt8] = []
  private let isPcapng: Bool

  init(isPcapng: Bool) {
    self.isPcapng = isPcapng
    let capture = CaptureBuilder(isPcapng ? .pcapng : .pcap)
    block = capture.bytes
    if isPcapng {
      var second = CaptureBuilder(.pcapng)
      let first = second.bytes.count
      second.addInterface(.raw(101), resolution: 9)
      block += second.bytes[first...]
    }
  }

  mutating func empty() { block.removeAll(keepingCapacity: true) }

  mutating func write(_ packet: Wire.Packet) {
    let isSecond = isPcapng && packet.connection % 2 == 1
    var frame = isSecond ? packet.bytes : BuiltLink.ethernet.frame(of: packet.bytes)
    // A network card hands short frames over with their padding; what is sent is captured before it.
    if packet.isFromServer, !isSecond, frame.count < 60 {
      frame += [UInt8](repeating: 0, count: 60 - frame.count)
    }
    let time = CaptureBuilder.start + packet.time
    guard isPcapng else {
      for number in [time / 1_000_000, time % 1_000_000, frame.count, frame.count] { put(number) }
      block += frame
      return
    }
    let padding = (4 - frame.count % 4) % 4
    let total = 32 + frame.count + padding
    let ticks = isSecond ? time * 1_000 : time
    for number in [6, total, isSecond ? 1 : 0, ticks >> 32, ticks, frame.count, frame.count] { put(number) }
    block += frame
    for _ in 0..<padding { block.append(0) }
    put(total)
  }

  private mutating func put(_ number: Int) {
    let word = UInt32(truncatingIfNeeded: number)
    for shift: UInt32 in [0, 8, 16, 24] { block.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }
}
