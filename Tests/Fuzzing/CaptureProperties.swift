import GoldwirePackets

/// A capture file gives the same packets however it comes in.
enum CaptureProperties {
  /// What a reader found in a file.
  private struct Found: Equatable {
    var packets: [CapturedPacket] = []
    var bytes: [UInt8] = []
    var drops = 0
    var end: CaptureEnd?
    var error: CaptureError?
  }

  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    var limits = PacketLimits()
    let choice = input.byte()
    if choice & 1 == 1 {
      limits.packetBytes = 64
      limits.blockBytes = 128
      limits.interfaces = 2
    }
    let cut = input.cut()
    let whole = try read([input.rest], limits)
    let pieces = try read(cut.pieces(of: input.rest), limits)
    try hold(whole == pieces, "the same packets whole and in pieces: \(whole) and \(pieces)")
  }

  private static func read(_ pieces: [[UInt8]], _ limits: PacketLimits) throws(FuzzFinding) -> Found {
    var found = Found()
    var reader = CaptureReader(limits: limits)
    var buffer: [UInt8] = []
    var position = 0
    var pieces = pieces[...]
    while true {
      let step: CaptureStep
      do throws(CaptureError) { step = try reader.next(in: buffer.span, from: &position) } catch {
        found.error = error
        return found
      }
      try hold(position <= buffer.count, "the position stays within the bytes")
      switch step {
      case .packet(var packet):
        try hold(packet.start >= 0 && packet.range.upperBound <= position, "a packet lies in what was used")
        try hold(packet.count <= limits.packetBytes, "no packet is longer than the limit")
        try hold(packet.originalCount >= packet.count && packet.drops >= 0, "counts make sense")
        found.bytes += buffer[packet.range]
        packet.start = 0
        found.packets.append(packet)
      case .secrets(let secrets):
        try hold(secrets.start >= 0 && secrets.range.upperBound <= position, "secrets lie in what was used")
        found.bytes += buffer[secrets.range]
      case .drops(let count):
        try hold(count > 0, "drops are counted up")
        found.drops &+= count
      case .more(let count):
        try hold(count > buffer.count - position, "more is asked for only where it is not there")
        try hold(count <= max(limits.blockBytes, 24), "no more is asked for than the limit")
        guard let piece = pieces.popFirst() else {
          do throws(CaptureError) { found.end = try reader.finish(remaining: buffer.count - position) } catch
          {
            found.error = error
          }
          return found
        }
        buffer.removeFirst(position)
        buffer += piece
        position = 0
      }
    }
  }
}
