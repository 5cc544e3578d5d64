import GoldwirePackets

/// What a reader found in a file, with the packets' bytes.
struct ReadCapture: Equatable {
  var packets: [CapturedPacket] = []
  var frames: [[UInt8]] = []
  var secrets: [[UInt8]] = []
  var drops = 0
  var end: CaptureEnd?
  var error: CaptureError?

  /// Reads a file that arrives in pieces; each size is how many more bytes come when more are asked for.
  static func read(
    _ file: [UInt8], pieces: [Int], limits: PacketLimits = PacketLimits()
  ) -> ReadCapture {
    var result = ReadCapture()
    var reader = CaptureReader(limits: limits)
    var buffer: [UInt8] = []
    var position = 0
    var given = 0
    var turn = 0
    do throws(CaptureError) {
      while true {
        switch try reader.next(in: buffer.span, from: &position) {
        case .packet(var packet):
          result.frames.append(Array(buffer[packet.range]))
          packet.start = 0
          result.packets.append(packet)
        case .secrets(let secrets): result.secrets.append(Array(buffer[secrets.range]))
        case .drops(let count): result.drops += count
        case .more(let count):
          if given == file.count || count > limits.blockBytes {
            result.end = try reader.finish(remaining: buffer.count - position)
            return result
          }
          // A piece that is not enough is allowed: the reader asks again.
          let size = min(max(1, pieces[turn % pieces.count]), file.count - given)
          turn += 1
          buffer = Array(buffer[position...] + file[given..<given + size])
          position = 0
          given += size
        }
      }
    } catch {
      result.error = error
    }
    return result
  }

  /// Reads a file whole, byte by byte, and cut in two at each place, or at every so many of them.
  static func everyDelivery(
    _ file: [UInt8], limits: PacketLimits = PacketLimits(), step: Int = 1
  ) -> (whole: ReadCapture, others: [ReadCapture]) {
    let whole = read(file, pieces: [max(1, file.count)], limits: limits)
    var others = [read(file, pieces: [1], limits: limits)]
    for split in stride(from: 1, to: max(1, file.count), by: step) {
      others.append(read(file, pieces: [split, file.count], limits: limits))
    }
    return (whole, others)
  }
}
